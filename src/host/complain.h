/* Messages about what the user or the environment did. */
#ifndef HOST_COMPLAIN_H
#define HOST_COMPLAIN_H

/* The exit codes of `check` and `replay`. */
enum {
  EXIT_SAFE = 0,
  EXIT_ERROR = 1,      /* an error was found */
  EXIT_UNCHECKED = 2,  /* usage, does not compile, unsupported */
  EXIT_INCOMPLETE = 3, /* a limit was reached */
  EXIT_INTERNAL = 70,  /* our own bug */
};

/* Prints "heddle: MESSAGE" to standard error; returns EXIT_UNCHECKED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

/* Calls of functions that the runtime does not know.
 *
 * `heddle cc` defines every such function in the program itself, by a stub
 * that loads the address of a record into a scratch register (r11, x16) and
 * jumps to heddle_external.  There the call is refused by name, or goes on to
 * the real function with all its arguments untouched.
 */
#ifndef SYSTEM_NATIVE_ENGINE_EXTERNAL_H
#define SYSTEM_NATIVE_ENGINE_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* keep: one per function, written by `heddle cc` (see cc/driver/cc_stubs.c), or
 * for one that the runtime interposes, by scripts/interpose. */
struct external {
  const char *name;
  void *real;    /* once known, or NULL; read by heddle_external */
  void *checked; /* the runtime's own, or NULL */
  void *plain;   /* in a run that is not checked; NULL: the next library's */
};

/* Did the user allow it?  Everything is allowed in a plain run. */
bool external_allowed(const char *name);

/* The address to go on at; does not return if the call is refused. */
void *external_call(struct external *);

/* keep: a function that the runtime has only to refuse it, and what to do
 * instead.  In libc_refused.c; the last one has no name. */
struct advice {
  const char *name;
  const char *instead;
};
extern const struct advice external_advice[];

/* Refuses a call of this function, with what to do instead, and lists all else
 * in the program that would be refused. */
_Noreturn void external_refuse(const char *name, const char *instead);

/* In mentions.c: a line for each function that the program mentions and that is
 * not supported or neither known nor allowed: its places, and what to do.  Each
 * is preceded by a newline. */
void mentions_list(char *text, size_t size);
/* Where the program's calls of a function go that the runtime interposes; NULL:
 * it interposes none of this name, or the program has its own. */
const char *external_entry(const char *name);

/* In external_*.S: not to be called from C. */
void heddle_external(void);

/* Before a checked run.  Refuses a program with parts that were not compiled by
 * `heddle cc`, or with code that could not be instrumented, unless the user
 * allowed them.  Called once, before main. */
void external_start(void);

#endif

/* The program under test: built from sources into a folder of our own, or a
 * binary that `heddle cc` built. */
#ifndef SUPERVISE_CHECKED_PROGRAM_H
#define SUPERVISE_CHECKED_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words of the command line that say which program it is. */
struct checked_program_words {
  char **build; /* files and compiler flags, in their order */
  size_t builds;
  char **files; /* only the files */
  size_t file_count;
  char **arguments; /* the program's, ends with NULL */
  bool clear_dead;  /* for an algorithm that stores states */
};

struct checked_program {
  char *binary;  /* absolute path */
  char *name;    /* "account", for account.c or ./account */
  char **argv;   /* to run it with */
  bool built;    /* from sources */
  uint64_t hash; /* of the binary's bytes */
};

/* Finds or builds the program.  0, or the exit code after a message. */
int checked_program_open(struct checked_program *,
                         const struct checked_program_words *);

/* Also removes what was built. */
void checked_program_close(struct checked_program *);

/* The same program, built for an algorithm that stores states, if it is built
 * here at all; it has a binary and a hash of its own.  False: that cannot be
 * done, or the command is asked to end. */
bool checked_program_for_states(struct checked_program *to,
                                const struct checked_program *from,
                                const struct checked_program_words *);
/* The other binary takes the place of this one. */
void checked_program_become(struct checked_program *,
                            struct checked_program *other);

/* The folder for temporary files, made on first use; NULL with a message
 * printed if there can be none.  Removed at exit at the latest. */
const char *checked_program_folder(void);
void checked_program_folder_remove(void);

#endif

/* The program under test: built from sources into a folder of our own, or a
 * binary that `heddle cc` built. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words of the command line that say which program it is. */
struct program_words {
  char **build; /* files and compiler flags, in their order */
  size_t builds;
  char **files; /* only the files */
  size_t file_count;
  char **arguments; /* the program's, ends with NULL */
};

struct program {
  char *binary;  /* absolute path */
  char *name;    /* "account", for account.c or ./account */
  char **argv;   /* to run it with */
  bool built;    /* from sources */
  uint64_t hash; /* of the binary's bytes */
};

/* Finds or builds the program.  0, or the exit code after a message. */
int program_open(struct program *, const struct program_words *);

/* Also removes what was built. */
void program_close(struct program *);

/* The folder for temporary files, made on first use; NULL with a message
 * printed if there can be none.  Removed at exit at the latest. */
const char *program_folder(void);
void program_folder_remove(void);

#endif

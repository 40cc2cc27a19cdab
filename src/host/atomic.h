/* Files that appear whole or not at all. */
#ifndef HOST_ATOMIC_H
#define HOST_ATOMIC_H

#include <stdbool.h>
#include <stdio.h>

struct atomic_file {
  FILE *to;
  char *path;      /* where it goes in the end */
  char *temporary; /* beside it; NULL: written in place (a device, a pipe) */
};

/* False with errno set if it cannot be begun. */
bool atomic_open(struct atomic_file *, const char *path);

/* Puts the file in its place; false with errno set if that failed, and then
 * nothing is left behind. */
bool atomic_close(struct atomic_file *);

/* Instead: as if it had never been begun. */
void atomic_drop(struct atomic_file *);

/* Could a file be written there?  False with errno set. */
bool atomic_possible(const char *path);

#endif

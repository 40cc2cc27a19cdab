/* Folders for temporary files that do not outlive the command, even if it is
 * killed: making one first removes those of commands that have ended.
 *
 * A folder is locked as long as its command, or a child that still works for
 * it, lives. */
#ifndef HOST_FOLDER_H
#define HOST_FOLDER_H

#include <stdbool.h>

struct folder {
  char *path; /* NULL: there is none */
  int lock;   /* a descriptor of the folder */
};

/* A new folder below $TMPDIR or /tmp; false with a message printed if there can
 * be none. */
bool folder_make(struct folder *);

/* Removes it with all that is in it. */
void folder_remove(struct folder *);

/* Forgets the folder: another process removes it. */
void folder_forget(struct folder *);

#endif

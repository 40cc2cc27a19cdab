/* Parts of paths, as they are written. */
#ifndef HOST_PATH_H
#define HOST_PATH_H

#include <stdbool.h>

/* The folder of a file, without the slash; "." if none is named.  A new
 * string. */
char *path_folder(const char *path);
/* The part behind the last slash. */
const char *path_base(const char *path);
/* The rest of a path that begins with this folder, else NULL.  Every relative
 * path begins with ".". */
const char *path_below(const char *path, const char *folder);
/* A file in a folder; in "." it is the name alone.  A new string. */
char *path_in(const char *folder, const char *name);

#endif

/* Parts of paths, as they are written. */
#ifndef CLI_PATH_H
#define CLI_PATH_H

#include <stdbool.h>

/* The folder of a file, without the slash; "." if none is named.  A new
 * string. */
char *path_folder(const char *path);
/* What is behind the last slash. */
const char *path_base(const char *path);
/* What is behind the folder in a path that begins with it, else NULL.  Every
 * relative path begins with ".". */
const char *path_below(const char *path, const char *folder);
/* A file in a folder; in "." it is the name alone.  A new string. */
char *path_in(const char *folder, const char *name);

#endif

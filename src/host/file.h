/* Whole files. */
#ifndef HOST_FILE_H
#define HOST_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* The bytes, on the heap, with a 0 behind the last; NULL if they cannot be
 * read.  `size` may be NULL. */
char *file_read(const char *path, size_t *size);

/* The same for all that can be read, such as a pipe. */
char *file_read_any(const char *path, size_t *size);

/* A new file in place of an older one, as a compiler makes it: with these
 * permissions, less the user's mask.  False, and no file, if that fails. */
bool file_write(const char *path, const char *bytes, size_t size, mode_t mode);

/* Exactly so many bytes from or to an open file; false if that fails. */
bool file_read_bytes(int file, void *bytes, size_t size);
bool file_write_bytes(int file, const void *bytes, size_t size);

/* Is this a device, a pipe or the like, such as /dev/null? */
bool file_is_special(const char *path);

#endif

/* The real functions behind the interposed ones.
 *
 * Most files need not include this: the runtime calls memcpy, malloc, snprintf,
 * ... by their usual names, and the build redirects those calls as real.map
 * says.  The memory and string functions are our own; the others are libc's.
 */
#ifndef SYSTEM_NATIVE_BASE_REAL_H
#define SYSTEM_NATIVE_BASE_REAL_H

#include <stdarg.h>
#include <stddef.h>
#include <time.h>

/* real_memory.c */
void *heddle_real_memcpy(void *restrict to, const void *restrict from, size_t);
void *heddle_real_memmove(void *to, const void *from, size_t);
void *heddle_real_memset(void *to, int byte, size_t);
int heddle_real_memcmp(const void *, const void *, size_t);
void *heddle_real_memchr(const void *, int byte, size_t);
size_t heddle_real_strlen(const char *);
size_t heddle_real_strnlen(const char *, size_t most);
int heddle_real_strcmp(const char *, const char *);
int heddle_real_strncmp(const char *, const char *, size_t most);
char *heddle_real_strchr(const char *, int character);
char *heddle_real_strrchr(const char *, int character);
char *heddle_real_strcpy(char *restrict to, const char *restrict from);
char *heddle_real_strncpy(char *restrict to, const char *restrict from,
                          size_t size);

/* real.c */
int heddle_real_vsnprintf(char *to, size_t size, const char *format, va_list);
int heddle_real_snprintf(char *to, size_t size, const char *format, ...);
int heddle_real_vdprintf(int descriptor, const char *format, va_list);
int heddle_real_dprintf(int descriptor, const char *format, ...);
void heddle_real_qsort(void *base, size_t count, size_t size,
                       int (*compare)(const void *, const void *));
char *heddle_real_getenv(const char *name);
int heddle_real_clock_gettime(clockid_t, struct timespec *);

/* real_lookup.c: the next definition of the name after the program's own; NULL
 * if there is none. */
void *real_lookup(const char *name);

#endif

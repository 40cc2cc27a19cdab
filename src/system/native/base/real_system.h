/* The runtime's own versions of what the kernel and the loader offer.
 *
 * As with real.h, most files need not include this: see real.map.
 */
#ifndef SYSTEM_NATIVE_BASE_REAL_SYSTEM_H
#define SYSTEM_NATIVE_BASE_REAL_SYSTEM_H

#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

struct dl_phdr_info;

/* real_system.c */
long heddle_real_syscall(long number, ...);
int heddle_real_open(const char *path, int flags, ...);
int heddle_real_close(int file);
ssize_t heddle_real_pread(int file, void *to, size_t size, off_t from);
int heddle_real_fstat(int file, struct stat *);
ssize_t heddle_real_readlink(const char *path, char *to, size_t size);
void *heddle_real_mmap(void *addr, size_t size, int protection, int flags,
                       int file, off_t from);
int heddle_real_mprotect(void *addr, size_t size, int protection);
int heddle_real_madvise(void *addr, size_t size, int advice);
int heddle_real_sigaltstack(const stack_t *, stack_t *old);
int heddle_real_sigemptyset(sigset_t *);

/* real_lookup.c */
int heddle_real_dl_iterate_phdr(int (*look)(struct dl_phdr_info *, size_t,
                                            void *),
                                void *context);

#endif

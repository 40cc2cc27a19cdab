/* Owners, times and other attributes of files, and what is asked of their
 * system. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "system/native/hooks/hooks.h"
#include "system/native/pthread/sync.h"

#define UNUSED __attribute__((unused))

/* The node of a path, in a step of its own; 0 with errno set. */
static uint32_t node_at(int directory, const char *path, bool follow,
                        uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  uint32_t name = name_of_call(&e, directory, path, follow);
  uint32_t node = name ? name_node(name) : 0;
  if (name && !node)
    error_set(ENOENT);
  return node;
}

static struct description *opened_at(int descriptor, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  return description_of(descriptor);
}

/* ---- owners: a file may be given to its owner only ----------------------- */

static int own(bool exists, uid_t user, gid_t group) {
  if (!exists)
    return -1;
  bool same = (user == 1000 || user == (uid_t)-1) &&
              (group == 1000 || group == (gid_t)-1);
  return same ? 0 : file_error(EPERM);
}

INTERPOSED int chown(const char *path, uid_t user, gid_t group) {
  return own(node_at(AT_FDCWD, path, true, CALLER), user, group);
}

INTERPOSED int lchown(const char *path, uid_t user, gid_t group) {
  return own(node_at(AT_FDCWD, path, false, CALLER), user, group);
}

INTERPOSED int fchown(int descriptor, uid_t user, gid_t group) {
  return own(opened_at(descriptor, CALLER), user, group);
}

INTERPOSED int fchownat(int directory, const char *path, uid_t user,
                        gid_t group, int flags) {
  return own(node_at(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), CALLER),
             user, group);
}

/* ---- times, which do not change ------------------------------------------ */

#define SET_TIMES(name, directory, follow, ...)               \
  int times_##name(__VA_ARGS__) __asm__(#name);               \
  INTERPOSED int times_##name(__VA_ARGS__) {                  \
    return node_at(directory, path, follow, CALLER) ? 0 : -1; \
  }

SET_TIMES(utime, AT_FDCWD, true, const char *path, const void *to UNUSED)
SET_TIMES(utimes, AT_FDCWD, true, const char *path, const void *to UNUSED)
SET_TIMES(lutimes, AT_FDCWD, false, const char *path, const void *to UNUSED)
SET_TIMES(futimesat, directory, true, int directory, const char *path,
          const void *to UNUSED)
SET_TIMES(utimensat, directory, !(flags & AT_SYMLINK_NOFOLLOW), int directory,
          const char *path, const void *to UNUSED, int flags)

#define SET_OPEN_TIMES(name)                                    \
  int times_##name(int, const void *) __asm__(#name);           \
  INTERPOSED int times_##name(int descriptor, const void *to) { \
    (void)to;                                                   \
    return opened_at(descriptor, CALLER) ? 0 : -1;              \
  }
SET_OPEN_TIMES(futimens)
SET_OPEN_TIMES(futimes)

/* ---- locks of whole files ------------------------------------------------ */

/* Another description of the file that has a lock in the way. */
static bool is_locked(const struct description *d, int how) {
  descriptors_read();
  for (int i = 0; i < FILE_DESCRIPTORS; i++) {
    const struct description *other = description_peek(i);
    if (!other || other == d || other->kind != d->kind ||
        other->node != d->node)
      continue;
    file_reads(&other->lock, sizeof other->lock);
    if (other->lock == LOCK_EX || (other->lock && how == LOCK_EX))
      return true;
  }
  return false;
}

INTERPOSED int flock(int descriptor, int how) {
  struct description *d = opened_at(descriptor, CALLER);
  int kind = how & ~LOCK_NB;
  if (!d)
    return -1;
  if (kind != LOCK_SH && kind != LOCK_EX && kind != LOCK_UN)
    return file_error(EINVAL);
  if (kind != LOCK_UN && is_locked(d, kind)) {
    if (how & LOCK_NB)
      return file_error(EWOULDBLOCK);
    refuse("flock that waits for another open file of the program is not "
           "supported: use a mutex between threads");
  }
  FILE_SET(d->lock, (uint32_t)(kind == LOCK_UN ? 0 : kind));
  return 0;
}

/* Locks between processes are always granted. */
#define LOCKF(name)                                                         \
  INTERPOSED int name(int descriptor, int what UNUSED, off_t size UNUSED) { \
    return opened_at(descriptor, CALLER) ? 0 : -1;                          \
  }
LOCKF(lockf)
LOCKF(lockf64)

/* ---- room ---------------------------------------------------------------- */

/* 0, or the number of an error. */
static int make_room(int descriptor, off_t from, off_t size, uint64_t pc) {
  struct description *d = opened_at(descriptor, pc);
  if (!d)
    return EBADF;
  if (from < 0 || size <= 0)
    return EINVAL;
  if (d->kind != DESCRIPTION_FILE || !d->node)
    return d->kind == DESCRIPTION_CHANNEL ? ESPIPE : ENODEV;
  if ((d->flags & O_ACCMODE) == O_RDONLY)
    return EBADF;
  if (node_size(d->node) < (uint64_t)(from + size))
    node_resize(d->node, (uint64_t)(from + size));
  return 0;
}

#define FALLOCATE(name, posix_name)                                            \
  INTERPOSED int posix_name(int descriptor, off_t from, off_t size) {          \
    return make_room(descriptor, from, size, CALLER);                          \
  }                                                                            \
  INTERPOSED int name(int descriptor, int mode, off_t from, off_t size) {      \
    int error = mode ? EOPNOTSUPP : make_room(descriptor, from, size, CALLER); \
    return error ? file_error(error) : 0;                                      \
  }
FALLOCATE(fallocate, posix_fallocate)
FALLOCATE(fallocate64, posix_fallocate64)

INTERPOSED int sync_file_range(int descriptor, off_t from UNUSED,
                               off_t size UNUSED, unsigned flags UNUSED) {
  return opened_at(descriptor, CALLER) ? 0 : -1;
}

/* ---- the file system: always the same ------------------------------------ */

static const struct statfs system_fact = {.f_type = 0xef53,
                                          .f_bsize = 4096,
                                          .f_blocks = 1 << 20,
                                          .f_bfree = 1 << 19,
                                          .f_bavail = 1 << 19,
                                          .f_files = 1 << 16,
                                          .f_ffree = 1 << 15,
                                          .f_namelen = 255,
                                          .f_frsize = 4096};
static const struct statvfs usual_fact = {.f_bsize = 4096,
                                          .f_frsize = 4096,
                                          .f_blocks = 1 << 20,
                                          .f_bfree = 1 << 19,
                                          .f_bavail = 1 << 19,
                                          .f_files = 1 << 16,
                                          .f_ffree = 1 << 15,
                                          .f_favail = 1 << 15,
                                          .f_namemax = 255};

static int tell(bool exists, void *to, const void *fact, size_t size,
                uint64_t pc) {
  struct libcall e;
  if (!exists)
    return -1;
  libcall_begin(&e, OP_SET, pc);
  libcall_overwrite(&e, to, size);
  libcall_announce(&e);
  memcpy(to, fact, size);
  return 0;
}

#define SYSTEM(name, fact)                                                     \
  int of_##name(const char *, void *) __asm__(#name);                          \
  INTERPOSED int of_##name(const char *path, void *to) {                       \
    return tell(node_at(AT_FDCWD, path, true, CALLER), to, &fact, sizeof fact, \
                CALLER);                                                       \
  }                                                                            \
  int of_f##name(int, void *) __asm__("f" #name);                              \
  INTERPOSED int of_f##name(int descriptor, void *to) {                        \
    return tell(opened_at(descriptor, CALLER), to, &fact, sizeof fact,         \
                CALLER);                                                       \
  }
SYSTEM(statfs, system_fact)
SYSTEM(statfs64, system_fact)
SYSTEM(statvfs, usual_fact)
SYSTEM(statvfs64, usual_fact)

static long path_limit(int what) {
  return what == _PC_NAME_MAX   ? NAME_MAX
         : what == _PC_PATH_MAX ? PATH_MAX
         : what == _PC_PIPE_BUF ? PIPE_BUF
         : what == _PC_LINK_MAX ? 127
                                : -1;
}

INTERPOSED long pathconf(const char *path UNUSED, int what) {
  return path_limit(what);
}

INTERPOSED long fpathconf(int descriptor UNUSED, int what) {
  return path_limit(what);
}

/* ---- ioctl --------------------------------------------------------------- */

/* How many bytes can be read at once. */
static int waiting(struct description *d, int *to, uint64_t pc) {
  int count = 0;
  if (d->kind == DESCRIPTION_CHANNEL && d->in) {
    file_reads(d->in, OBJECT_SIZE);
    count = (int)d->in->count;
  } else if (d->kind == DESCRIPTION_FILE && d->node) {
    file_reads(&d->offset, sizeof d->offset);
    count = (int)(node_size(d->node) - d->offset);
  }
  return tell(true, to, &count, sizeof count, pc);
}

/* Nothing is a terminal. */
INTERPOSED int ioctl(int descriptor, unsigned long what, ...) {
  va_list arguments;
  va_start(arguments, what);
  int *to = va_arg(arguments, int *);
  va_end(arguments);
  struct description *d = opened_at(descriptor, CALLER);
  if (!d)
    return -1;
  switch (what) {
  case FIONREAD:
    return waiting(d, to, CALLER);
  case FIONBIO: {
    uint32_t on = LOOK_AT(*to, CALLER) ? O_NONBLOCK : 0;
    opened_at(descriptor, CALLER);
    FILE_SET(d->flags, (d->flags & ~(uint32_t)O_NONBLOCK) | on);
    return 0;
  }
  case FIOCLEX:
  case FIONCLEX:
    descriptor_set_flag(descriptor, what == FIOCLEX);
    return 0;
  default:
    if (what >> 8 == 'T') /* TCGETS, TIOCGWINSZ, ... */
      return file_error(ENOTTY);
    refuse("ioctl with request %#lx is not supported: only FIONREAD, FIONBIO, "
           "FIOCLEX, FIONCLEX and those of terminals, which fail with ENOTTY",
           what);
  }
}

/* open, read, write and other calls on descriptors. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "channel.h"
#include "system/native/hooks/hooks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- open ---------------------------------------------------------------- */

/* The directory from which the path begins; 0 with errno set. */
static uint32_t directory_of(int descriptor, const char *path) {
  if (descriptor == AT_FDCWD || *path == '/')
    return name_working();
  const struct description *d = description_of(descriptor);
  if (d && d->kind == DESCRIPTION_FILE && S_ISDIR(node_mode(d->node)))
    return d->name;
  if (d)
    error_set(ENOTDIR);
  return 0;
}

uint32_t name_of_call(const struct libcall *e, int directory, const char *path,
                      bool follow) {
  path = file_path(e, path);
  uint32_t from = path ? directory_of(directory, path) : 0;
  return from ? name_resolve_at(from, path, follow) : 0;
}

static int open_path(int directory, const char *path, int flags, mode_t mode,
                     uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  path = file_path(&e, path);
  uint32_t from = path ? directory_of(directory, path) : 0;
  struct description *d =
      from ? description_open(from, path, flags, mode, pc) : NULL;
  return d ? descriptor_give(d, 0, flags & O_CLOEXEC) : -1;
}

/* The mode is an argument only if the call may create a file. */
#define MODE_OF(flags)                                    \
  mode_t mode = 0;                                        \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
    va_list arguments;                                    \
    va_start(arguments, flags);                           \
    mode = va_arg(arguments, mode_t);                     \
    va_end(arguments);                                    \
  }

#define OPEN(name)                                         \
  INTERPOSED int name(const char *path, int flags, ...) {  \
    MODE_OF(flags)                                         \
    return open_path(AT_FDCWD, path, flags, mode, CALLER); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                \
  INTERPOSED int name(int from, const char *path, int flags, ...) { \
    MODE_OF(flags)                                                  \
    return open_path(from, path, flags, mode, CALLER);              \
  }
OPENAT(openat)
OPENAT(openat64)

#define CREAT(name)                                                      \
  INTERPOSED int name(const char *path, mode_t mode) {                   \
    return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, \
                     CALLER);                                            \
  }
CREAT(creat)
CREAT(creat64)

#define OPEN_2(name)                                    \
  INTERPOSED int name(const char *, int);               \
  INTERPOSED int name(const char *path, int flags) {    \
    return open_path(AT_FDCWD, path, flags, 0, CALLER); \
  }
OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                         \
  INTERPOSED int name(int, const char *, int);                 \
  INTERPOSED int name(int from, const char *path, int flags) { \
    return open_path(from, path, flags, 0, CALLER);            \
  }
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

/* ---- read ---------------------------------------------------------------- */

enum { MOST_AT_ONCE = 0x7ffff000 }; /* as in Linux */

/* How many bytes are read depends on the file, and so does what is written to
 * the program's memory. */
static ssize_t read_with(int descriptor, void *to, size_t size, off_t from,
                         int flags, uint64_t pc) {
  struct libcall e;
  static char *bytes; /* keep: scratch */
  if (size > MOST_AT_ONCE)
    size = MOST_AT_ONCE;
  file_begin(&e, pc);
  if (size)
    libcall_begin_write(&e, to);
  file_announce(&e);
  struct description *d = description_of(descriptor);
  if (!d)
    return -1;
  if (d->kind == DESCRIPTION_CHANNEL)
    return from == FILE_HERE ? description_receive(d, to, size, flags, pc)
                             : file_error(ESPIPE);
  if (flags)
    return file_error(ENOTSOCK);
  if (d->kind == DESCRIPTION_SIGNALS)
    return signal_descriptor_read(d, to, size, pc);
  ssize_t got = description_read(d, file_scratch(&bytes, size), size, from);
  if (got > 0) {
    touches(&e, to, (size_t)got);
    heddle_real_memcpy(to, bytes, (size_t)got);
  }
  return got;
}

static ssize_t read_some(int descriptor, void *to, size_t size, off_t from,
                         uint64_t pc) {
  return read_with(descriptor, to, size, from, 0, pc);
}

ssize_t channel_call_read(int descriptor, void *to, size_t size, int flags,
                          uint64_t pc) {
  return read_with(descriptor, to, size, FILE_HERE, flags, pc);
}

INTERPOSED ssize_t read(int descriptor, void *to, size_t size) {
  return read_some(descriptor, to, size, FILE_HERE, CALLER);
}

static ssize_t read_from(int descriptor, void *to, size_t size, off_t from,
                         uint64_t pc) {
  if (from < 0)
    return file_error(EINVAL);
  return read_some(descriptor, to, size, from, pc);
}

#define PREAD(name)                                                            \
  INTERPOSED ssize_t name(int descriptor, void *to, size_t size, off_t from) { \
    return read_from(descriptor, to, size, from, CALLER);                      \
  }
PREAD(pread)
PREAD(pread64)

static void check_room(const char *name, size_t size, size_t room,
                       uint64_t pc) {
  if (size > room)
    fail(FINDING_MEMORY, pc,
         "out of bounds: %s of up to %zu bytes to an object of %zu bytes", name,
         size, room);
}

INTERPOSED ssize_t __read_chk(int, void *, size_t, size_t);
INTERPOSED ssize_t __read_chk(int descriptor, void *to, size_t size,
                              size_t room) {
  check_room("read", size, room, CALLER);
  return read_some(descriptor, to, size, FILE_HERE, CALLER);
}

#define PREAD_CHK(name)                                                      \
  INTERPOSED ssize_t name(int, void *, size_t, off_t, size_t);               \
  INTERPOSED ssize_t name(int descriptor, void *to, size_t size, off_t from, \
                          size_t room) {                                     \
    check_room("pread", size, room, CALLER);                                 \
    return read_from(descriptor, to, size, from, CALLER);                    \
  }
PREAD_CHK(__pread_chk)
PREAD_CHK(__pread64_chk)

/* ---- write --------------------------------------------------------------- */

/* The usual case, without a step on the descriptor. */
static bool is_output(int descriptor, uint64_t pc) {
  return (descriptor == 1 || descriptor == 2) &&
         descriptor_is_standard(descriptor, pc);
}

static ssize_t write_with(int descriptor, const void *bytes, size_t size,
                          off_t from, int flags, uint64_t pc) {
  struct libcall e;
  if (is_output(descriptor, pc))
    return size ? output_write(descriptor, bytes, size, pc) : 0;
  file_begin(&e, pc);
  libcall_read(&e, bytes, size);
  file_announce(&e);
  struct description *d = description_of(descriptor);
  if (!d)
    return -1;
  if (d->kind == DESCRIPTION_OUTPUT)
    return size ? output_write(d->number, bytes, size, pc) : 0;
  if (d->kind != DESCRIPTION_CHANNEL)
    return description_write(d, bytes, size, from);
  if (from != FILE_HERE)
    return file_error(ESPIPE);
  return description_deliver(d, channel_stage(bytes, size, pc), size, flags,
                             pc);
}

static ssize_t write_some(int descriptor, const void *bytes, size_t size,
                          off_t from, uint64_t pc) {
  return write_with(descriptor, bytes, size, from, 0, pc);
}

ssize_t channel_call_write(int descriptor, const void *bytes, size_t size,
                           int flags, uint64_t pc) {
  return write_with(descriptor, bytes, size, FILE_HERE, flags, pc);
}

INTERPOSED ssize_t write(int descriptor, const void *bytes, size_t size) {
  return write_some(descriptor, bytes, size, FILE_HERE, CALLER);
}

#define PWRITE(name)                                                      \
  INTERPOSED ssize_t name(int descriptor, const void *bytes, size_t size, \
                          off_t from) {                                   \
    if (from < 0)                                                         \
      return file_error(EINVAL);                                          \
    return write_some(descriptor, bytes, size, from, CALLER);             \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

/* ---- several ranges ------------------------------------------------------ */

/* Announces a step that reads the list of ranges.  The description, and how
 * many bytes there are together; NULL with errno set. */
static struct description *begin_ranges(struct libcall *e, int descriptor,
                                        const struct iovec *ranges, int count,
                                        size_t *size, uint64_t pc) {
  *size = 0;
  if (count < 0 || count > 1024) {
    error_set(EINVAL);
    return NULL;
  }
  file_begin(e, pc);
  if (count)
    libcall_read(e, ranges, (size_t)count * sizeof *ranges);
  file_announce(e);
  for (int i = 0; i < count; i++)
    if (__builtin_add_overflow(*size, ranges[i].iov_len, size) ||
        *size > MOST_AT_ONCE) {
      error_set(EINVAL);
      return NULL;
    }
  return description_of(descriptor);
}

/* One block of all ranges, as part of the step. */
static char *gather(const struct libcall *e, const struct iovec *ranges,
                    int count, size_t size) {
  char *all = channel_room(size, e->op.pc), *to = all;
  undo_note(all, size);
  for (int i = 0; i < count; i++) {
    touched(e, ranges[i].iov_base, ranges[i].iov_len);
    heddle_real_memcpy(to, ranges[i].iov_base, ranges[i].iov_len);
    to += ranges[i].iov_len;
  }
  return all;
}

static ssize_t write_ranges(int descriptor, const struct iovec *ranges,
                            int count, off_t from, bool socket, int flags,
                            uint64_t pc) {
  struct libcall e;
  size_t size;
  struct description *d =
      begin_ranges(&e, descriptor, ranges, count, &size, pc);
  if (!d)
    return -1;
  if (socket && !description_is_socket(d))
    return file_error(ENOTSOCK);
  char *all = gather(&e, ranges, count, size);
  if (d->kind == DESCRIPTION_OUTPUT)
    return size ? output_write(d->number, all, size, pc) : 0;
  if (d->kind != DESCRIPTION_CHANNEL)
    return description_write(d, all, size, from);
  return from == FILE_HERE ? description_deliver(d, all, size, flags, pc)
                           : file_error(ESPIPE);
}

/* From a file: in the same step. */
static ssize_t read_to_ranges(const struct libcall *e, struct description *d,
                              const struct iovec *ranges, int count,
                              size_t size, off_t place) {
  static char *bytes; /* keep: scratch */
  ssize_t got = description_read(d, file_scratch(&bytes, size), size, place);
  size_t rest = got > 0 ? (size_t)got : 0;
  const char *from = bytes;
  for (int i = 0; i < count && rest; i++) {
    size_t part = ranges[i].iov_len < rest ? ranges[i].iov_len : rest;
    touches(e, ranges[i].iov_base, part);
    heddle_real_memcpy(ranges[i].iov_base, from, part);
    from += part;
    rest -= part;
  }
  return got;
}

/* From a pipe or socket: the bytes arrive in a block of the runtime's first. */
static ssize_t receive_to_ranges(struct description *d,
                                 const struct iovec *ranges, int count,
                                 size_t size, int flags, uint64_t pc) {
  char *from;
  ssize_t got = description_take(d, &from, size, flags, pc), rest = got;
  for (int i = 0; i < count && rest > 0; i++) {
    struct iovec range = LOOK_AT(ranges[i], pc);
    size_t part = range.iov_len < (size_t)rest ? range.iov_len : (size_t)rest;
    copy_memory(range.iov_base, from, part, pc, NULL);
    from += part;
    rest -= (ssize_t)part;
  }
  return got;
}

static ssize_t read_ranges(int descriptor, const struct iovec *ranges,
                           int count, off_t from, bool socket, int flags,
                           uint64_t pc) {
  struct libcall e;
  size_t size;
  struct description *d =
      begin_ranges(&e, descriptor, ranges, count, &size, pc);
  if (!d)
    return -1;
  if (d->kind == DESCRIPTION_CHANNEL && (!socket || description_is_socket(d)))
    return from == FILE_HERE
               ? receive_to_ranges(d, ranges, count, size, flags, pc)
               : file_error(ESPIPE);
  return socket ? file_error(ENOTSOCK)
                : read_to_ranges(&e, d, ranges, count, size, from);
}

ssize_t ranges_send(int descriptor, const struct iovec *ranges, int count,
                    int flags, uint64_t pc) {
  return write_ranges(descriptor, ranges, count, FILE_HERE, true, flags, pc);
}

ssize_t ranges_receive(int descriptor, const struct iovec *ranges, int count,
                       int flags, uint64_t pc) {
  return read_ranges(descriptor, ranges, count, FILE_HERE, true, flags, pc);
}

INTERPOSED ssize_t readv(int descriptor, const struct iovec *ranges,
                         int count) {
  return read_ranges(descriptor, ranges, count, FILE_HERE, false, 0, CALLER);
}

INTERPOSED ssize_t writev(int descriptor, const struct iovec *ranges,
                          int count) {
  return write_ranges(descriptor, ranges, count, FILE_HERE, false, 0, CALLER);
}

#define PRANGES(name, call)                                                    \
  INTERPOSED ssize_t name(int descriptor, const struct iovec *ranges,          \
                          int count, off_t from) {                             \
    return from < 0 ? file_error(EINVAL)                                       \
                    : call(descriptor, ranges, count, from, false, 0, CALLER); \
  }
PRANGES(preadv, read_ranges)
PRANGES(preadv64, read_ranges)
PRANGES(pwritev, write_ranges)
PRANGES(pwritev64, write_ranges)

/* Without flags they are the others; -1: the place of the descriptor. */
#define PRANGES_2(name, call)                                                 \
  INTERPOSED ssize_t name(int descriptor, const struct iovec *ranges,         \
                          int count, off_t from, int flags) {                 \
    return flags       ? file_error(EOPNOTSUPP)                               \
           : from < -1 ? file_error(EINVAL)                                   \
                       : call(descriptor, ranges, count,                      \
                              from < 0 ? FILE_HERE : from, false, 0, CALLER); \
  }
PRANGES_2(preadv2, read_ranges)
PRANGES_2(preadv64v2, read_ranges)
PRANGES_2(pwritev2, write_ranges)
PRANGES_2(pwritev64v2, write_ranges)

/* ---- the place, and the size --------------------------------------------- */

/* Announces a step that touches no memory of the program. */
static struct description *begin_on(int descriptor, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  return description_of(descriptor);
}

/* A file without a name.  Seals are not kept. */
INTERPOSED int memfd_create(const char *name, unsigned flags) {
  struct libcall e;
  if (flags & ~(MFD_CLOEXEC | MFD_ALLOW_SEALING))
    return file_error(EINVAL);
  file_begin(&e, CALLER);
  libcall_string(&e, name, SIZE_MAX);
  file_announce(&e);
  if (!file_path(&e, name))
    return file_error(EINVAL);
  struct description *d = description_new(DESCRIPTION_FILE, O_RDWR, CALLER);
  d->node = node_create(S_IFREG | 0777);
  return descriptor_give(d, 0, flags & MFD_CLOEXEC);
}

#define LSEEK(name)                                                 \
  INTERPOSED off_t name(int descriptor, off_t offset, int whence) { \
    struct description *d = begin_on(descriptor, CALLER);           \
    return d ? description_seek(d, offset, whence) : -1;            \
  }
LSEEK(lseek)
LSEEK(lseek64)

static int resize(struct description *d, off_t size) {
  if (!d)
    return -1;
  if (size < 0 || d->kind != DESCRIPTION_FILE ||
      (d->flags & O_ACCMODE) == O_RDONLY)
    return file_error(EINVAL);
  node_resize(d->node, (uint64_t)size);
  return 0;
}

#define FTRUNCATE(name)                                \
  INTERPOSED int name(int descriptor, off_t size) {    \
    return resize(begin_on(descriptor, CALLER), size); \
  }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

/* Nothing survives the program: there is nothing to wait for. */
static int sync_file(int descriptor, uint64_t pc) {
  const struct description *d = begin_on(descriptor, pc);
  if (!d)
    return -1;
  return d->kind == DESCRIPTION_FILE ? 0 : file_error(EINVAL);
}

INTERPOSED int fsync(int descriptor) {
  return sync_file(descriptor, CALLER);
}

INTERPOSED int fdatasync(int descriptor) {
  return sync_file(descriptor, CALLER);
}

/* ---- descriptors --------------------------------------------------------- */

/* An end of a channel ends in a step of its own. */
static int close_number(int descriptor, uint64_t pc) {
  struct description *d = begin_on(descriptor, pc);
  if (!d)
    return -1;
  descriptor_close(descriptor);
  if (d->kind == DESCRIPTION_CHANNEL && !d->users)
    description_end(d, pc);
  return 0;
}

INTERPOSED int close(int descriptor) {
  return close_number(descriptor, CALLER);
}

/* Those that are not open are passed over. */
static void close_from(unsigned first, unsigned last, uint64_t pc) {
  int saved = file_error_now();
  for (unsigned i = first; i <= last && i < FILE_DESCRIPTORS; i++)
    close_number((int)i, pc);
  error_set(saved);
}

INTERPOSED int close_range(unsigned first, unsigned last, int flags) {
  if (first > last || (flags & ~(int)CLOSE_RANGE_CLOEXEC))
    return file_error(EINVAL);
  if (!(flags & (int)CLOSE_RANGE_CLOEXEC)) /* no other program is executed */
    close_from(first, last, CALLER);
  return 0;
}

INTERPOSED void closefrom(int first) {
  close_from(first < 0 ? 0 : (unsigned)first, UINT_MAX, CALLER);
}

static int duplicate(int descriptor, int least, bool close_on_exec,
                     uint64_t pc) {
  struct description *d = begin_on(descriptor, pc);
  return d ? descriptor_give(d, least, close_on_exec) : -1;
}

INTERPOSED int dup(int descriptor) {
  return duplicate(descriptor, 0, false, CALLER);
}

static int replace(int to, struct description *d, bool close_on_exec,
                   uint64_t pc) {
  struct description *there = d ? description_of(to) : NULL;
  if (!d)
    return -1;
  int result = descriptor_replace(to, d, close_on_exec);
  if (there && there->kind == DESCRIPTION_CHANNEL && !there->users)
    description_end(there, pc);
  return result;
}

INTERPOSED int dup2(int from, int to) {
  struct description *d = begin_on(from, CALLER);
  if (d && from == to)
    return to;
  return replace(to, d, false, CALLER);
}

INTERPOSED int dup3(int from, int to, int flags) {
  if (from == to)
    return file_error(EINVAL);
  struct description *d = begin_on(from, CALLER);
  return replace(to, d, flags & O_CLOEXEC, CALLER);
}

INTERPOSED int isatty(int descriptor) {
  if (begin_on(descriptor, CALLER))
    error_set(ENOTTY);
  return 0;
}

/* ---- fcntl --------------------------------------------------------------- */

enum { SETTABLE = O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME };

static int set_status(struct description *d, uint32_t flags) {
  file_reads(&d->flags, sizeof d->flags);
  FILE_SET(d->flags, (d->flags & ~(uint32_t)SETTABLE) | (flags & SETTABLE));
  return 0;
}

static int get_status(const struct description *d) {
  file_reads(&d->flags, sizeof d->flags);
  return (int)(d->flags &
               ~(uint32_t)(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC)) |
         O_LARGEFILE;
}

static int control(int descriptor, int command, long argument, uint64_t pc) {
  struct description *d = begin_on(descriptor, pc);
  if (!d)
    return -1;
  switch (command) {
  case F_DUPFD:
  case F_DUPFD_CLOEXEC:
    return descriptor_give(d, (int)argument, command == F_DUPFD_CLOEXEC);
  case F_GETFD:
    return descriptor_has_flag(descriptor) ? FD_CLOEXEC : 0;
  case F_SETFD:
    descriptor_set_flag(descriptor, argument & FD_CLOEXEC);
    return 0;
  case F_GETFL:
    return get_status(d);
  case F_SETFL:
    return set_status(d, (uint32_t)argument);
  case F_SETLK: /* these locks are between processes, and there is one */
  case F_SETLKW:
    return 0;
  default:
    refuse("fcntl with command %d is not supported", command);
  }
}

#define FCNTL(name)                                        \
  INTERPOSED int name(int descriptor, int command, ...) {  \
    va_list arguments;                                     \
    va_start(arguments, command);                          \
    long argument = va_arg(arguments, long);               \
    va_end(arguments);                                     \
    return control(descriptor, command, argument, CALLER); \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

#define FADVISE(name)                                                       \
  INTERPOSED int name(int descriptor, off_t from, off_t size, int advice) { \
    (void)from, (void)size, (void)advice;                                   \
    return begin_on(descriptor, CALLER) ? 0 : EBADF;                        \
  }
FADVISE(posix_fadvise)
FADVISE(posix_fadvise64)

/* ---- from one descriptor to another -------------------------------------- */

/* Reading and writing are two steps, as in the kernel. */
static ssize_t send_file(int to, int from, off_t *place, size_t size,
                         uint64_t pc) {
  struct libcall e;
  if (size > MOST_AT_ONCE)
    size = MOST_AT_ONCE;
  file_begin(&e, pc);
  if (place)
    libcall_read(&e, place, sizeof *place);
  file_announce(&e);
  struct description *d = description_of(from);
  if (!d)
    return -1;
  if (d->kind != DESCRIPTION_FILE || !d->node)
    return file_error(EINVAL);
  uint64_t rest = node_size(d->node);
  char *bytes = channel_room(size < rest ? size : rest, pc);
  undo_note(bytes, size < rest ? size : rest);
  ssize_t got = description_read(d, bytes, size < rest ? size : rest,
                                 place ? *place : FILE_HERE);
  if (got > 0)
    got = write_some(to, bytes, (size_t)got, FILE_HERE, pc);
  if (got > 0 && place)
    PUT_AT(*place, LOOK_AT(*place, pc) + got, pc);
  return got;
}

#define SENDFILE(name)                                                   \
  INTERPOSED ssize_t name(int, int, off_t *, size_t);                    \
  INTERPOSED ssize_t name(int to, int from, off_t *place, size_t size) { \
    return send_file(to, from, place, size, CALLER);                     \
  }
SENDFILE(sendfile)
SENDFILE(sendfile64)

/* Calls on names: unlink, rename, mkdir, stat and similar ones. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "files.h"
#include "system/native/hooks/hooks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Announces a step on one path.  The name, or 0 with errno set. */
static uint32_t begin_name(int directory, const char *path, bool follow,
                           uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  return name_of_call(&e, directory, path, follow);
}

/* The same for two paths. */
struct two_names {
  uint32_t from, to;
};

static struct two_names begin_names(int directory, const char *path,
                                    int other_directory, const char *other,
                                    uint64_t pc) {
  struct libcall e;
  struct two_names names = {0, 0};
  file_begin(&e, pc);
  libcall_string(&e, path, SIZE_MAX);
  libcall_string(&e, other, SIZE_MAX);
  file_announce(&e);
  names.from = name_of_call(&e, directory, path, false);
  names.to = names.from ? name_of_call(&e, other_directory, other, false) : 0;
  return names;
}

/* The node; 0 with errno set. */
static uint32_t existing(uint32_t name) {
  uint32_t node = name ? name_node(name) : 0;
  if (name && !node)
    error_set(ENOENT);
  return node;
}

static bool may_change(uint32_t name) {
  if (node_permits(name_node(name_parent(name)), W_OK))
    return true;
  error_set(EACCES);
  return false;
}

/* ---- removing ------------------------------------------------------------ */

static int remove_name(uint32_t name, uint32_t node) {
  if (!may_change(name))
    return -1;
  name_bind(name, 0);
  node_link(node, -1);
  return 0;
}

static int remove_file(uint32_t name) {
  uint32_t node = existing(name);
  if (!node)
    return -1;
  return S_ISDIR(node_mode(node)) ? file_error(EISDIR)
                                  : remove_name(name, node);
}

static int remove_directory(uint32_t name) {
  uint32_t node = existing(name);
  if (!node)
    return -1;
  if (!S_ISDIR(node_mode(node)))
    return file_error(ENOTDIR);
  if (name_parent(name) == name)
    return file_error(EBUSY);
  return name_next(name, 0) ? file_error(ENOTEMPTY) : remove_name(name, node);
}

INTERPOSED int unlink(const char *path) {
  return remove_file(begin_name(AT_FDCWD, path, false, CALLER));
}

INTERPOSED int rmdir(const char *path) {
  return remove_directory(begin_name(AT_FDCWD, path, false, CALLER));
}

INTERPOSED int unlinkat(int directory, const char *path, int flags) {
  uint32_t name = begin_name(directory, path, false, CALLER);
  return flags & AT_REMOVEDIR ? remove_directory(name) : remove_file(name);
}

INTERPOSED int remove(const char *path) {
  uint32_t name = begin_name(AT_FDCWD, path, false, CALLER);
  uint32_t node = existing(name);
  if (!node)
    return -1;
  return S_ISDIR(node_mode(node)) ? remove_directory(name) : remove_file(name);
}

/* ---- renaming ------------------------------------------------------------ */

/* Is what is there, if anything, to be replaced?  An error number, or 0. */
static int rename_obstacle(uint32_t node, uint32_t name, uint32_t there) {
  bool directory = S_ISDIR(node_mode(node));
  if (there && S_ISDIR(node_mode(there)))
    return !directory ? EISDIR : name_next(name, 0) ? ENOTEMPTY : 0;
  return there && directory ? ENOTDIR : 0;
}

static int change_name(struct two_names names) {
  uint32_t node = names.to ? existing(names.from) : 0;
  if (!node || !may_change(names.from) || !may_change(names.to))
    return -1;
  uint32_t there = name_node(names.to);
  if (there == node)
    return 0;
  int error = rename_obstacle(node, names.to, there);
  if (error)
    return file_error(error);
  if (S_ISDIR(node_mode(node)) && name_next(names.from, 0))
    refuse("rename of a directory that is not empty is not supported: %s",
           name_path(names.from));
  name_bind(names.from, 0);
  name_bind(names.to, node);
  if (there)
    node_link(there, -1);
  return 0;
}

INTERPOSED int rename(const char *from, const char *to) {
  return change_name(begin_names(AT_FDCWD, from, AT_FDCWD, to, CALLER));
}

INTERPOSED int renameat(int from_directory, const char *from, int to_directory,
                        const char *to) {
  return change_name(
      begin_names(from_directory, from, to_directory, to, CALLER));
}

/* ---- making -------------------------------------------------------------- */

static int make_directory(uint32_t name, mode_t mode) {
  if (name && name_node(name))
    return file_error(EEXIST);
  if (!name)
    return -1;
  return file_create(name, S_IFDIR | (mode & 01777 & ~file_mask())) ? 0 : -1;
}

INTERPOSED int mkdir(const char *path, mode_t mode) {
  return make_directory(begin_name(AT_FDCWD, path, false, CALLER), mode);
}

INTERPOSED int mkdirat(int directory, const char *path, mode_t mode) {
  return make_directory(begin_name(directory, path, false, CALLER), mode);
}

static int make_link(struct two_names names) {
  uint32_t node = names.to ? existing(names.from) : 0;
  if (!node)
    return -1;
  if (S_ISDIR(node_mode(node)))
    return file_error(EPERM);
  if (name_node(names.to))
    return file_error(EEXIST);
  if (!may_change(names.to))
    return -1;
  name_bind(names.to, node);
  node_link(node, 1);
  return 0;
}

INTERPOSED int link(const char *from, const char *to) {
  return make_link(begin_names(AT_FDCWD, from, AT_FDCWD, to, CALLER));
}

INTERPOSED int linkat(int from_directory, const char *from, int to_directory,
                      const char *to, int flags) {
  if (flags)
    refuse("linkat with flags is not supported: use link");
  return make_link(begin_names(from_directory, from, to_directory, to, CALLER));
}

INTERPOSED int symlink(const char *target, const char *path) {
  struct libcall e;
  file_begin(&e, CALLER);
  libcall_string(&e, target, SIZE_MAX);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  if (!file_path(&e, target))
    return -1;
  if (!*target)
    return file_error(ENOENT);
  uint32_t name = name_of_call(&e, AT_FDCWD, path, false);
  if (name && name_node(name))
    return file_error(EEXIST);
  uint32_t node = name ? file_create(name, S_IFLNK | 0777) : 0;
  if (!node)
    return -1;
  size_t length = strlen(target);
  memcpy(node_room(node, 0, length), target, length);
  return 0;
}

INTERPOSED ssize_t readlink(const char *path, char *to, size_t size) {
  struct libcall e;
  file_begin(&e, CALLER);
  libcall_string(&e, path, SIZE_MAX);
  if (size)
    libcall_begin_write(&e, to);
  file_announce(&e);
  uint32_t name = name_of_call(&e, AT_FDCWD, path, false);
  uint32_t node = existing(name);
  if (!node)
    return -1;
  if (!size || !S_ISLNK(node_mode(node)))
    return file_error(EINVAL);
  size_t length = node_size(node);
  if (length > size)
    length = size;
  touches(&e, to, length);
  memcpy(to, node_bytes(node, 0, length), length);
  return (ssize_t)length;
}

/* ---- asking -------------------------------------------------------------- */

static int may_access(uint32_t name, int how) {
  uint32_t node = existing(name);
  if (!node)
    return -1;
  return node_permits(node, how) ? 0 : file_error(EACCES);
}

INTERPOSED int access(const char *path, int how) {
  return may_access(begin_name(AT_FDCWD, path, true, CALLER), how);
}

INTERPOSED int euidaccess(const char *path, int how) {
  return may_access(begin_name(AT_FDCWD, path, true, CALLER), how);
}

INTERPOSED int faccessat(int directory, const char *path, int how, int flags) {
  bool follow = !(flags & AT_SYMLINK_NOFOLLOW);
  return may_access(begin_name(directory, path, follow, CALLER), how);
}

int stat_name(int directory, const char *path, struct stat *to, bool follow,
              uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_write(&e, to, sizeof *to);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  uint32_t node = existing(name_of_call(&e, directory, path, follow));
  if (!node)
    return -1;
  node_stat(node, to);
  return 0;
}

/* The standard output looks like a pipe. */
static void stat_output(struct stat *to) {
  *to = (struct stat){.st_mode = S_IFIFO | 0600,
                      .st_nlink = 1,
                      .st_blksize = 4096,
                      .st_uid = 1000,
                      .st_gid = 1000};
}

static int stat_descriptor(int descriptor, struct stat *to, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_write(&e, to, sizeof *to);
  file_announce(&e);
  const struct description *d = description_of(descriptor);
  if (!d)
    return -1;
  if (d->node)
    node_stat(d->node, to);
  else
    stat_output(to);
  return 0;
}

/* struct stat64 is struct stat. */
#define STAT(name, type, follow)                                         \
  INTERPOSED int name(const char *path, struct type *to) {               \
    return stat_name(AT_FDCWD, path, (struct stat *)to, follow, CALLER); \
  }
STAT(stat, stat, true)
STAT(stat64, stat64, true)
STAT(lstat, stat, false)
STAT(lstat64, stat64, false)

#define FSTAT(name, type)                                          \
  INTERPOSED int name(int descriptor, struct type *to) {           \
    return stat_descriptor(descriptor, (struct stat *)to, CALLER); \
  }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

static int stat_at(int directory, const char *path, struct stat *to, int flags,
                   uint64_t pc) {
  if ((flags & AT_EMPTY_PATH) && is_constant(path) && !*path)
    return stat_descriptor(directory, to, pc);
  return stat_name(directory, path, to, !(flags & AT_SYMLINK_NOFOLLOW), pc);
}

#define FSTATAT(name, type)                                             \
  INTERPOSED int name(int directory, const char *path, struct type *to, \
                      int flags) {                                      \
    return stat_at(directory, path, (struct stat *)to, flags, CALLER);  \
  }
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

/* All that is asked for is there but the time of creation. */
INTERPOSED int statx(int directory, const char *path, int flags, unsigned mask,
                     struct statx *to) {
  struct stat s = {0};
  struct statx result = {.stx_mask = STATX_BASIC_STATS & (mask | STATX_TYPE)};
  if (stat_at(directory, path, &s, flags, CALLER))
    return -1;
  result.stx_blksize = (uint32_t)s.st_blksize;
  result.stx_nlink = (uint32_t)s.st_nlink;
  result.stx_uid = s.st_uid;
  result.stx_gid = s.st_gid;
  result.stx_mode = (uint16_t)s.st_mode;
  result.stx_ino = s.st_ino;
  result.stx_size = (uint64_t)s.st_size;
  result.stx_blocks = (uint64_t)s.st_blocks;
  result.stx_mtime.tv_sec = s.st_mtim.tv_sec;
  result.stx_mtime.tv_nsec = (uint32_t)s.st_mtim.tv_nsec;
  result.stx_atime = result.stx_ctime = result.stx_mtime;
  PUT(*to, result);
  return 0;
}

/* What programs compiled with older headers call. */
#define XSTAT(name, type, follow)                                        \
  INTERPOSED int name(int, const char *, struct type *);                 \
  INTERPOSED int name(int version, const char *path, struct type *to) {  \
    (void)version;                                                       \
    return stat_name(AT_FDCWD, path, (struct stat *)to, follow, CALLER); \
  }
XSTAT(__xstat, stat, true)
XSTAT(__xstat64, stat64, true)
XSTAT(__lxstat, stat, false)
XSTAT(__lxstat64, stat64, false)

#define FXSTAT(name, type)                                            \
  INTERPOSED int name(int, int, struct type *);                       \
  INTERPOSED int name(int version, int descriptor, struct type *to) { \
    (void)version;                                                    \
    return stat_descriptor(descriptor, (struct stat *)to, CALLER);    \
  }
FXSTAT(__fxstat, stat)
FXSTAT(__fxstat64, stat64)

/* ---- modes and sizes ----------------------------------------------------- */

static int change_mode(uint32_t node, mode_t mode) {
  if (!node)
    return -1;
  node_set_mode(node, (node_mode(node) & S_IFMT) | (mode & 07777));
  return 0;
}

INTERPOSED int chmod(const char *path, mode_t mode) {
  return change_mode(existing(begin_name(AT_FDCWD, path, true, CALLER)), mode);
}

INTERPOSED int fchmod(int descriptor, mode_t mode) {
  struct libcall e;
  file_begin(&e, CALLER);
  file_announce(&e);
  const struct description *d = description_of(descriptor);
  if (!d)
    return -1;
  return d->node ? change_mode(d->node, mode) : file_error(EINVAL);
}

INTERPOSED mode_t umask(mode_t mask) {
  struct libcall e;
  file_begin(&e, CALLER);
  file_announce(&e);
  mode_t before = file_mask();
  file_set_mask(mask & 0777);
  return before;
}

#define TRUNCATE(name)                                                  \
  INTERPOSED int name(const char *path, off_t size) {                   \
    uint32_t node = existing(begin_name(AT_FDCWD, path, true, CALLER)); \
    if (!node)                                                          \
      return -1;                                                        \
    if (size < 0)                                                       \
      return file_error(EINVAL);                                        \
    if (S_ISDIR(node_mode(node)))                                       \
      return file_error(EISDIR);                                        \
    if (!node_permits(node, W_OK))                                      \
      return file_error(EACCES);                                        \
    node_resize(node, (uint64_t)size);                                  \
    return 0;                                                           \
  }
TRUNCATE(truncate)
TRUNCATE(truncate64)

/* ---- the working directory ----------------------------------------------- */

INTERPOSED int chdir(const char *path) {
  uint32_t name = begin_name(AT_FDCWD, path, true, CALLER);
  uint32_t node = existing(name);
  if (!node)
    return -1;
  if (!S_ISDIR(node_mode(node)))
    return file_error(ENOTDIR);
  name_set_working(name);
  return 0;
}

static char *path_to(const struct libcall *e, const char *path, char *to,
                     uint64_t pc) {
  size_t size = strlen(path) + 1;
  if (to) {
    touches(e, to, size);
    memcpy(to, path, size);
    return to;
  }
  char *block = heap_allocate(size, 16, pc);
  undo_note(block, size);
  memcpy(block, path, size);
  return heap_written(block, size, pc);
}

static char *working_directory(char *to, size_t size, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  if (to && size)
    libcall_begin_write(&e, to);
  file_announce(&e);
  const char *path = name_path(name_working());
  if (to && !size) {
    error_set(EINVAL);
    return NULL;
  }
  if (size && strlen(path) >= size) {
    error_set(ERANGE);
    return NULL;
  }
  return path_to(&e, path, to, pc);
}

INTERPOSED char *getcwd(char *to, size_t size) {
  return working_directory(to, size, CALLER);
}

INTERPOSED char *get_current_dir_name(void) {
  return working_directory(NULL, 0, CALLER);
}

INTERPOSED char *__getcwd_chk(char *, size_t, size_t);
INTERPOSED char *__getcwd_chk(char *to, size_t size, size_t room) {
  if (size > room)
    fail(FINDING_MEMORY, CALLER,
         "out of bounds: getcwd of up to %zu bytes to an object of %zu bytes",
         size, room);
  return working_directory(to, size, CALLER);
}

static char *real_path(const char *path, char *to, uint64_t pc) {
  struct libcall e;
  if (!path) {
    error_set(EINVAL);
    return NULL;
  }
  file_begin(&e, pc);
  libcall_string(&e, path, SIZE_MAX);
  if (to)
    libcall_begin_write(&e, to);
  file_announce(&e);
  uint32_t name = name_of_call(&e, AT_FDCWD, path, true);
  return existing(name) ? path_to(&e, name_path(name), to, pc) : NULL;
}

INTERPOSED char *realpath(const char *path, char *to) {
  return real_path(path, to, CALLER);
}

INTERPOSED char *canonicalize_file_name(const char *path) {
  return real_path(path, NULL, CALLER);
}

INTERPOSED char *__realpath_chk(const char *, char *, size_t);
INTERPOSED char *__realpath_chk(const char *path, char *to, size_t room) {
  (void)room;
  return real_path(path, to, CALLER);
}

/* ---- temporary files ----------------------------------------------------- */

/* The letters stand for the number of the attempt. */
static void fill_in(char *letters, unsigned attempt) {
  for (int i = 5; i >= 0; i--, attempt /= 26)
    letters[i] = (char)('a' + attempt % 26);
}

/* The six letters before the suffix; NULL with errno set. */
static char *letters_of(const struct libcall *e, char *pattern, size_t suffix) {
  if (!file_path(e, pattern))
    return NULL;
  size_t length = strlen(pattern);
  char *letters = pattern + length - suffix - 6;
  if (length < suffix + 6 || memcmp(letters, "XXXXXX", 6) != 0) {
    error_set(EINVAL);
    return NULL;
  }
  touches(e, letters, 6);
  return letters;
}

static void begin_pattern(struct libcall *e, char *pattern, uint64_t pc) {
  file_begin(e, pc);
  libcall_string(e, pattern, SIZE_MAX);
  libcall_begin_write(e, pattern);
  file_announce(e);
}

static int make_temporary(char *pattern, size_t suffix, int flags,
                          uint64_t pc) {
  struct libcall e;
  begin_pattern(&e, pattern, pc);
  char *letters = letters_of(&e, pattern, suffix);
  for (unsigned attempt = 0; letters; attempt++) {
    fill_in(letters, attempt);
    struct description *d = description_open(
        name_working(), pattern, O_RDWR | O_CREAT | O_EXCL | flags, 0600, pc);
    if (d)
      return descriptor_give(d, 0, flags & O_CLOEXEC);
    if (file_error_now() != EEXIST)
      return -1;
  }
  return -1;
}

INTERPOSED char *mkdtemp(char *pattern) {
  struct libcall e;
  begin_pattern(&e, pattern, CALLER);
  char *letters = letters_of(&e, pattern, 0);
  for (unsigned attempt = 0; letters; attempt++) {
    fill_in(letters, attempt);
    uint32_t name = name_of_call(&e, AT_FDCWD, pattern, false);
    if (!name)
      return NULL;
    if (!name_node(name))
      return file_create(name, S_IFDIR | 0700) ? pattern : NULL;
  }
  return NULL;
}

#define MKSTEMP(name)                             \
  INTERPOSED int name(char *pattern) {            \
    return make_temporary(pattern, 0, 0, CALLER); \
  }
MKSTEMP(mkstemp)
MKSTEMP(mkstemp64)

#define MKOSTEMP(name)                                \
  INTERPOSED int name(char *pattern, int flags) {     \
    return make_temporary(pattern, 0, flags, CALLER); \
  }
MKOSTEMP(mkostemp)
MKOSTEMP(mkostemp64)

INTERPOSED int mkstemps(char *pattern, int suffix) {
  return make_temporary(pattern, (size_t)suffix, 0, CALLER);
}

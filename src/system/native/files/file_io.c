/* Opening, reading and writing, as part of a step. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "util/rng.h"

/* prog: bits that new files do not get; 0: the usual ones. */
PROG static uint32_t mask_and_one;

mode_t file_mask(void) {
  file_reads(&mask_and_one, sizeof mask_and_one);
  return mask_and_one ? mask_and_one - 1 : 022;
}

void file_set_mask(mode_t mask) {
  FILE_SET(mask_and_one, mask + 1);
}

/* ---- opening ------------------------------------------------------------- */

static void *no_description(int error) {
  error_set(error);
  return NULL;
}

/* Names for what the program began with. */
static struct description *open_standard(const char *path, int flags,
                                         uint64_t pc) {
  static const char *const all[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(path, all[i]) != 0)
      continue;
    const struct description *from = description_standard(i);
    struct description *d =
        description_new((enum description_kind)from->kind, (uint32_t)flags, pc);
    d->node = from->node;
    d->number = from->number;
    return d;
  }
  return NULL;
}

static struct description *open_device(uint32_t name, int flags, uint64_t pc) {
  static const struct {
    const char *path;
    enum description_kind kind;
  } all[] = {{"/dev/null", DESCRIPTION_NULL},
             {"/dev/zero", DESCRIPTION_ZERO},
             {"/dev/random", DESCRIPTION_RANDOM},
             {"/dev/urandom", DESCRIPTION_RANDOM}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(name_path(name), all[i].path))
      return description_new(all[i].kind, (uint32_t)flags, pc);
  refuse("open of %s: devices, sockets and FIFOs of the disk are not supported",
         name_path(name));
}

static int ways(int flags) {
  int how = flags & O_ACCMODE;
  return (how != O_WRONLY ? R_OK : 0) | (how != O_RDONLY ? W_OK : 0);
}

/* An error number, or 0. */
static int obstacle(uint32_t node, int flags) {
  mode_t mode = node_mode(node);
  if ((flags & O_CREAT) && (flags & O_EXCL))
    return EEXIST;
  if (S_ISLNK(mode))
    return ELOOP; /* O_NOFOLLOW */
  if (S_ISDIR(mode) && ((ways(flags) & W_OK) || (flags & O_CREAT)))
    return EISDIR;
  if ((flags & O_DIRECTORY) && !S_ISDIR(mode))
    return ENOTDIR;
  return node_permits(node, ways(flags)) ? 0 : EACCES;
}

static struct description *open_node(uint32_t name, uint32_t node, int flags,
                                     uint64_t pc) {
  int error = obstacle(node, flags);
  if (error)
    return no_description(error);
  mode_t mode = node_mode(node);
  struct description *d;
  if (!S_ISREG(mode) && !S_ISDIR(mode)) {
    d = open_device(name, flags, pc);
  } else {
    d = description_new(DESCRIPTION_FILE, (uint32_t)flags, pc);
    if ((flags & O_TRUNC) && S_ISREG(mode))
      node_resize(node, 0);
  }
  d->node = node;
  d->name = name;
  return d;
}

uint32_t file_create(uint32_t name, mode_t mode) {
  uint32_t parent = name_node(name_parent(name));
  if (!node_permits(parent, W_OK)) {
    error_set(EACCES);
    return 0;
  }
  uint32_t node = node_create(mode);
  name_bind(name, node);
  return node;
}

struct description *description_open(uint32_t directory, const char *path,
                                     int flags, mode_t mode, uint64_t pc) {
  bool follow = !(flags & O_NOFOLLOW) && (~flags & (O_CREAT | O_EXCL));
  struct description *d = open_standard(path, flags, pc);
  if (d)
    return d;
  if ((flags & O_TMPFILE) == O_TMPFILE)
    refuse("open with O_TMPFILE is not supported");
  uint32_t name = name_resolve_at(directory, path, follow);
  uint32_t node = name ? name_node(name) : 0;
  if (node)
    return open_node(name, node, flags, pc);
  if (!name || !(flags & O_CREAT))
    return name ? no_description(ENOENT) : NULL;
  node = file_create(name, S_IFREG | (mode & 07777 & ~file_mask()));
  if (!node)
    return NULL;
  d = description_new(DESCRIPTION_FILE, (uint32_t)flags, pc);
  d->node = node;
  d->name = name;
  return d;
}

/* ---- reading ------------------------------------------------------------- */

static uint64_t place(struct description *d, off_t from) {
  if (from != FILE_HERE)
    return (uint64_t)from;
  file_reads(&d->offset, sizeof d->offset);
  return d->offset;
}

/* A place that stays as it is was looked at: where another thread moves it
 * first, it is moved back. */
static void move_on(struct description *d, off_t from, uint64_t to) {
  if (from == FILE_HERE && place(d, from) != to)
    FILE_SET(d->offset, to);
}

static bool may(const struct description *d, int how) {
  return ways((int)d->flags) & how && !(d->flags & O_PATH);
}

static ssize_t read_file(struct description *d, char *to, size_t size,
                         off_t from) {
  if (S_ISDIR(node_mode(d->node)))
    return file_error(EISDIR);
  uint64_t at = place(d, from), end = node_size(d->node);
  uint64_t rest = at < end ? end - at : 0;
  if (size > rest)
    size = rest;
  memcpy(to, node_bytes(d->node, at, size), size);
  if (size && from == FILE_HERE)
    step_reads_on();
  move_on(d, from, at + size);
  return (ssize_t)size;
}

static ssize_t read_random(struct description *d, char *to, size_t size,
                           off_t from) {
  uint64_t at = place(d, from);
  for (size_t i = 0; i < size; i++)
    to[i] = (char)rng_mix(at + i + 1);
  move_on(d, from, at + size);
  return (ssize_t)size;
}

ssize_t description_read(struct description *d, char *to, size_t size,
                         off_t from) {
  if (d->kind == DESCRIPTION_CHANNEL)
    refuse("a standard stream on a pipe or socket is not supported: use read, "
           "or fdopen");
  if (!may(d, R_OK))
    return file_error(EBADF);
  switch (d->kind) {
  case DESCRIPTION_FILE:
    return read_file(d, to, size, from);
  case DESCRIPTION_ZERO:
    memset(to, 0, size);
    return (ssize_t)size;
  case DESCRIPTION_RANDOM:
    return read_random(d, to, size, from);
  default:
    return 0;
  }
}

/* ---- writing ------------------------------------------------------------- */

static ssize_t write_file(struct description *d, const char *bytes, size_t size,
                          off_t from) {
  file_reads(&d->flags, sizeof d->flags);
  bool append = d->flags & O_APPEND; /* as in Linux, pwrite appends, too */
  uint64_t at = append ? node_size(d->node) : place(d, from);
  if (size)
    memcpy(node_room(d->node, at, size), bytes, size);
  move_on(d, from, at + size);
  return (ssize_t)size;
}

ssize_t description_write(struct description *d, const char *bytes, size_t size,
                          off_t from) {
  if (d->kind == DESCRIPTION_CHANNEL)
    refuse("a standard stream on a pipe or socket is not supported: use write, "
           "or fdopen");
  if (!may(d, W_OK))
    return file_error(EBADF);
  return d->kind == DESCRIPTION_FILE ? write_file(d, bytes, size, from)
                                     : (ssize_t)size;
}

/* ---- the place ----------------------------------------------------------- */

off_t description_seek(struct description *d, off_t offset, int whence) {
  off_t base = 0;
  if (d->kind == DESCRIPTION_OUTPUT || d->kind == DESCRIPTION_CHANNEL ||
      d->kind == DESCRIPTION_SIGNALS)
    return file_error(ESPIPE);
  if (d->kind != DESCRIPTION_FILE)
    return 0;
  if (whence == SEEK_CUR)
    base = (off_t)place(d, FILE_HERE);
  else if (whence == SEEK_END)
    base = (off_t)node_size(d->node);
  else if (whence != SEEK_SET)
    return file_error(EINVAL);
  if (base + offset < 0)
    return file_error(EINVAL);
  move_on(d, FILE_HERE, (uint64_t)(base + offset));
  return base + offset;
}

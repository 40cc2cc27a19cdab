/* Paths: where names lead.
 *
 * A name is interned at its first mention and keeps its number.  The node that
 * it leads to on the disk is found then; `bound` tells where it leads in this
 * execution.
 */
#define _GNU_SOURCE
#include "files.h"
#include "system/native/engine/learnt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/ensure.h"

enum { ROOT = 1, SLOTS = 2 * FILE_NAMES, MOST_LINKS = 40 };

/* keep */
struct name {
  char *path;
  const char *last; /* in path: its last part */
  uint32_t parent;
  uint32_t on_disk; /* node, or 0 */
  bool listed;      /* its entries on the disk are names, too */
};

static struct name names[FILE_NAMES];
static uint32_t count = ROOT;
static uint32_t slots[SLOTS]; /* a hash table of names */

/* prog: AS_ON_DISK, NOTHING, or the node + NODES. */
enum { AS_ON_DISK, NOTHING, NODES };
PROG static uint32_t bound[FILE_NAMES];

/* prog: 0: as when the program began. */
PROG static uint32_t working;

/* ---- interning ----------------------------------------------------------- */

static uint32_t *slot_of(const char *path) {
  uint32_t hash = 2166136261u;
  for (const char *c = path; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  uint32_t i = hash % SLOTS;
  while (slots[i] && strcmp(names[slots[i]].path, path) != 0)
    i = (i + 1) % SLOTS;
  return &slots[i];
}

static bool is_directory_on_disk(uint32_t name) {
  return names[name].on_disk && node_was_directory(names[name].on_disk);
}

static uint32_t add_name(uint32_t parent, const char *path) {
  if (count == FILE_NAMES)
    refuse("the program mentions more than %d paths: %s", FILE_NAMES, path);
  struct name *n = &names[count];
  n->path = malloc(strlen(path) + 1);
  ensure(n->path); /* out of memory */
  strcpy(n->path, path);
  n->last = strrchr(n->path, '/') + 1;
  n->parent = parent;
  if (!parent || is_directory_on_disk(parent))
    n->on_disk = node_on_disk(path);
  *slot_of(path) = count;
  engine_learns();
  return count++;
}

static uint32_t root(void) {
  if (count == ROOT) {
    add_name(0, "/");
    names[ROOT].parent = ROOT;
  }
  return ROOT;
}

/* The name of an entry in a directory; 0 with errno set. */
static uint32_t entry(uint32_t directory, const char *part, size_t length) {
  static char path[2 * PATH_MAX]; /* keep: scratch */
  const char *before = directory == ROOT ? "" : names[directory].path;
  size_t used = strlen(before);
  if (length > NAME_MAX || used + length + 2 > PATH_MAX) {
    error_set(ENAMETOOLONG);
    return 0;
  }
  memcpy(path, before, used);
  path[used] = '/';
  memcpy(path + used + 1, part, length);
  path[used + 1 + length] = 0;
  uint32_t known = *slot_of(path);
  return known ? known : add_name(directory, path);
}

/* ---- one name ------------------------------------------------------------ */

uint32_t name_node(uint32_t name) {
  file_reads(&bound[name], sizeof *bound);
  uint32_t now = bound[name];
  return now == AS_ON_DISK ? names[name].on_disk
         : now == NOTHING  ? 0
                           : now - NODES;
}

void name_bind(uint32_t name, uint32_t node) {
  FILE_SET(bound[name], node ? node + NODES : NOTHING);
}

uint32_t name_parent(uint32_t name) {
  return names[name].parent;
}

const char *name_path(uint32_t name) {
  return names[name].path;
}

const char *name_last(uint32_t name) {
  return names[name].last;
}

/* ---- paths --------------------------------------------------------------- */

/* keep: the rest of the path at hand.  The target of a link is put before it.
 */
static struct {
  char text[2 * PATH_MAX];
  const char *at;
  unsigned links; /* followed so far */
} rest;

static bool start(const char *path) {
  if (!*path) {
    error_set(ENOENT);
    return false;
  }
  strcpy(rest.text, path);
  rest.at = rest.text;
  rest.links = 0;
  return true;
}

static bool go_through(uint32_t link) {
  char *behind = rest.text + sizeof rest.text / 2;
  uint64_t length = node_size(link);
  if (++rest.links > MOST_LINKS) {
    error_set(ELOOP);
    return false;
  }
  if (strlen(rest.at) + length + 2 > sizeof rest.text / 2) {
    error_set(ENAMETOOLONG);
    return false;
  }
  memmove(behind, rest.at, strlen(rest.at) + 1);
  memcpy(rest.text, node_bytes(link, 0, length), length);
  rest.text[length] = '/';
  memmove(rest.text + length + (*behind ? 1 : 0), behind, strlen(behind) + 1);
  rest.at = rest.text;
  return true;
}

static size_t part_length(void) {
  size_t length = 0;
  while (*rest.at == '/')
    rest.at++;
  while (rest.at[length] && rest.at[length] != '/')
    length++;
  return length;
}

/* May the search go on below this name? */
static bool is_directory(uint32_t name) {
  uint32_t node = name_node(name);
  if (node && S_ISDIR(node_mode(node)) && node_permits(node, X_OK))
    return true;
  error_set(!node ? ENOENT : S_ISDIR(node_mode(node)) ? EACCES : ENOTDIR);
  return false;
}

/* One part further; 0 with errno set. */
static uint32_t next_name(uint32_t at, size_t length, bool follow) {
  const char *part = rest.at;
  rest.at += length;
  if (length == 1 && part[0] == '.')
    return at;
  if (length == 2 && part[0] == '.' && part[1] == '.')
    return names[at].parent;
  uint32_t name = entry(at, part, length);
  if (!name || (!follow && !*rest.at))
    return name;
  uint32_t node = name_node(name);
  if (!node || !S_ISLNK(node_mode(node)))
    return name;
  if (!go_through(node))
    return 0;
  return rest.text[0] == '/' ? root() : at;
}

/* A slash at the end asks for a directory. */
static uint32_t ended(uint32_t name, bool slash) {
  uint32_t node = slash ? name_node(name) : 0;
  if (!node || S_ISDIR(node_mode(node)))
    return name;
  error_set(ENOTDIR);
  return 0;
}

uint32_t name_resolve_at(uint32_t directory, const char *path, bool follow) {
  root();
  if (!start(path))
    return 0;
  uint32_t at = *path == '/' ? ROOT : directory;
  bool slash = false;
  for (size_t length; (length = part_length());) {
    if (!is_directory(at))
      return 0;
    at = next_name(at, length, follow);
    if (!at)
      return 0;
    slash = *rest.at == '/';
  }
  return ended(at, slash);
}

uint32_t name_resolve(const char *path, bool follow) {
  return name_resolve_at(*path == '/' ? root() : name_working(), path, follow);
}

/* ---- the working directory ----------------------------------------------- */

static uint32_t first_working(void) {
  static uint32_t known; /* keep */
  static char path[PATH_MAX];
  if (known)
    return known;
  if (syscall(SYS_getcwd, path, sizeof path) < 0)
    refuse("the working directory does not exist");
  uint32_t at = root();
  const char *part = path + 1;
  for (size_t length; *part; part += length + (part[length] == '/')) {
    for (length = 0; part[length] && part[length] != '/';)
      length++;
    at = entry(at, part, length);
    ensure(at);
  }
  return known = at;
}

uint32_t name_working(void) {
  file_reads(&working, sizeof working);
  return working ? working : first_working();
}

void name_set_working(uint32_t name) {
  FILE_SET(working, name);
}

/* ---- directories --------------------------------------------------------- */

static void add_entries(uint32_t directory, const char *at, long size) {
  for (long done = 0; done < size;) {
    const struct dirent64 *d = (const void *)(at + done);
    done += d->d_reclen;
    if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
      entry(directory, d->d_name, strlen(d->d_name));
  }
}

static void list(uint32_t directory) {
  static char buffer[32768]; /* keep: scratch */
  if (names[directory].listed || !is_directory_on_disk(directory))
    return;
  names[directory].listed = true;
  int file = open(names[directory].path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0)
    return;
  for (long size;
       (size = syscall(SYS_getdents64, file, buffer, sizeof buffer)) > 0;)
    add_entries(directory, buffer, size);
  close(file);
}

/* The order of interning could differ between executions.  So entries come in
 * alphabetical order. */
static bool is_between(uint32_t after, uint32_t name, uint32_t before) {
  return (!after || strcmp(names[name].path, names[after].path) > 0) &&
         (!before || strcmp(names[name].path, names[before].path) < 0);
}

uint32_t name_next(uint32_t directory, uint32_t after) {
  uint32_t found = 0;
  list(directory);
  file_reads(bound, sizeof bound);
  for (uint32_t i = ROOT + 1; i < count; i++)
    if (names[i].parent == directory && is_between(after, i, found) &&
        name_node(i))
      found = i;
  return found;
}

/* ---- what was learnt ----------------------------------------------------- */

void paths_learnt(struct packed *p) {
  uint32_t known = count;
  PACKED(p, known);
  for (uint32_t i = ROOT; i < known && !p->bad; i++) {
    uint32_t parent = p->to ? names[i].parent : 0;
    const char *path = p->to ? names[i].path : "";
    size_t size = strlen(path) + 1;
    PACKED(p, parent);
    packed_part(p, &path, &size);
    if (p->to || p->bad)
      continue;
    if (i == ROOT)
      root();
    else if (i == count && parent < i)
      add_name(parent, path);
    p->bad |= i >= count || strcmp(names[i].path, path) != 0;
  }
}

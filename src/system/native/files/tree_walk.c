/* ftw and nftw: all files below a directory, in alphabetical order.  Each
 * directory is read in one step, a file's attributes in another one.  The paths
 * and attributes that the program's function is given lie in its own heap.
 * Between steps the walk keeps what it needs on the stack, and reads its blocks
 * of the heap as the program would. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "system/native/hooks/hooks.h"
#include "system/native/libc/heap.h"

typedef int visit_short(const char *, const struct stat *, int);
typedef int visit_long(const char *, const struct stat *, int, struct FTW *);

/* prog: on the stack of the thread. */
struct tree_walk {
  visit_short *brief; /* of ftw, or NULL */
  visit_long *full;   /* of nftw */
  int flags;
  uint64_t pc;
};

/* prog: a directory that the walk has seen, in a block of the heap. */
struct walked {
  struct walked *before;
  ino_t number;
};

/* prog: a file on the way, on the stack of the thread. */
struct walk_place {
  const char *path;
  int level;
  int base; /* where its name begins */
};

/* prog: what the program's function is given. */
struct visited {
  struct stat attributes;
  struct FTW place;
  char path[];
};

static int call(const struct tree_walk *w, struct visited *v, int kind) {
  return w->brief ? w->brief(v->path, &v->attributes, kind)
                  : w->full(v->path, &v->attributes, kind, &v->place);
}

static struct visited *new_visited(const struct walk_place *at, uint64_t pc) {
  size_t size = sizeof(struct visited) + strlen(at->path) + 1;
  struct visited *v = heap_allocate(size, 16, pc);
  undo_note(v, size);
  memset(v, 0, size);
  v->place = (struct FTW){.base = at->base, .level = at->level};
  strcpy(v->path, at->path);
  heap_written(v, size, pc);
  return v;
}

/* As ftw() tells it: ftw follows links, and so does nftw without FTW_PHYS. */
static int kind_of(const struct tree_walk *w, const char *path,
                   struct stat *attributes) {
  bool follow = !(w->flags & FTW_PHYS);
  if (!stat_name(AT_FDCWD, path, attributes, follow, w->pc))
    return S_ISDIR(attributes->st_mode)   ? FTW_D
           : S_ISLNK(attributes->st_mode) ? FTW_SL
                                          : FTW_F;
  if (follow && !stat_name(AT_FDCWD, path, attributes, false, w->pc) &&
      S_ISLNK(attributes->st_mode))
    return w->full ? FTW_SLN : FTW_NS;
  return FTW_NS;
}

/* Enters it into the list; true if it is there already. */
static bool was_seen(struct walked **seen, ino_t number, uint64_t pc) {
  struct walked entry = {.before = *seen};
  while (entry.before) {
    entry = LOOK_AT(*entry.before, pc);
    if (entry.number == number)
      return true;
  }
  entry = (struct walked){*seen, number};
  *seen = heap_allocate(sizeof entry, 16, pc);
  PUT_AT(**seen, entry, pc);
  return false;
}

static void forget(struct walked *seen, uint64_t pc) {
  while (seen) {
    struct walked *before = LOOK_AT(seen->before, pc);
    heap_free(seen, "ftw", pc);
    seen = before;
  }
}

static int visit(const struct tree_walk *w, const struct walk_place *at,
                 struct walked **seen);

/* One that is below the directory. */
static int visit_entry(const struct tree_walk *w,
                       const struct walk_place *above, const char *name,
                       struct walked **seen) {
  size_t length = strlen(above->path);
  bool slash = length && above->path[length - 1] != '/';
  char path[length + strlen(name) + 2];
  strcpy(path, above->path);
  strcpy(path + length, slash ? "/" : "");
  strcpy(path + length + slash, name);
  struct walk_place at = {path, above->level + 1, (int)(length + slash)};
  return visit(w, &at, seen);
}

static int visit_entries(const struct tree_walk *w, const struct walk_place *at,
                         struct walked **seen) {
  struct dirent **list;
  int count = directory_scan(at->path, &list, w->pc), result = 0;
  for (int i = 0; i < count; i++) {
    struct dirent *entry = LOOK_AT(list[i], w->pc);
    struct dirent copy = LOOK_AT(*entry, w->pc);
    if (!result && heddle_real_strcmp(copy.d_name, ".") &&
        heddle_real_strcmp(copy.d_name, ".."))
      result = visit_entry(w, at, copy.d_name, seen);
    heap_free(entry, "ftw", w->pc);
  }
  if (count >= 0)
    heap_free(list, "ftw", w->pc);
  return result;
}

static int visit_directory(const struct tree_walk *w,
                           const struct walk_place *at, struct visited *v,
                           struct walked **seen) {
  ino_t number = v->attributes.st_ino; /* in the step that wrote it */
  if (!(w->flags & FTW_PHYS) && was_seen(seen, number, w->pc))
    return 0;
  int result = w->flags & FTW_DEPTH ? 0 : call(w, v, FTW_D);
  if (!result)
    result = visit_entries(w, at, seen);
  if (!result && w->flags & FTW_DEPTH)
    result = call(w, v, FTW_DP);
  return result;
}

static int visit(const struct tree_walk *w, const struct walk_place *at,
                 struct walked **seen) {
  struct visited *v = new_visited(at, w->pc);
  int kind = kind_of(w, at->path, &v->attributes), result;
  if (kind == FTW_NS && !at->level)
    result = -1; /* errno is set */
  else if (kind == FTW_D)
    result = visit_directory(w, at, v, seen);
  else
    result = call(w, v, kind);
  heap_free(v, "ftw", w->pc);
  return result;
}

static int walk(const char *path, struct tree_walk w) {
  struct libcall e;
  struct walked *seen = NULL;
  char root[PATH_MAX];
  if (w.flags & (FTW_CHDIR | FTW_ACTIONRETVAL))
    refuse("nftw with FTW_CHDIR or FTW_ACTIONRETVAL is not supported");
  file_begin(&e, w.pc);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  size_t length = string_length(path, sizeof root);
  touched(&e, path, length + 1);
  if (length == sizeof root) {
    error_set(ENAMETOOLONG);
    return -1;
  }
  memcpy(root, path, length + 1);
  while (length > 1 && root[length - 1] == '/') /* as in glibc */
    root[--length] = 0;
  const char *name = strrchr(root, '/');
  struct walk_place top = {root, 0, name ? (int)(name + 1 - root) : 0};
  int result = visit(&w, &top, &seen);
  forget(seen, w.pc);
  return result;
}

#define FTW(name)                                                        \
  int walk_##name(const char *, visit_short *, int) __asm__(#name);      \
  INTERPOSED int walk_##name(const char *path, visit_short *brief,       \
                             int descriptors) {                          \
    (void)descriptors;                                                   \
    return walk(path, (struct tree_walk){.brief = brief, .pc = CALLER}); \
  }
FTW(ftw)
FTW(ftw64)

#define NFTW(name)                                                             \
  int walk_##name(const char *, visit_long *, int, int) __asm__(#name);        \
  INTERPOSED int walk_##name(const char *path, visit_long *full,               \
                             int descriptors, int flags) {                     \
    (void)descriptors;                                                         \
    return walk(                                                               \
        path, (struct tree_walk){.full = full, .flags = flags, .pc = CALLER}); \
  }
NFTW(nftw)
NFTW(nftw64)

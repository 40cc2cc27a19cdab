/* ftw and nftw: all files below a directory, in alphabetical order.  Each
 * directory is read in one step, a file's attributes in another one.  The paths
 * and attributes that the program's function is given lie in its own heap. */
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

/* As ftw() tells it: ftw follows links, and so does nftw without FTW_PHYS. */
static int kind_of(const struct tree_walk *w, struct visited *v) {
  bool follow = !(w->flags & FTW_PHYS);
  if (!stat_name(AT_FDCWD, v->path, &v->attributes, follow, w->pc))
    return S_ISDIR(v->attributes.st_mode)   ? FTW_D
           : S_ISLNK(v->attributes.st_mode) ? FTW_SL
                                            : FTW_F;
  if (follow && !stat_name(AT_FDCWD, v->path, &v->attributes, false, w->pc) &&
      S_ISLNK(v->attributes.st_mode))
    return w->full ? FTW_SLN : FTW_NS;
  return FTW_NS;
}

static bool was_seen(const struct walked *list, ino_t number) {
  while (list && list->number != number)
    list = list->before;
  return list != NULL;
}

static int visit(const struct tree_walk *w, const char *above, const char *name,
                 int level, struct walked **seen);

static int visit_entries(const struct tree_walk *w, const struct visited *v,
                         struct walked **seen) {
  struct dirent **list;
  int count = directory_scan(v->path, &list, w->pc), result = 0;
  for (int i = 0; i < count; i++) {
    const char *name = list[i]->d_name;
    if (!result && heddle_real_strcmp(name, ".") &&
        heddle_real_strcmp(name, ".."))
      result = visit(w, v->path, name, v->place.level + 1, seen);
    heap_free(list[i], "ftw", w->pc);
  }
  if (count >= 0)
    heap_free(list, "ftw", w->pc);
  return result;
}

static int visit_directory(const struct tree_walk *w, struct visited *v,
                           struct walked **seen) {
  if (!(w->flags & FTW_PHYS) && was_seen(*seen, v->attributes.st_ino))
    return 0;
  struct walked *now = heap_allocate(sizeof *now, 16, w->pc);
  heap_own(now);
  undo_note(now, sizeof *now);
  *now = (struct walked){*seen, v->attributes.st_ino};
  *seen = now;
  int result = w->flags & FTW_DEPTH ? 0 : call(w, v, FTW_D);
  if (!result)
    result = visit_entries(w, v, seen);
  if (!result && w->flags & FTW_DEPTH)
    result = call(w, v, FTW_DP);
  return result;
}

static int visit(const struct tree_walk *w, const char *above, const char *name,
                 int level, struct walked **seen) {
  size_t before = strlen(above), length = before + strlen(name) + 2;
  bool slash = before && above[before - 1] != '/';
  struct visited *v = heap_allocate(sizeof *v + length, 16, w->pc);
  undo_note(v, sizeof *v + length);
  memset(v, 0, sizeof *v + length);
  strcpy(v->path, above);
  if (slash)
    strcat(v->path, "/");
  strcat(v->path, name);
  v->place.level = level;
  v->place.base = (int)(before + slash);
  if (!level && strrchr(v->path, '/'))
    v->place.base = (int)(strrchr(v->path, '/') + 1 - v->path);
  heap_written(v, sizeof *v + length, w->pc);
  int kind = kind_of(w, v), result;
  if (kind == FTW_NS && !level)
    result = -1; /* errno is set */
  else if (kind == FTW_D)
    result = visit_directory(w, v, seen);
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
  int result = visit(&w, "", root, 0, &seen);
  while (seen) {
    struct walked *before = seen->before;
    heap_release(seen, w.pc);
    seen = before;
  }
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

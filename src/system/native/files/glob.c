/* Lists of files: glob and scandir.  A call reads all directories in one step.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "system/native/hooks/hooks.h"
#include "system/native/libc/heap.h"
#include "util/text.h"
#include "util/vec.h"

/* keep: of the call at hand. */
static VEC(char *) paths;

static void paths_clear(void) {
  for (size_t i = 0; i < paths.size; i++)
    free(paths.at[i]);
  paths.size = 0;
}

static bool is_directory(uint32_t node) {
  return node && S_ISDIR(node_mode(node));
}

/* ---- glob ---------------------------------------------------------------- */

static bool has_magic(const char *s, size_t size, int flags) {
  for (size_t i = 0; i < size; i++)
    if (s[i] == '*' || s[i] == '?' || s[i] == '[' ||
        (s[i] == '\\' && !(flags & GLOB_NOESCAPE)))
      return true;
  return false;
}

static void add_path(const char *path, int flags) {
  uint32_t name = name_resolve(path, false), followed;
  if (!name || !name_node(name))
    return;
  followed = name_resolve(path, true);
  bool directory = followed && is_directory(name_node(followed));
  if ((flags & GLOB_ONLYDIR) && !directory)
    return;
  const char *end = (flags & GLOB_MARK) && directory ? "/" : "";
  VEC_PUSH(paths, text_format("%s%s", path, end));
}

static void expand(const char *path, const char *pattern, int flags);

/* The names of the directory that fit the first part of the pattern. */
static void expand_part(const char *path, const char *part, const char *rest,
                        int flags) {
  int how = FNM_PERIOD | (flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0);
  uint32_t directory = name_resolve(*path ? path : ".", true), entry = 0;
  if (!directory || !is_directory(name_node(directory)))
    return;
  while ((entry = name_next(directory, entry))) {
    char longer[PATH_MAX];
    if (REAL(fnmatch)(part, name_last(entry), how) ||
        heddle_real_snprintf(longer, sizeof longer, "%s%s%s", path,
                             name_last(entry), *rest ? "/" : "") >= PATH_MAX)
      continue;
    expand(longer, rest, flags);
  }
}

/* `path` is empty or ends with a slash, unless nothing is left of the pattern.
 */
static void expand(const char *path, const char *pattern, int flags) {
  char part[NAME_MAX + 1], longer[PATH_MAX];
  if (!*pattern) {
    add_path(path, flags);
    return;
  }
  size_t size = 0;
  while (pattern[size] && pattern[size] != '/')
    size++;
  const char *rest = pattern + size;
  while (*rest == '/')
    rest++;
  if (size > NAME_MAX)
    return;
  memcpy(part, pattern, size);
  part[size] = 0;
  if (has_magic(part, size, flags))
    expand_part(path, part, rest, flags);
  else if (heddle_real_snprintf(longer, sizeof longer, "%s%.*s", path,
                                (int)(rest - pattern), pattern) < PATH_MAX)
    expand(longer, rest, flags);
}

static int by_text(const void *a, const void *b) {
  return heddle_real_strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_paths(void) {
  for (size_t i = 1; i < paths.size; i++)
    for (size_t k = i; k && by_text(&paths.at[k - 1], &paths.at[k]) > 0; k--) {
      char *path = paths.at[k];
      paths.at[k] = paths.at[k - 1];
      paths.at[k - 1] = path;
    }
}

/* A block that the call hands to the program.  It is written within the call's
 * step: a step of its own would let another thread's call begin, which uses the
 * same scratch memory. */
static void *new_block(const struct libcall *e, size_t size) {
  void *block = heap_allocate(size, 16, e->op.pc);
  touches(e, block, size);
  return block;
}

static char *new_string(const struct libcall *e, const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(new_block(e, size), text, size);
}

/* The vector of the old paths, if they stay, and the new ones. */
static void hand_over(const struct libcall *e, glob_t *to, int flags) {
  size_t before = flags & GLOB_APPEND ? to->gl_pathc : 0;
  size_t offset = flags & GLOB_DOOFFS ? to->gl_offs : 0;
  size_t count = offset + before + paths.size + 1;
  char **all = new_block(e, count * sizeof *all);
  memset(all, 0, count * sizeof *all);
  if (before) {
    touched(e, to->gl_pathv + offset, before * sizeof *all);
    memcpy(all + offset, to->gl_pathv + offset, before * sizeof *all);
  }
  for (size_t i = 0; i < paths.size; i++)
    all[offset + before + i] = new_string(e, paths.at[i]);
  to->gl_pathc = before + paths.size;
  to->gl_pathv = all;
  to->gl_offs = offset;
  to->gl_flags = flags;
}

static void check_flags(const char *pattern, int flags) {
  if (flags & GLOB_ALTDIRFUNC)
    refuse("glob with GLOB_ALTDIRFUNC is not supported");
  if ((flags & (GLOB_TILDE | GLOB_TILDE_CHECK)) && *pattern == '~')
    refuse("glob of a user's directory (~) is not supported: use its path");
  if ((flags & GLOB_BRACE) && strchr(pattern, '{'))
    refuse("glob with braces is not supported: call it once for each");
}

static int find_paths(const char *pattern, int flags, glob_t *to, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_string(&e, pattern, SIZE_MAX);
  libcall_write(&e, to, sizeof *to);
  file_announce(&e);
  check_flags(pattern, flags);
  paths_clear();
  if (!file_path(&e, pattern))
    return GLOB_NOMATCH;
  size_t root = 0;
  while (pattern[root] == '/')
    root++;
  foreign_enter();
  expand(root ? "/" : "", pattern + root, flags);
  foreign_leave();
  sort_paths();
  bool magic = has_magic(pattern, strlen(pattern), flags);
  if (!paths.size && (flags & GLOB_NOCHECK || (flags & GLOB_NOMAGIC && !magic)))
    VEC_PUSH(paths, text_format("%s", pattern));
  if (!(flags & GLOB_APPEND))
    to->gl_pathc = 0, to->gl_pathv = NULL;
  if (!paths.size)
    return GLOB_NOMATCH;
  hand_over(&e, to, flags);
  return 0;
}

#define GLOB(name, free_name, type)                                    \
  int name(const char *, int, int (*)(const char *, int), type *);     \
  INTERPOSED int name(const char *pattern, int flags,                  \
                      int (*failed)(const char *, int), type *to) {    \
    (void)failed; /* a directory that cannot be read has no entries */ \
    return find_paths(pattern, flags, (glob_t *)(void *)to, CALLER);   \
  }                                                                    \
  void free_name(type *);                                              \
  INTERPOSED void free_name(type *of) {                                \
    free_paths((glob_t *)(void *)of, CALLER);                          \
  }

static void free_paths(glob_t *of, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SET, pc);
  libcall_write(&e, of, sizeof *of);
  libcall_announce(&e);
  char **all = of->gl_pathv;
  size_t from = of->gl_offs, count = of->gl_pathc;
  of->gl_pathv = NULL;
  of->gl_pathc = 0;
  for (size_t i = 0; all && i < count; i++)
    heap_free(LOOK_AT(all[from + i], pc), "globfree", pc);
  if (all)
    heap_free(all, "globfree", pc);
}

GLOB(glob, globfree, glob_t)
GLOB(glob64, globfree64, glob64_t)

/* ---- scandir ------------------------------------------------------------- */

static struct dirent *new_entry(const struct libcall *e, const char *name,
                                uint32_t node) {
  struct dirent *entry = new_block(e, sizeof *entry);
  struct stat s;
  memset(entry, 0, sizeof *entry);
  node_stat(node, &s);
  entry->d_ino = s.st_ino;
  entry->d_reclen = sizeof *entry;
  entry->d_type = (unsigned char)IFTODT(node_mode(node));
  strcpy(entry->d_name, name);
  return entry;
}

/* All entries, in a block of the heap for the runtime; NULL with errno set. */
static struct dirent **all_entries(const char *path, size_t *count,
                                   uint64_t pc) {
  struct libcall e;
  static VEC(struct dirent *) found; /* keep: scratch */
  file_begin(&e, pc);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  uint32_t directory = name_of_call(&e, -100, path, true), entry = 0;
  if (!directory || !is_directory(name_node(directory))) {
    if (directory)
      error_set(name_node(directory) ? ENOTDIR : ENOENT);
    return NULL;
  }
  found.size = 0;
  VEC_PUSH(found, new_entry(&e, ".", name_node(directory)));
  VEC_PUSH(found, new_entry(&e, "..", name_node(name_parent(directory))));
  while ((entry = name_next(directory, entry)))
    VEC_PUSH(found, new_entry(&e, name_last(entry), name_node(entry)));
  *count = found.size;
  size_t size = found.size * sizeof *found.at;
  struct dirent **list = heap_allocate(size, 16, pc);
  heap_own(list);
  undo_note(list, size);
  return memcpy(list, found.at, size);
}

typedef int filter(const struct dirent *);
typedef int compare(const struct dirent **, const struct dirent **);

/* Both functions are the program's: nothing of the runtime's may be kept in
 * their calls but on the stack. */
static int scan_directory(const char *path, struct dirent ***result,
                          filter *wanted, compare *order, uint64_t pc) {
  size_t count, left = 0;
  struct libcall e;
  struct dirent **list = all_entries(path, &count, pc);
  if (!list)
    return -1;
  for (size_t i = 0; i < count; i++) {
    struct dirent *entry = list[i];
    if (wanted && !wanted(entry)) {
      heap_free(entry, "scandir", pc);
      continue;
    }
    SET(list[left], entry);
    left++;
  }
  for (size_t i = 1; order && i < left; i++)
    for (size_t k = i; k; k--) {
      const struct dirent *a = list[k - 1], *b = list[k];
      if (order(&a, &b) <= 0)
        break;
      SET(list[k - 1], (struct dirent *)(uintptr_t)b);
      SET(list[k], (struct dirent *)(uintptr_t)a);
    }
  libcall_begin(&e, OP_SET, pc);
  libcall_overwrite(&e, result, sizeof *result);
  libcall_announce(&e);
  size_t size = left * sizeof *list;
  *result = memcpy(new_block(&e, size ? size : 1), list, size);
  heap_release(list, pc);
  return (int)left;
}

int directory_scan(const char *path, struct dirent ***result, uint64_t pc) {
  return scan_directory(path, result, NULL, NULL, pc);
}

#define SCANDIR(name)                                                   \
  int list_##name(const char *, struct dirent ***, filter *,            \
                  compare *) __asm__(#name);                            \
  INTERPOSED int list_##name(const char *path, struct dirent ***result, \
                             filter *wanted, compare *order) {          \
    return scan_directory(path, result, wanted, order, CALLER);         \
  }
SCANDIR(scandir)
SCANDIR(scandir64)

static int compare_names(const struct dirent **a, const struct dirent **b,
                         uint64_t pc) {
  struct libcall e;
  const char *first = LOOK_AT(*a, pc)->d_name;
  const char *second = LOOK_AT(*b, pc)->d_name;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, first, SIZE_MAX);
  libcall_string(&e, second, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, first, string_length(first, SIZE_MAX) + 1);
  touched(&e, second, string_length(second, SIZE_MAX) + 1);
  return heddle_real_strcmp(first, second);
}

#define ALPHASORT(name)                                   \
  int sort_##name(const struct dirent **,                 \
                  const struct dirent **) __asm__(#name); \
  INTERPOSED int sort_##name(const struct dirent **a,     \
                             const struct dirent **b) {   \
    return compare_names(a, b, CALLER);                   \
  }
ALPHASORT(alphasort)
ALPHASORT(alphasort64)

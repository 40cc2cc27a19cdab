/* opendir and its relatives.  Entries come in alphabetical order, and the
 * directory is read anew with each of them, as if its reader had no buffer:
 * what another thread adds meanwhile is seen if it comes later in that order.
 */
#define _GNU_SOURCE
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "system/native/hooks/hooks.h"
#include "system/native/libc/heap.h"

/* prog: what DIR is here; in a block of the heap. */
struct listing {
  uint32_t directory; /* name */
  uint32_t last;      /* name, the latest entry; 0: none yet */
  uint32_t given;     /* entries so far; the first two are . and .. */
  int descriptor;
  struct dirent entry; /* the program's to read until the next call */
};

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64),
               "one struct for both");

static DIR *no_listing(int error) {
  error_set(error);
  return NULL;
}

static DIR *listing_of(int descriptor, uint32_t name, uint64_t pc) {
  struct listing *l = heap_allocate(sizeof *l, 16, pc);
  heap_own(l);
  undo_note(l, sizeof *l);
  *l = (struct listing){.directory = name, .descriptor = descriptor};
  return (DIR *)l;
}

INTERPOSED DIR *opendir(const char *path) {
  struct libcall e;
  file_begin(&e, CALLER);
  libcall_string(&e, path, SIZE_MAX);
  file_announce(&e);
  if (!file_path(&e, path))
    return NULL;
  struct description *d = description_open(
      name_working(), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, CALLER);
  int descriptor = d ? descriptor_give(d, 0, true) : -1;
  return descriptor < 0 ? NULL : listing_of(descriptor, d->name, CALLER);
}

INTERPOSED DIR *fdopendir(int descriptor) {
  struct libcall e;
  file_begin(&e, CALLER);
  file_announce(&e);
  const struct description *d = description_of(descriptor);
  if (!d)
    return NULL;
  if (d->kind != DESCRIPTION_FILE || !S_ISDIR(node_mode(d->node)))
    return no_listing(ENOTDIR);
  return listing_of(descriptor, d->name, CALLER);
}

static struct listing *begin_listing(DIR *directory, uint64_t pc) {
  struct listing *l = (struct listing *)directory;
  struct libcall e;
  file_begin(&e, pc);
  libcall_object(&e, l);
  file_announce(&e);
  return l;
}

static void fill(struct dirent *d, const char *name, uint32_t node,
                 uint32_t place) {
  struct stat s;
  memset(d, 0, sizeof *d);
  node_stat(node, &s);
  d->d_ino = s.st_ino;
  d->d_off = place;
  d->d_reclen = sizeof *d;
  d->d_type = (unsigned char)IFTODT(node_mode(node));
  strcpy(d->d_name, name);
}

static struct dirent *read_next(DIR *directory, uint64_t pc) {
  struct listing *l = begin_listing(directory, pc);
  static const char *const first[] = {".", ".."};
  undo_note(l, sizeof *l);
  if (l->given < 2) {
    uint32_t name = l->given ? name_parent(l->directory) : l->directory;
    fill(&l->entry, first[l->given], name_node(name), l->given + 1);
    l->given++;
    return &l->entry;
  }
  uint32_t next = name_next(l->directory, l->last);
  if (!next)
    return NULL;
  l->last = next;
  fill(&l->entry, name_last(next), name_node(next), ++l->given);
  return &l->entry;
}

INTERPOSED struct dirent *readdir(DIR *directory) {
  return read_next(directory, CALLER);
}

INTERPOSED struct dirent64 *readdir64(DIR *directory) {
  return (struct dirent64 *)read_next(directory, CALLER);
}

/* The caller's entry instead of the directory's. */
static int read_into(DIR *directory, void *to, void *result, uint64_t pc) {
  const struct dirent *entry = read_next(directory, pc);
  if (entry)
    copy_memory(to, entry, sizeof *entry, pc, NULL);
  PUT_AT(*(void **)result, entry ? to : NULL, pc);
  return 0;
}

#define READDIR_R(name, entry)                                        \
  INTERPOSED int name(DIR *, struct entry *, struct entry **);        \
  int name(DIR *directory, struct entry *to, struct entry **result) { \
    return read_into(directory, to, result, CALLER);                  \
  }
READDIR_R(readdir_r, dirent)
READDIR_R(readdir64_r, dirent64)

/* The place is the number of entries so far. */
INTERPOSED long telldir(DIR *directory) {
  return begin_listing(directory, CALLER)->given;
}

INTERPOSED void seekdir(DIR *directory, long place) {
  struct listing *l = begin_listing(directory, CALLER);
  uint32_t last = 0, next;
  for (long given = 2; given < place && (next = name_next(l->directory, last));
       given++)
    last = next;
  SET(l->last, last);
  SET(l->given, (uint32_t)place);
}

INTERPOSED void rewinddir(DIR *directory) {
  struct listing *l = begin_listing(directory, CALLER);
  SET(l->last, 0);
  SET(l->given, 0);
}

INTERPOSED int dirfd(DIR *directory) {
  return ((struct listing *)directory)->descriptor;
}

INTERPOSED int closedir(DIR *directory) {
  struct listing *l = begin_listing(directory, CALLER);
  heap_release(l, CALLER);
  return descriptor_close(l->descriptor);
}

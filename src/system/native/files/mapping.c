/* mmap: memory of its own, and private copies of files. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "system/native/libc/heap.h"

enum { PAGE = 4096 };

static void check_wish(void *at, int protection, int flags) {
  if (at && (flags & MAP_FIXED))
    refuse("mmap at a given address is not supported");
  if (!(flags & MAP_ANONYMOUS) && (flags & MAP_SHARED) &&
      (protection & PROT_WRITE))
    refuse("mmap of a file to be written and shared is not supported");
}

/* Blocks of the heap have room behind them, which is not part of a page. */
static char *pages(size_t size, uint64_t pc) {
  return heap_allocate((size + PAGE - 1) / PAGE * PAGE, PAGE, pc);
}

/* prog: a file was mapped, whose pages would come back from it. */
PROG static bool file_mapped;

static void *map_file(int descriptor, size_t size, off_t from, int flags,
                      uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  const struct description *d = description_of(descriptor);
  if (!d)
    return MAP_FAILED;
  if (d->kind != DESCRIPTION_FILE || S_ISDIR(node_mode(d->node))) {
    error_set(ENODEV);
    return MAP_FAILED;
  }
  if (flags & MAP_SHARED)
    node_share(d->node);
  if (!file_mapped)
    FILE_SET(file_mapped, true);
  char *block = pages(size, pc);
  uint64_t end = node_size(d->node);
  uint64_t rest = (uint64_t)from < end ? end - (uint64_t)from : 0;
  if (rest > size)
    rest = size;
  undo_note(block, rest);
  memcpy(block, node_bytes(d->node, (uint64_t)from, rest), rest);
  return heap_written(block, size, pc);
}

static void *map_memory(size_t size, int protection, int flags, int descriptor,
                        off_t from, void *at, uint64_t pc) {
  if (!size || from < 0 || from % PAGE) {
    error_set(EINVAL);
    return MAP_FAILED;
  }
  check_wish(at, protection, flags);
  if (flags & MAP_ANONYMOUS)
    return heap_written(pages(size, pc), size, pc);
  return map_file(descriptor, size, from, flags, pc);
}

#define MMAP(name)                                                            \
  INTERPOSED void *name(void *at, size_t size, int protection, int flags,     \
                        int descriptor, off_t from) {                         \
    return map_memory(size, protection, flags, descriptor, from, at, CALLER); \
  }
MMAP(mmap)
MMAP(mmap64)

/* ---- sbrk ---------------------------------------------------------------- */

enum { BREAK_ROOM = 1 << 20 };

/* prog: a block, zero at first, and how much of it the program has. */
PROG static struct {
  char *start;
  size_t size;
} data_end;

static bool end_at(int64_t size, uint64_t pc) {
  if (size < 0) {
    error_set(ENOMEM);
    return false;
  }
  if (size > BREAK_ROOM)
    refuse("sbrk of more than 1 MB is not supported: use mmap or malloc");
  if (!data_end.start)
    SET(data_end.start, pages(BREAK_ROOM, pc));
  SET(data_end.size, (size_t)size);
  return true;
}

INTERPOSED void *sbrk(intptr_t more) {
  library_state(&data_end, sizeof data_end, true, CALLER);
  size_t before = data_end.size;
  return end_at((int64_t)before + more, CALLER) ? data_end.start + before
                                                : MAP_FAILED;
}

INTERPOSED int brk(void *end) {
  library_state(&data_end, sizeof data_end, true, CALLER);
  return data_end.start && end_at((const char *)end - data_end.start, CALLER)
             ? 0
             : file_error(ENOMEM);
}

INTERPOSED int munmap(void *at, size_t size) {
  uint64_t start, length, pc;
  if (!heap_find(at, &start, &length, &pc) || start != (uintptr_t)at ||
      length != (size + PAGE - 1) / PAGE * PAGE)
    refuse("munmap of a part of what mmap returned is not supported");
  heap_free(at, "munmap", CALLER);
  return 0;
}

/* It always moves if the number of pages changes. */
INTERPOSED void *mremap(void *at, size_t size, size_t new_size, int flags,
                        ...) {
  uint64_t start, length, pc;
  uint64_t wanted = (new_size + PAGE - 1) / PAGE * PAGE;
  if (!heap_find(at, &start, &length, &pc) || start != (uintptr_t)at ||
      length != (size + PAGE - 1) / PAGE * PAGE)
    refuse("mremap of a part of what mmap returned is not supported");
  if (flags & ~MREMAP_MAYMOVE)
    refuse("mremap to a given address is not supported");
  if (wanted == length)
    return at;
  if (!(flags & MREMAP_MAYMOVE)) {
    error_set(ENOMEM);
    return MAP_FAILED;
  }
  char *block = heap_written(pages(new_size, CALLER), wanted, CALLER);
  copy_memory(block, at, length < wanted ? length : wanted, CALLER, NULL);
  heap_free(at, "mremap", CALLER);
  return block;
}

INTERPOSED int mprotect(void *at, size_t size, int protection) {
  (void)at, (void)size;
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
    refuse("mprotect that takes rights away is not supported: leave the call "
           "out for the check");
  return 0;
}

INTERPOSED int msync(void *at, size_t size, int flags) {
  (void)at, (void)size, (void)flags;
  return 0;
}

/* Pages that are discarded are zero from then on. */
static int discard(void *at, size_t size, uint64_t pc) {
  struct libcall e;
  uint64_t start, length, allocated;
  uint64_t from = (uintptr_t)at, end = (from + size + PAGE - 1) / PAGE * PAGE;
  if (from % PAGE)
    return file_error(EINVAL);
  file_begin(&e, pc);
  file_announce(&e);
  file_reads(&file_mapped, sizeof file_mapped);
  if (file_mapped)
    refuse("madvise that discards memory is not supported in a program that "
           "maps files");
  if (!heap_find(at, &start, &length, &allocated) || end > start + length)
    refuse("madvise that discards more than one block is not supported");
  fill_memory(at, 0, end - from, pc, NULL);
  return 0;
}

/* MADV_FREE discards memory at any time later: it is unknown, as it was to
 * Linux before 4.5. */
INTERPOSED int madvise(void *at, size_t size, int advice) {
  if (advice == MADV_FREE)
    return file_error(EINVAL);
  return advice == MADV_DONTNEED ? discard(at, size, CALLER) : 0;
}

INTERPOSED int posix_madvise(void *at, size_t size, int advice) {
  (void)at, (void)size, (void)advice;
  return 0;
}

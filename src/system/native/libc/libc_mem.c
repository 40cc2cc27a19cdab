/* How wrappers describe what they touch (libc.h), and mem*. */
#define _GNU_SOURCE
#include "libc.h"

#include <link.h>
#include <string.h>

#include "heap.h"
#include "system/native/base/real.h"
#include "util/ensure.h"

/* ---- read-only memory ---------------------------------------------------- */

/* keep: read-only parts of the program and its libraries; found on first use.
 * Parts beyond this number are treated as writable. */
#define CONSTANTS 64
static struct { uintptr_t from, to; } constant[CONSTANTS];
static unsigned constants; /* 1 + their number; 0: not searched for yet */

static int find_constants(struct dl_phdr_info *info, size_t size, void *data) {
  unsigned *n = data;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum && *n < CONSTANTS; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    bool load = part->p_type == PT_LOAD && !(part->p_flags & PF_W);
    if (!load && part->p_type != PT_GNU_RELRO)
      continue;
    constant[*n].from = info->dlpi_addr + part->p_vaddr;
    constant[*n].to = constant[*n].from + part->p_memsz;
    ++*n;
  }
  return 0;
}

bool is_constant(const void *addr) {
  if (__builtin_expect(!constants, 0)) {
    unsigned n = 0;
    dl_iterate_phdr(find_constants, &n);
    constants = n + 1;
  }
  for (unsigned i = 0; i + 1 < constants; i++)
    if ((uintptr_t)addr - constant[i].from < constant[i].to - constant[i].from)
      return true;
  return false;
}

/* ---- events -------------------------------------------------------------- */

/* All of it is set: it lies on the stack, and loops that wait are found by
 * comparing stacks. */
void libcall_begin(struct libcall *e, enum op op, uint64_t pc) {
  heddle_real_memset(e, 0, sizeof *e);
  e->op.op = op;
  e->op.pc = pc;
  e->op.access = e->list;
}

static void add(struct libcall *e, const void *addr, size_t size,
                uint32_t mode) {
  if (e->op.accesses == LIBCALL_ACCESSES) {
    ensure(e->op.flags & STEP_BLOCK); /* the others are found on the way */
    return;
  }
  struct access *access = &e->list[e->op.accesses++];
  access->addr = (uintptr_t)addr;
  access->size = size;
  access->mode = mode;
}

/* An access has a size of 32 bits; no real object is larger. */
static void add_range(struct libcall *e, const void *addr, size_t size,
                      uint32_t mode) {
  if (size > UINT32_MAX) {
    heap_check(addr, size, mode & ACCESS_WRITE, e->op.pc);
    refuse("a memory function was called with a size of %zu bytes; up to %u "
           "are supported",
           size, UINT32_MAX);
  }
  if (size)
    add(e, addr, size, mode);
}

void libcall_read(struct libcall *e, const void *addr, size_t size) {
  if (!is_constant(addr))
    add_range(e, addr, size, 0);
}

void libcall_write(struct libcall *e, const void *addr, size_t size) {
  add_range(e, addr, size, ACCESS_WRITE);
}

void libcall_overwrite(struct libcall *e, const void *addr, size_t size) {
  add_range(e, addr, size, ACCESS_WRITE | ACCESS_BLIND);
}

void libcall_string(struct libcall *e, const char *s, size_t most) {
  if (!most || is_constant(s))
    return;
  e->op.flags |= STEP_BLOCK;
  add(e, s, 1, 0);
}

void libcall_begin_write(struct libcall *e, const void *addr) {
  e->op.flags |= STEP_BLOCK;
  add(e, addr, 1, ACCESS_WRITE);
}

void libcall_object(struct libcall *e, const void *object) {
  add(e, object, OBJECT_SIZE, ACCESS_WRITE | ACCESS_ATOMIC);
}

void libcall_look(struct libcall *e, const void *object) {
  add(e, object, OBJECT_SIZE, ACCESS_ATOMIC);
}

void libcall_announce(struct libcall *e) {
  if (!e->op.accesses)
    return;
  visible(&e->op);
  for (unsigned i = 0; i < e->op.accesses; i++) {
    void *addr = (void *)(uintptr_t)e->list[i].addr;
    bool write = e->list[i].mode & ACCESS_WRITE;
    heap_check(addr, e->list[i].size, write, e->op.pc);
    if (write && !(e->list[i].mode & ACCESS_ATOMIC))
      undo_note(addr, e->list[i].size);
  }
}

void libcall_announce_block(struct libcall *e) {
  e->op.flags |= STEP_BLOCK;
  if (e->op.accesses)
    libcall_announce(e);
  else
    visible(&e->op);
}

void touched(const struct libcall *e, const void *addr, size_t size) {
  if (!size || is_constant(addr))
    return;
  footprint_add(addr, size, 0); /* an error depends on them, too */
  heap_check(addr, size, false, e->op.pc);
}

void touches(const struct libcall *e, void *addr, size_t size) {
  if (!size)
    return;
  footprint_add(addr, size, ACCESS_WRITE);
  heap_check(addr, size, true, e->op.pc);
  undo_note(addr, size);
}

/* ---- strings, for all wrappers ------------------------------------------- */

size_t string_length(const char *s, size_t most) {
  size_t room = heap_room(s);
  return heddle_real_strnlen(s, most < room ? most : room);
}

size_t string_extent(size_t length, size_t most) {
  return length < most ? length + 1 : length;
}

void *find_bytes(const char *text, size_t size, const char *word,
                 size_t word_size) {
  for (; size >= word_size; text++, size--)
    if (!heddle_real_memcmp(text, word, word_size))
      return (char *)(uintptr_t)text;
  return NULL;
}

/* ---- mem* ---------------------------------------------------------------- */

/* Both ranges are known, and neither depends on the contents of memory. */
static void announce_copy(struct libcall *e, void *to, const void *from,
                          size_t size, uint64_t pc, hook_site site) {
  libcall_begin(e, OP_COPY, pc);
  e->op.site = site;
  libcall_overwrite(e, to, size);
  libcall_read(e, from, size);
  libcall_announce(e);
}

/* Ranges that overlap are an error of the caller.  Equal ranges are none:
 * compilers copy a structure to itself for s = s. */
static void check_overlap(const char *to, const char *from, size_t size,
                          uint64_t pc) {
  if (to != from && to < from + size && from < to + size)
    fail(FINDING_MEMORY, pc,
         "memcpy: the %zu bytes read and the %zu bytes written overlap", size,
         size);
}

void *copy_memory(void *to, const void *from, size_t size, uint64_t pc,
                  hook_site site) {
  struct libcall e;
  if (!size)
    return to;
  announce_copy(&e, to, from, size, pc, site);
  check_overlap(to, from, size, pc);
  return heddle_real_memmove(to, from, size);
}

void *move_memory(void *to, const void *from, size_t size, uint64_t pc,
                  hook_site site) {
  struct libcall e;
  if (!size)
    return to;
  announce_copy(&e, to, from, size, pc, site);
  return heddle_real_memmove(to, from, size);
}

void *fill_memory(void *to, int value, size_t size, uint64_t pc,
                  hook_site site) {
  struct libcall e;
  libcall_begin(&e, OP_SET, pc);
  e.op.site = site;
  libcall_overwrite(&e, to, size);
  libcall_announce(&e);
  return size ? heddle_real_memset(to, value, size) : to;
}

INTERPOSED void *memcpy(void *to, const void *from, size_t size) {
  return copy_memory(to, from, size, CALLER, NULL);
}

INTERPOSED void *memmove(void *to, const void *from, size_t size) {
  return move_memory(to, from, size, CALLER, NULL);
}

INTERPOSED void *mempcpy(void *to, const void *from, size_t size) {
  return (char *)copy_memory(to, from, size, CALLER, NULL) + size;
}

INTERPOSED void *memset(void *to, int value, size_t size) {
  return fill_memory(to, value, size, CALLER, NULL);
}

INTERPOSED void explicit_bzero(void *to, size_t size) {
  fill_memory(to, 0, size, CALLER, NULL);
}

INTERPOSED void __explicit_bzero_chk(void *, size_t, size_t);
INTERPOSED void __explicit_bzero_chk(void *to, size_t size, size_t room) {
  if (size > room)
    fail(FINDING_MEMORY, CALLER,
         "out of bounds: explicit_bzero of %zu bytes in an object of %zu bytes",
         size, room);
  fill_memory(to, 0, size, CALLER, NULL);
}

INTERPOSED void bzero(void *to, size_t size) {
  fill_memory(to, 0, size, CALLER, NULL);
}

INTERPOSED void bcopy(const void *from, void *to, size_t size) {
  move_memory(to, from, size, CALLER, NULL);
}

/* Reads both in full, as the standard allows. */
static int compare(const void *a, const void *b, size_t size, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_read(&e, a, size);
  libcall_read(&e, b, size);
  libcall_announce(&e);
  return size ? heddle_real_memcmp(a, b, size) : 0;
}

INTERPOSED int memcmp(const void *a, const void *b, size_t size) {
  return compare(a, b, size, CALLER);
}

INTERPOSED int bcmp(const void *a, const void *b, size_t size) {
  return compare(a, b, size, CALLER);
}

/* Reads up to the byte found. */
static void *search(const void *at, int value, size_t size, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, at, size);
  libcall_announce(&e);
  size_t room = heap_room(at);
  char *found = heddle_real_memchr(at, value, size < room ? size : room);
  if (found)
    touched(&e, at, found - (const char *)at + 1);
  else
    touched(&e, at, size);
  return found;
}

INTERPOSED void *memchr(const void *at, int value, size_t size) {
  return search(at, value, size, CALLER);
}

INTERPOSED void *rawmemchr(const void *at, int value) {
  return search(at, value, (uintptr_t)-1 - (uintptr_t)at, CALLER);
}

INTERPOSED void *memrchr(const void *at, int value, size_t size) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_read(&e, at, size);
  libcall_announce(&e);
  for (const unsigned char *p = at; size--;)
    if (p[size] == (unsigned char)value)
      return (void *)(p + size);
  return NULL;
}

INTERPOSED void *memmem(const void *text, size_t size, const void *word,
                        size_t word_size) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_read(&e, text, size);
  libcall_read(&e, word, word_size);
  libcall_announce(&e);
  return find_bytes(text, size, word, word_size);
}

INTERPOSED void *memccpy(void *to, const void *from, int stop, size_t size) {
  struct libcall e;
  if (!size)
    return NULL;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_begin_write(&e, to);
  libcall_string(&e, from, size);
  libcall_announce(&e);
  size_t room = heap_room(from);
  const char *found = heddle_real_memchr(from, stop, size < room ? size : room);
  size_t used = found ? (size_t)(found - (const char *)from) + 1 : size;
  touched(&e, from, used);
  touches(&e, to, used);
  heddle_real_memmove(to, from, used);
  return found ? (char *)to + used : NULL;
}

/* ---- what _FORTIFY_SOURCE makes of them ---------------------------------- */

static void check_room(const char *name, size_t size, size_t room,
                       uint64_t pc) {
  if (size > room)
    fail(FINDING_MEMORY, pc,
         "out of bounds: %s writes %zu bytes to an object of %zu bytes", name,
         size, room);
}

#define CHECKED_COPY(name, function, result)                               \
  INTERPOSED void *__##name##_chk(void *, const void *, size_t, size_t);   \
  INTERPOSED void *__##name##_chk(void *to, const void *from, size_t size, \
                                  size_t room) {                           \
    check_room(#name, size, room, CALLER);                                 \
    return (char *)function(to, from, size, CALLER, NULL) + (result);      \
  }

CHECKED_COPY(memcpy, copy_memory, 0)
CHECKED_COPY(memmove, move_memory, 0)
CHECKED_COPY(mempcpy, copy_memory, size)

INTERPOSED void *__memset_chk(void *, int, size_t, size_t);
INTERPOSED void *__memset_chk(void *to, int value, size_t size, size_t room) {
  check_room("memset", size, room, CALLER);
  return fill_memory(to, value, size, CALLER, NULL);
}

/* The program's memory, range by range: see memory.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "memory.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- sets of ranges ------------------------------------------------------ */

static int by_start(const void *a, const void *b) {
  const struct segment *x = a, *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

void segments_sort(segment_list *list) {
  size_t n = 0;
  if (!list->size)
    return;
  qsort(list->at, list->size, sizeof *list->at, by_start);
  for (size_t i = 1; i < list->size; i++) {
    const struct segment *s = &list->at[i];
    if (s->start > list->at[n].end)
      list->at[++n] = *s;
    else if (s->end > list->at[n].end)
      list->at[n].end = s->end;
  }
  list->size = n + 1;
}

/* The first segment that ends behind this place. */
static size_t first_behind(const segment_list *sorted, const char *place) {
  size_t from = 0, to = sorted->size;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (sorted->at[middle].end > place)
      to = middle;
    else
      from = middle + 1;
  }
  return from;
}

void segments_rest(const segment_list *sorted, char *start, size_t size,
                   memory_visitor *visit, void *context) {
  char *end = start + size;
  for (size_t i = first_behind(sorted, start); start < end; i++) {
    const struct segment *s = i < sorted->size ? &sorted->at[i] : NULL;
    char *stop = s && s->start < end ? s->start : end;
    if (start < stop)
      visit(context, start, (size_t)(stop - start));
    start = stop < end ? s->end : end;
  }
}

/* ---- large ranges -------------------------------------------------------- */

enum {
  PAGE = 4096,      /* the unit of /proc/self/pagemap on x86-64 */
  LOOK_AT = 32,     /* pages asked for at a time ... */
  MANY = 64 * PAGE, /* ... in ranges of this size and more */
};

/* A large range is mostly untouched; the kernel knows the touched pages.  Bits
 * 62 and 63 of a word of its page map: swapped out, present. */
static bool visit_present(char *from, size_t size, memory_visitor *visit,
                          void *context) {
  uint64_t entries[LOOK_AT];
  int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (map < 0)
    return false;
  size_t before = (PAGE - (uintptr_t)from % PAGE) % PAGE;
  visit(context, from, before);
  for (size_t done = before; done < size; done += sizeof entries / 8 * PAGE) {
    uint64_t page = ((uintptr_t)from + done) / PAGE;
    bool known = pread(map, entries, sizeof entries, (off_t)(page * 8)) ==
                 (ssize_t)sizeof entries;
    for (size_t i = 0; i < LOOK_AT && done + i * PAGE < size; i++) {
      size_t left = size - done - i * PAGE;
      if (!known || entries[i] >> 62)
        visit(context, from + done + i * PAGE, left < PAGE ? left : PAGE);
    }
  }
  close(map);
  return true;
}

void memory_touched(char *start, size_t size, memory_visitor *visit,
                    void *context) {
  if (size < MANY || sysconf(_SC_PAGESIZE) != PAGE ||
      !visit_present(start, size, visit, context))
    visit(context, start, size);
}

/* ---- variables ----------------------------------------------------------- */

/* keep: memory with initial values from a file.  A page of it that is not
 * present is not zero.  Sorted. */
static segment_list initialised;

/* The loader fills in the addresses of functions on their first call: three
 * words, and one for each function. */
static int add_bindings(struct dl_phdr_info *info, size_t size, void *to) {
  segment_list *list = to;
  uintptr_t table = 0, bytes = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD && (p->p_flags & PF_W) && p->p_filesz)
      segments_add(&initialised, info->dlpi_addr + p->p_vaddr, p->p_filesz);
    const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + p->p_vaddr);
    for (; p->p_type == PT_DYNAMIC && d->d_tag != DT_NULL; d++) {
      if (d->d_tag == DT_PLTGOT)
        table = d->d_un.d_ptr; /* relocated by the loader */
      if (d->d_tag == DT_PLTRELSZ)
        bytes = d->d_un.d_val;
    }
  }
  if (table)
    segments_add(list, table, 8 * (3 + bytes / sizeof(ElfW(Rela))));
  return 0;
}

/* keep: what is loaded does not change. */
static segment_list segments;
static segment_list unchecked; /* sorted */

/* The compiler's start-up code is linked first.  Its first variable is a mark
 * that the clean-up after main has run.  It lies at the first address with the
 * largest alignment of any variable. */
extern char __bss_start[] __attribute__((weak));
enum { MOST_EVEN = 1 << 16 };

static uintptr_t candidate(uintptr_t even) {
  return ((uintptr_t)__bss_start + even - 1) & -even;
}

static void leave_out_mark(void) {
  for (uintptr_t even = 1; even <= MOST_EVEN; even *= 2)
    segments_add(&unchecked, candidate(even), 1);
}

static bool is_variable(const char *byte) {
  for (size_t i = 0; i < segments.size; i++)
    if (byte >= segments.at[i].start && byte < segments.at[i].end)
      return true;
  return false;
}

void memory_no_marks(memory_visitor *visit, void *context) {
  const char *last = NULL;
  for (uintptr_t even = 1; __bss_start && even <= MOST_EVEN; even *= 2) {
    char *byte = (char *)candidate(even);
    if (byte != last && is_variable(byte) && (unsigned char)*byte > 1)
      visit(context, byte, 1);
    last = byte;
  }
}

static void find_segments(void) {
  module_segments(&segments);
  dl_iterate_phdr(add_bindings, &unchecked);
  if (__bss_start)
    leave_out_mark();
  segments_sort(&unchecked);
  segments_sort(&initialised);
}

struct visit {
  memory_visitor *visit;
  void *context;
};

static void visit_touched(void *context, char *start, size_t size) {
  const struct visit *v = context;
  size_t i = first_behind(&initialised, start);
  const struct segment *s = i < initialised.size ? &initialised.at[i] : NULL;
  size_t given = !s || start < s->start ? 0 : (size_t)(s->end - start);
  if (given > size)
    given = size;
  v->visit(v->context, start, given);
  memory_touched(start + given, size - given, v->visit, v->context);
}

void memory_variables(memory_visitor *visit, void *context) {
  struct visit v = {visit, context};
  if (!segments.size)
    find_segments();
  for (size_t i = 0; i < segments.size; i++)
    segments_rest(&unchecked, segments.at[i].start,
                  (size_t)(segments.at[i].end - segments.at[i].start),
                  visit_touched, &v);
}

/* ---- what the runtime reads ---------------------------------------------- */

static segment_list exempted; /* keep */

void memory_exempt(const void *start, size_t size) {
  for (size_t i = 0; i < exempted.size; i++)
    if (exempted.at[i].start == start)
      return;
  segments_add(&exempted, (uintptr_t)start, size);
}

/* The program's copies of libc's variables. */
static void exempt_libc(void) {
  memory_exempt(&stdin, sizeof stdin);
  memory_exempt(&stdout, sizeof stdout);
  memory_exempt(&stderr, sizeof stderr);
  memory_exempt(&environ, sizeof environ);
}

const segment_list *memory_exempted(void) {
  static bool known;
  if (!known)
    exempt_libc();
  known = true;
  return &exempted;
}

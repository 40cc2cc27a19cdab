/* Fingerprints of the state, for --verify.
 *
 * An exact one is of all that undo restores.  The other kind is of what
 * equivalent schedules share: positions of steps are left out, and the contents
 * of the stacks, where a compiler leaves behind whatever a register held.  How
 * deep a stack is, and the operation that its thread is about to do, stay in.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fingerprint.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "libc.h"
#include "util/rng.h"

/* ---- sums ---------------------------------------------------------------- */

void digest_word(struct digest *d, uint64_t key, uint64_t word) {
  if (word)
    d->sum += rng_mix(key ^ rng_mix(word));
}

void digest_bytes_as(struct digest *d, uint64_t key, const void *bytes,
                     size_t size) {
  const char *from = bytes;
  for (size_t done = 0; done < size; done += 8) {
    uint64_t word = 0;
    size_t part = size - done < 8 ? size - done : 8;
    if (likely(part == 8))
      memcpy(&word, from + done, 8);
    else
      memcpy(&word, from + done, part);
    digest_word(d, key + done, word);
  }
}

enum {
  PAGE = 4096,      /* the unit of /proc/self/pagemap on x86-64 */
  LOOK_AT = 32,     /* pages asked for at a time ... */
  MANY = 64 * PAGE, /* ... in ranges of this size and more */
};

/* A large range is mostly untouched: the kernel knows where it is not.  Bits 62
 * and 63 of a word of its page map: swapped out, present. */
static bool digest_touched(struct digest *d, const char *from, size_t size) {
  uint64_t entries[LOOK_AT];
  int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (map < 0)
    return false;
  size_t before = (PAGE - (uintptr_t)from % PAGE) % PAGE;
  digest_bytes_as(d, (uintptr_t)from, from, before);
  for (size_t done = before; done < size; done += sizeof entries / 8 * PAGE) {
    uint64_t page = ((uintptr_t)from + done) / PAGE;
    bool known = pread(map, entries, sizeof entries, (off_t)(page * 8)) ==
                 (ssize_t)sizeof entries;
    for (size_t i = 0; i < LOOK_AT && done + i * PAGE < size; i++) {
      const char *at = from + done + i * PAGE;
      size_t left = size - done - i * PAGE;
      if (!known || entries[i] >> 62)
        digest_bytes_as(d, (uintptr_t)at, at, left < PAGE ? left : PAGE);
    }
  }
  close(map);
  return true;
}

void digest_bytes(struct digest *d, const void *bytes, size_t size) {
  if (size < MANY || sysconf(_SC_PAGESIZE) != PAGE ||
      !digest_touched(d, bytes, size))
    digest_bytes_as(d, (uintptr_t)bytes, bytes, size);
}

/* ---- variables ----------------------------------------------------------- */

/* keep: bytes that change once and then stay, by code that is not the
 * program's. */
typedef segment_list unchecked_list;

/* The loader fills in the addresses of functions on their first call: three
 * words, and one for each function. */
static int add_bindings(struct dl_phdr_info *info, size_t size, void *to) {
  unchecked_list *list = to;
  uintptr_t table = 0, bytes = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + p->p_vaddr);
    for (; p->p_type == PT_DYNAMIC && d->d_tag != DT_NULL; d++) {
      if (d->d_tag == DT_PLTGOT)
        table = d->d_un.d_ptr; /* relocated by the loader */
      if (d->d_tag == DT_PLTRELSZ)
        bytes = d->d_un.d_val;
    }
  }
  char *start = (char *)table;
  size_t length = 8 * (3 + bytes / sizeof(ElfW(Rela)));
  if (table)
    VEC_PUSH(*list, (struct segment){start, start + length});
  return 0;
}

/* The compiler's start-up code is linked first and begins its variables with a
 * mark that it has cleaned up at the end of main. */
extern char __bss_start[] __attribute__((weak));

static void add_mark(unchecked_list *list) {
  if (__bss_start)
    VEC_PUSH(*list, (struct segment){__bss_start, __bss_start + 1});
}

/* keep: what is loaded does not change. */
static segment_list segments;
static unchecked_list unchecked;

static void digest_between(struct digest *d, const char *start,
                           const char *end) {
  if (start < end)
    digest_bytes(d, start, (size_t)(end - start));
}

/* All that is not unchecked. */
static void digest_segment(struct digest *d, const char *start,
                           const char *end) {
  while (start < end) {
    const char *stop = end, *next = end;
    for (size_t i = 0; i < unchecked.size; i++) {
      const struct segment *u = &unchecked.at[i];
      if (u->end > start && u->start < stop) {
        stop = u->start;
        next = u->end;
      }
    }
    digest_between(d, start, stop);
    start = next;
  }
}

static uint64_t digest_variables(void) {
  struct digest d = {0};
  if (!segments.size) {
    module_segments(&segments);
    dl_iterate_phdr(add_bindings, &unchecked);
    add_mark(&unchecked);
  }
  for (size_t i = 0; i < segments.size; i++)
    digest_segment(&d, segments.at[i].start, segments.at[i].end);
  libc_digest(&d);
  exit_digest(&d);
  return d.sum;
}

/* ---- threads ------------------------------------------------------------- */

static void digest_operation(struct digest *d, uint64_t key,
                             const struct operation *op) {
  uint64_t words[] = {(uint64_t)op->op << 32 | op->flags << 16 |
                          op->order << 8 | op->wants,
                      op->pc,
                      op->accesses,
                      (uintptr_t)op->ready,
                      (uintptr_t)op->object,
                      op->target};
  digest_bytes_as(d, key, words, sizeof words);
  digest_bytes_as(d, key + sizeof words, op->access,
                  op->accesses * sizeof *op->access);
}

/* Without positions (the causes of steps, where a loop began) and without how
 * far the search for a loop is: see changes.c.  A thread that has ended has no
 * place. */
static void digest_position(struct digest *d, const struct thread *t) {
  if (t->state != THREAD_RUNNING)
    return;
  const struct spin *s = &t->spin;
  uint64_t key = (uintptr_t)t;
  uint64_t words[] = {
      (uintptr_t)t->sp, (uint64_t)t->children << 32 | t->atomic_depth,
      (uint64_t)t->error_number, (uint64_t)s->waiting << 1 | s->awake};
  digest_bytes_as(d, key, words, sizeof words);
  if (t->pending)
    digest_operation(d, rng_mix(key), t->pending);
  if (s->waiting)
    digest_bytes_as(d, rng_mix(key + 1), &engine.accesses.at[s->first],
                    s->accesses * sizeof(struct access));
}

/* Of a thread that does not exist the first fields are left from another
 * execution. */
static void digest_thread(struct digest *d, const struct thread *t,
                          bool exact) {
  const char *rest = (const char *)&t->resume;
  digest_word(d, (uintptr_t)&t->state, t->state);
  digest_bytes(d, rest, (size_t)((const char *)(t + 1) - rest));
  if (t->state == THREAD_NONE)
    return;
  if (exact)
    digest_bytes(d, t, offsetof(struct thread, spin) + sizeof t->spin);
  else
    digest_position(d, t);
}

static uint64_t digest_threads(bool exact) {
  struct digest d = {0};
  for (unsigned i = 0; i < thread_count(); i++)
    digest_thread(&d, thread_get(i), exact);
  return d.sum;
}

static uint64_t digest_stacks(void) {
  struct digest d = {0};
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    if (t->state == THREAD_RUNNING)
      digest_bytes(&d, t->sp, (size_t)(t->stack_base - (char *)t->sp));
  }
  return d.sum;
}

/* ---- all of it ----------------------------------------------------------- */

static uint64_t digest_heap(void) {
  struct digest d = {0};
  heap_digest(&d);
  return d.sum;
}

/* The standard error stream is no outcome: printing to it is no event. */
static uint64_t digest_output(bool exact) {
  struct digest d = {0};
  for (int stream = 1; stream <= (exact ? 2 : 1); stream++) {
    size_t length;
    const char *text = output_text(stream, &length);
    digest_word(&d, (uint64_t)stream, length + 1);
    digest_bytes_as(&d, rng_mix((uint64_t)stream), text, length);
  }
  return d.sum;
}

/* Going back by running again makes other stacks, and other positions only if
 * something is wrong with the steps. */
void native_fingerprint(struct system *system, bool exact,
                        struct fingerprint *out) {
  (void)system;
  bool undone = engine.control->options.rollback == ROLLBACK_UNDO;
  *out = (struct fingerprint){{0}};
  out->part[FINGERPRINT_VARIABLES] = digest_variables();
  out->part[FINGERPRINT_HEAP] = digest_heap();
  out->part[FINGERPRINT_PROCESSES] = digest_threads(exact && undone);
  if (exact && undone)
    out->part[FINGERPRINT_STACKS] = digest_stacks();
  out->part[FINGERPRINT_OUTPUT] = digest_output(exact);
}

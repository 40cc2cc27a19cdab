/* Saving and restoring the stack of the thread that takes a step.
 *
 * A small stack is copied whole before each step.  For a large one that would
 * cost memory in proportion to its size at every step, so it has a shadow: a
 * copy as of the thread's latest step that began with a large stack.  Such a
 * step brings the shadow up to date and keeps only the lines that differed, as
 * they were.  To undo it, the stack is copied back from the shadow, then the
 * shadow takes its old lines again.  Steps are undone in reverse order, so the
 * shadow always is what the latest large step left, whatever small steps came
 * between.
 */
#include "engine.h"

#include <string.h>

enum {
  SMALL = 1024, /* a copy of so many bytes is as fast as a comparison */
  LINE = STACK_LINE,
};

typedef long long vector __attribute__((vector_size(16), may_alias));

/* keep: a line of the shadow before a step. */
struct line {
  char *place; /* in the shadow */
  char *unused;
  char bytes[LINE];
};

/* Both aligned to 16; a few lines as a rule, and at least one.  Whole lines
 * only: the processor would guess wrong how many bytes are left. */
static inline void copy(char *to, const char *from, size_t size) {
  vector *t = (vector *)(void *)to;
  const vector *f = (const vector *)(const void *)from;
  const vector *end = (const vector *)(const void *)(from + size);
  do {
    vector a = f[0], b = f[1], c = f[2], d = f[3];
    t[0] = a, t[1] = b, t[2] = c, t[3] = d;
    t += 4, f += 4;
  } while (f < end);
}

static inline bool same_line(const char *a, const char *b) {
  const vector *x = (const vector *)(const void *)a;
  const vector *y = (const vector *)(const void *)b;
  vector d = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
  return (d[0] | d[1]) == 0;
}

static inline char *aligned_down(const void *at, uintptr_t unit) {
  return (char *)((uintptr_t)at & ~(unit - 1));
}

/* ---- large stacks -------------------------------------------------------- */

static void update_line(char *shadow, const char *now) {
  VEC_RESERVE(engine.bytes, sizeof(struct line));
  struct line *old = (struct line *)(void *)&engine.bytes.at[engine.bytes.size];
  old->place = shadow;
  old->unused = NULL;
  copy(old->bytes, shadow, LINE);
  copy(shadow, now, LINE);
  engine.bytes.size += sizeof(struct line);
}

static __attribute__((noinline)) void save_large(struct thread *t,
                                                 struct record *r) {
  if (!engine.has_shadow[t->id])
    stack_map_shadow(t);
  r->bytes = engine.bytes.size;
  for (char *at = aligned_down(t->sp, LINE); at < t->stack_base; at += LINE)
    if (!same_line(at, at + SHADOW_OFFSET))
      update_line(at + SHADOW_OFFSET, at);
  r->stack = (uint32_t)(engine.bytes.size - r->bytes);
  r->large = 1;
}

static __attribute__((noinline)) void restore_large(const struct record *r,
                                                    bool live) {
  const struct thread *t = engine.threads[r->thread];
  char *from = aligned_down((const void *)(uintptr_t)r->saved[0], LINE);
  if (live)
    copy(from, from + SHADOW_OFFSET, (size_t)(t->stack_base - from));
  for (size_t done = 0; done < r->stack; done += sizeof(struct line)) {
    const struct line *old =
        (const struct line *)(const void *)&engine.bytes.at[r->bytes + done];
    copy(old->place, old->bytes, LINE);
  }
}

/* The line as it was when the step `anchor` began: in the oldest later record
 * that replaced it in the shadow, else in the shadow. */
static const char *line_at(const struct thread *t, uint32_t anchor,
                           const char *place) {
  const char *found = place;
  for (uint32_t step = t->last_step; step > anchor;) {
    const struct record *r = &engine.steps.at[step - 1];
    for (size_t done = 0; r->large && done < r->stack;
         done += sizeof(struct line)) {
      const struct line *old =
          (const struct line *)(const void *)&engine.bytes.at[r->bytes + done];
      if (old->place == place)
        found = old->bytes;
    }
    step = r->previous;
  }
  return found;
}

/* The first line may begin below the stack pointer: those bytes are dead. */
static bool large_is_as_at(const struct thread *t, uint32_t anchor) {
  const char *end = t->stack_base;
  for (char *at = aligned_down(t->sp, LINE); at < end; at += LINE) {
    const char *then = line_at(t, anchor, at + SHADOW_OFFSET);
    size_t dead = (char *)t->sp > at ? (size_t)((char *)t->sp - at) : 0;
    if (memcmp(at + dead, then + dead, LINE - dead) != 0)
      return false;
  }
  return true;
}

/* ---- any stack ----------------------------------------------------------- */

void stack_save(struct thread *t, struct record *r) {
  const char *from = aligned_down(t->sp, LINE);
  size_t size = (size_t)(t->stack_base - from);
  if (unlikely(size > SMALL)) {
    save_large(t, r);
    return;
  }
  VEC_RESERVE(engine.bytes, size);
  r->bytes = engine.bytes.size;
  r->stack = (uint32_t)size;
  r->large = 0;
  copy(&engine.bytes.at[r->bytes], from, size);
  engine.bytes.size += size;
}

/* A hook's frame and some of the program's.  Deeper frames are cleared only
 * where every byte counts. */
enum { WIPED = 512, WIPED_DEEP = 16 << 10 };

static void wipe_some(char *from) {
  typedef long long part __attribute__((vector_size(16), aligned(8)));
  volatile part *to = (volatile part *)(void *)from;
  for (size_t i = 0; i < WIPED / sizeof *to; i += 8) {
    to[i] = to[i + 1] = to[i + 2] = to[i + 3] = (part){0};
    to[i + 4] = to[i + 5] = to[i + 6] = to[i + 7] = (part){0};
  }
}

void stack_wipe(struct thread *t) {
  size_t size = unlikely(engine.watched) ? WIPED_DEEP : WIPED;
  char *from = (char *)t->sp - size;
  if (from < t->stack_low)
    return;
  if (size == WIPED)
    wipe_some(from);
  else
    memset(from, 0, size);
}

/* The hooks that call it use less.  Volatile: stores, not a string instruction,
 * which is slow to begin. */
__attribute__((noinline)) void stack_leave_nothing(void) {
  typedef uint64_t part __attribute__((vector_size(16)));
  volatile part below[16];
  for (size_t i = 0; i < sizeof below / sizeof *below; i++)
    below[i] = (part){0};
}

void stack_restore(const struct record *r, bool live) {
  if (unlikely(r->large))
    restore_large(r, live);
  else if (live)
    copy(engine.threads[r->thread]->stack_base - r->stack,
         &engine.bytes.at[r->bytes], r->stack);
}

/* Of a multiple of 8 bytes.  Rounds of a loop differ at the same place as a
 * rule, so that is looked at first. */
static inline bool same_bytes(const char *a, const char *b, size_t size) {
  static size_t differed; /* keep */
  if (differed < size && memcmp(a + differed, b + differed, 8) != 0)
    return false;
  for (size_t i = 0; i < size; i += 8)
    if (memcmp(a + i, b + i, 8) != 0) {
      differed = i;
      return false;
    }
  return true;
}

bool stack_is_as_at(const struct thread *t, uint32_t anchor) {
  const struct record *a = &engine.steps.at[anchor - 1];
  if (a->saved[0] != (uintptr_t)t->sp)
    return false;
  if (a->large)
    return large_is_as_at(t, anchor);
  size_t size = (size_t)(t->stack_base - (const char *)t->sp);
  return same_bytes(&engine.bytes.at[a->bytes + a->stack - size], t->sp, size);
}

const char *stack_line_at(const struct thread *t, uint32_t step,
                          const char *line) {
  const struct record *r = &engine.steps.at[step - 1];
  if (line < aligned_down((const void *)(uintptr_t)r->saved[0], LINE))
    return NULL;
  if (unlikely(r->large))
    return line_at(t, step, line + SHADOW_OFFSET);
  return &engine.bytes.at[r->bytes + r->stack - (size_t)(t->stack_base - line)];
}

/* The footprint of the step at hand.
 *
 * A simple operation's footprint is the announced one.  An atomic block's grows
 * with each of its accesses.  Two kinds are left out, because they cannot
 * matter to other threads: accesses that an earlier one covers, and reads of
 * bytes that the block itself wrote.
 */
#include "system/native/actor/actor.h"
#include "engine.h"
#include "round.h"

enum {
  RECENT = 16,   /* accesses searched for one that covers the new one */
  COMPACT = 256, /* accesses in a footprint before it is sorted and merged */
};

bool accesses_overlap(const struct access *a, const struct access *b) {
  return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* A plain access says more than an atomic one (it may race), a write more than
 * a read.  What the rounds before an await read says nothing about this step.
 */
static bool covers(const struct access *a, const struct access *b) {
  return !(a->mode & ACCESS_EARLIER) && a->addr <= b->addr &&
         b->addr + b->size <= a->addr + a->size &&
         (a->mode & ACCESS_WRITE) >= (b->mode & ACCESS_WRITE) &&
         (a->mode & ACCESS_ATOMIC) <= (b->mode & ACCESS_ATOMIC);
}

/* Joins b to a if together they are one range of the same mode.  Blind writes
 * to two places are not a blind write to one
 * (explore/observers/observed_order.h). */
static bool extend(struct access *a, const struct access *b) {
  if (a->mode != b->mode || (a->mode & ACCESS_BLIND) || b->addr < a->addr ||
      b->addr > a->addr + a->size)
    return false;
  uint64_t end = b->addr + b->size;
  if (end - a->addr > UINT32_MAX)
    return false;
  if (end > a->addr + a->size)
    a->size = (uint32_t)(end - a->addr);
  return true;
}

static bool before(const struct access *a, const struct access *b) {
  return a->mode != b->mode ? a->mode < b->mode : a->addr < b->addr;
}

/* Shell's sort: libc's qsort allocates, and here it would allocate from the
 * program's heap. */
static void sort(struct access *at, uint32_t n) {
  for (uint32_t gap = n / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (uint32_t i = gap; i < n; i++) {
      struct access moved = at[i];
      uint32_t to = i;
      for (; to >= gap && before(&moved, &at[to - gap]); to -= gap)
        at[to] = at[to - gap];
      at[to] = moved;
    }
}

static void compact(struct record *r) {
  struct access *at = &engine.accesses.at[r->first];
  for (uint32_t i = 0; i < r->accesses; i++)
    at[i].mode &= ~(uint32_t)ACCESS_BLIND; /* too many to matter */
  sort(at, r->accesses);
  uint32_t n = 0;
  for (uint32_t i = 1; i < r->accesses; i++)
    if (!extend(&at[n], &at[i]))
      at[++n] = at[i];
  r->accesses = n + 1;
  engine.accesses.size = r->first + r->accesses;
}

static void add(struct record *r, struct access access) {
  struct access *at = &engine.accesses.at[r->first];
  uint32_t n = r->accesses;
  uint32_t recent = n < RECENT ? n : RECENT;
  for (uint32_t i = n; i-- > n - recent;)
    if (covers(&at[i], &access) || extend(&at[i], &access))
      return;
  VEC_PUSH(engine.accesses, access);
  r->accesses++;
  /* Sorting at powers of two keeps the cost of a long block near linear. */
  if (r->accesses >= COMPACT && (r->accesses & (r->accesses - 1)) == 0)
    compact(r);
}

/* The accesses of the last step are the last ones: spin.c appends more only
 * after the step. */
static struct record *at_hand(void) {
  if (engine.mode != MODE_EXPLORE || !engine.steps.size)
    return NULL;
  return &VEC_TOP(engine.steps);
}

void footprint_add(const void *addr, size_t size, uint32_t mode) {
  struct record *r = at_hand();
  for (uint64_t from = (uintptr_t)addr; r && size;) {
    uint32_t part = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    struct access access = {from, part, mode};
    if (unlikely(engine.in_data))
      sharing_add(&access);
    else
      add(r, access);
    from += part;
    size -= part;
  }
}

/* keep: 1 + the index in the footprint of the access of the block's last
 * operation, if that operation was conditional and no other access covers it;
 * else 0. */
static uint32_t conditional;

/* A compare-and-swap or trylock may turn out to only read, so its access is not
 * merged with earlier ones. */
static void add_conditional(struct record *r, struct access access) {
  const struct access *at = &engine.accesses.at[r->first];
  uint32_t recent = r->accesses < RECENT ? r->accesses : RECENT;
  for (uint32_t i = r->accesses; i-- > r->accesses - recent;)
    if (covers(&at[i], &access))
      return;
  VEC_PUSH(engine.accesses, access);
  conditional = ++r->accesses;
}

/* Is it a local variable that the task's step at hand has created?  A thread
 * that touches it later knows its address from a write or a message of this
 * step. */
static bool is_new_local(const struct record *r, const struct access *a) {
  return r->op == OP_TASK && a->addr < r->saved[0] &&
         a->addr >= (uintptr_t)self->stack_low;
}

void footprint_collect(const struct operation *op) {
  struct record *r = at_hand();
  conditional = 0;
  for (uint32_t i = 0; i < op->accesses; i++) {
    if (is_new_local(r, &op->access[i]))
      continue;
    if (r->op == OP_TASK)
      private_check(self->task, &op->access[i], op->pc);
    if (op->flags & STEP_CONDITIONAL)
      add_conditional(r, op->access[i]);
    else
      add(r, op->access[i]);
  }
}

/* In an atomic block the writes of earlier operations stay writes. */
void footprint_only_read(void) {
  struct record *r = at_hand();
  if (!r)
    return;
  if (self->atomic_depth) {
    if (conditional)
      engine.accesses.at[r->first + conditional - 1].mode &=
          ~(uint32_t)ACCESS_WRITE;
    return;
  }
  r->failed = 1;
  round_only_reads(self);
  for (uint32_t i = 0; i < r->accesses; i++)
    engine.accesses.at[r->first + i].mode &= ~(uint32_t)ACCESS_WRITE;
}

void footprint_looked(void) {
  struct record *r = at_hand();
  if (!r || !(r->flags & STEP_LOOK) || self->atomic_depth)
    return;
  engine.accesses.at[r->first].mode &= ~(uint32_t)ACCESS_WRITE;
  round_only_reads(self);
}

/* A read and the compare-and-swap behind it as one step.
 *
 *   do                               old = x;
 *     old = x;                       while (!compare_swap(&x, &old, f(old)))
 *   while (!compare_swap(&x, &old,     ;
 *                        f(old)));
 *
 * A thread reads a place, and its next operation is a compare-and-swap of that
 * place which succeeds.  The two are one step, a write, if a swap that fails
 * leads back: to where the thread was before it read, or to where it would be
 * if it had read the value that made the swap fail; or to another read, behind
 * which it is where it would be if it had read at first what it reads there.
 * Why nothing is lost: take an execution with steps of other threads between
 * the two.  If the swap succeeds, the read can be moved to it and finds the
 * same value.  If it fails, the read can be left out, or replaced by the
 * failure, which also reads, or by the read behind that.
 *
 * The same with an update, such as a test-and-set, that makes v of what was
 * read, leads back if it finds v, and leaves v there.  It is one step with the
 * read as long as the place has no third value (two_values.c).
 *
 * Between the two the thread may write a link, as that of a node that is put on
 * a stack, which every round writes anew (cc/instrument/renewed.c).  The step
 * then writes both.  It is one only as long as no other thread touches the link
 * without an order with the step (ACCESS_LINK); then the search begins anew
 * with operations apart.
 *
 * A swap or exchange that fails may be followed by a read of the same place
 * that leads back, too, whatever it finds.  Then the swap is in vain already,
 * and waits: see retry_waits.
 *
 * Whether a swap leads back is found out by two trials with two values that are
 * not there.  They stand for all values: the instrumenter marks operations
 * whose value shows only in the values of rounds, as a whole or some bytes of
 * it, and in memory of the thread's own (HOOK_CARRIED).  So up to the next head
 * of a loop the thread does the same whatever it finds, unless it reads memory
 * of its own on the way.  The two values differ in every bit, so that no
 * constant is taken for a part of the value found; and each of their bytes is
 * another one, and not 0, so that no part is taken for another part.
 */
#include "retry.h"

#include <string.h>

#include "polling.h"
#include "round.h"
#include "two_values.h"

static bool is_read(const struct record *r) {
  return r->op == OP_LOAD || (r->op == OP_CAS && r->failed);
}

/* Is the thread about to do this with the place that it has just read? */
static bool is_same_place(const struct record *read,
                          const struct operation *op) {
  const struct access *a = &engine.accesses.at[read->first];
  return op && is_read(read) && op->accesses == 1 &&
         a->addr == op->access->addr && a->size == op->access->size &&
         a->size <= 8 && !engine.has_finding;
}

static bool is_retry(const struct record *read, const struct operation *op) {
  const void *place = (const void *)(uintptr_t)op->access->addr;
  return op->op == OP_CAS && op->carried && is_same_place(read, op) &&
         memcmp(place, op->expected, op->access->size) == 0;
}

/* A result that is not used leads nowhere. */
static bool is_update(const struct record *read, const struct operation *op) {
  return op->op == OP_RMW && !(op->access->mode & ACCESS_KIND) &&
         is_same_place(read, op);
}

enum { TRIALS = 2 };

static bool acquires(uint8_t order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static uint64_t value_at(const struct access *a) {
  uint64_t value = 0;
  memcpy(&value, (const void *)(uintptr_t)a->addr, a->size);
  return value;
}

/* A value that is not there.  If the first pattern is, its bytes in another
 * order are not, and neither are those of its complement. */
static uint64_t other_value(const struct access *a, unsigned trial) {
  uint64_t pattern = UINT64_C(0x0123456789abcdef), now = value_at(a);
  uint64_t bits = ~UINT64_C(0) >> (64 - 8 * a->size);
  while (!((now ^ pattern) & bits) || !((now ^ ~pattern) & bits))
    pattern = pattern << 8 | pattern >> 56;
  return trial ? ~pattern : pattern;
}

/* Reading memory of its own the thread may have found a value there that it has
 * just written. */
static bool only_wrote(void) {
  return engine.hidden == engine.changes && !engine.used_own;
}

static bool is_read_of(const struct operation *op, const struct access *a) {
  return op && op->op == OP_LOAD && op->carried && op->accesses == 1 &&
         op->access->addr == a->addr && op->access->size == a->size;
}

/* Did the last read of a trial acquire?  If it stands for the first read of the
 * thread, it must not acquire less: otherwise a data race would be missed. */
static bool found_acquires; /* keep: scratch */

/* The next steps of t, on these values, up to the first head of a loop; those
 * behind the first are reads of the same place.  False: there is none, or
 * something was changed since the step at `depth` began that is not the
 * thread's own. */
static bool arrive_behind(struct thread *t, const uint64_t *value,
                          unsigned count, size_t depth, struct arrival *to) {
  const struct access a = *t->pending->access;
  void *place = (void *)(uintptr_t)a.addr;
  uint64_t now = value_at(&a);
  size_t steps = engine.steps.size;
  bool goes = true;
  to->arrived = false;
  engine.arrival = to;
  for (unsigned i = 0; i < count && goes; i++) {
    struct step step;
    memcpy(place, &value[i], a.size);
    engine_step(t, 0, &step);
    found_acquires = acquires(VEC_TOP(engine.steps).order);
    goes = only_wrote() && !engine.has_finding &&
           (i + 1 == count || (!to->arrived && is_read_of(t->pending, &a)));
  }
  engine.arrival = NULL;
  bool arrived = goes && to->arrived &&
                 own_collect(t, engine.steps.at[depth].entries, &to->round,
                             &to->renewed, &to->own);
  undo_to(steps);
  memcpy(place, &now, a.size);
  return arrived;
}

/* The same of the next step, on this value. */
static bool arrive(struct thread *t, uint64_t value, size_t depth,
                   struct arrival *to) {
  return arrive_behind(t, &value, 1, depth, to);
}

static bool arrive_at_other(struct thread *t, unsigned trial, size_t depth,
                            struct arrival *to) {
  return arrive(t, other_value(t->pending->access, trial), depth, to);
}

/* Back to a round that began before the step with this number? */
static bool comes_back(const struct arrival *to, uint32_t step) {
  return to->before && engine.rounds.at[to->before - 1].step < step;
}

static bool same_arrivals(const struct arrival *a, const struct arrival *b) {
  return round_same(&a->round, &b->round) && own_same(&a->own, &b->own);
}

/* A swap that fails leads to another read of the place.  Is the thread then
 * where it would be if it had read at first what it reads there? */
static bool reads_again(struct thread *t, size_t depth, bool must_acquire) {
  static struct arrival again[TRIALS], read; /* keep: scratch */
  const struct access *a = t->pending->access;
  uint64_t value[TRIALS] = {other_value(a, 0), other_value(a, 1)};
  for (unsigned i = 0; i < TRIALS; i++)
    if (!arrive_behind(t, (uint64_t[]){value[!i], value[i]}, 2, depth,
                       &again[i]))
      return false;
  if (must_acquire && !found_acquires)
    return false;
  undo_to(depth);
  for (unsigned i = 0; i < TRIALS; i++)
    if (!arrive(t, value[i], depth, &read) || !same_arrivals(&again[i], &read))
      return false;
  return true;
}

static bool swap_joins(struct thread *t, size_t depth, bool carried) {
  static struct arrival failed[TRIALS], read[TRIALS]; /* keep: scratch */
  bool must_acquire =
      acquires(engine.steps.at[depth].order) && !acquires(t->pending->order);
  for (unsigned i = 0; i < TRIALS; i++)
    if (!arrive_at_other(t, i, depth, &failed[i]))
      return carried && reads_again(t, depth, must_acquire);
  if (failed[0].before == failed[1].before &&
      comes_back(&failed[0], (uint32_t)depth + 1))
    return true;
  if (!carried || (must_acquire && !found_acquires))
    return false;
  undo_to(depth);
  for (unsigned i = 0; i < TRIALS; i++)
    if (!arrive_at_other(t, i, depth, &read[i]) ||
        !same_arrivals(&failed[i], &read[i]))
      return false;
  return true;
}

/* What the update makes of the value that is there. */
static uint64_t updated(struct thread *t) {
  const struct access a = *t->pending->access;
  size_t steps = engine.steps.size;
  struct step step;
  engine_step(t, 0, &step);
  uint64_t value = value_at(&a);
  undo_to(steps);
  return value;
}

static bool update_joins(struct thread *t, size_t depth) {
  static struct arrival back; /* keep: scratch */
  const struct access a = *t->pending->access;
  uint64_t now = value_at(&a), next = updated(t);
  return next != now && arrive(t, next, depth, &back) &&
         comes_back(&back, (uint32_t)depth + 1) &&
         two_values_rely(&a, now, next);
}

/* ---- waiting for another value ------------------------------------------- */

/*   while (exchange(&lock, 1))
 *     while (lock)
 *       ;
 *
 * The exchange fails if it finds 1.  Then the thread reads lock: if it is 1
 * still, the inner loop goes round, and if it is 0, the outer one does.  So as
 * long as the place has no third value the exchange leads back whatever comes,
 * and it is the exchange that waits. */

/* Does reading this value lead back to a round that began at most so many steps
 * ago, or, with 0, to any? */
static bool reading_leads_back(struct thread *t, uint64_t value, size_t since) {
  const struct access a = *t->pending->access;
  void *place = (void *)(uintptr_t)a.addr;
  uint64_t now = value_at(&a);
  size_t steps = engine.steps.size;
  struct step step;
  memcpy(place, &value, a.size);
  engine.came_round = 0;
  bool back = engine_step(t, 0, &step) == STEP_DONE && engine.came_round &&
              (!since || engine.came_since <= since);
  engine.came_round = 0;
  undo_to(steps);
  memcpy(place, &now, a.size);
  return back;
}

/* Of the place of a step that changed nothing, and was no load? */
static bool reads_the_same(const struct record *r, const struct operation *op) {
  const struct access *a = &engine.accesses.at[r->first];
  return op && op->op == OP_LOAD && op->accesses == 1 && r->accesses == 1 &&
         op->access->addr == a->addr && op->access->size == a->size &&
         a->size <= 8 && r->op != OP_LOAD && (r->failed || round_went_on(r)) &&
         !engine.has_finding;
}

bool retry_waits(struct thread *t) {
  size_t depth = engine.steps.size - 1;
  if (!reads_the_same(&engine.steps.at[depth], t->pending))
    return false;
  const struct access a = *t->pending->access;
  uint64_t now = value_at(&a), other;
  return two_values_other(&a, now, &other) && reading_leads_back(t, now, 0) &&
         reading_leads_back(t, other, depth) &&
         polling_relies(t, engine.came_since) &&
         two_values_rely(&a, now, other);
}

/* ---- links --------------------------------------------------------------- */

static bool releases(uint8_t order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

/* A write that may come between the read and the swap.  Algorithms that leave
 * stores without an order do not tell whether another step could have come
 * between. */
static bool is_link(const struct record *read, const struct operation *op) {
  const struct access *place = &engine.accesses.at[read->first];
  return op && (op->op == OP_WRITE || op->op == OP_STORE) &&
         op->accesses == 1 && is_read(read) && read->accesses == 1 &&
         op->access->size <= 8 && !accesses_overlap(op->access, place) &&
         !engine.exposed && !engine.unordered && !engine.has_finding;
}

static struct access link_of(const struct operation *op) {
  uint32_t mode = op->access->mode & ~(uint32_t)ACCESS_BLIND;
  if (!releases(op->order))
    mode |= ACCESS_LOOSE;
  return (struct access){op->access->addr, op->access->size,
                         mode | ACCESS_LINK};
}

/* The thread remembers the rounds that began before it wrote. */
static void write_link(struct thread *t) {
  struct step step;
  uint32_t rounds = t->rounds, section = t->section;
  engine_step(t, 0, &step);
  t->rounds = rounds;
  t->section = section;
}

bool retry_link(const struct operation *op) {
  struct record *r = &VEC_TOP(engine.steps);
  if (!is_link(r, op))
    return false;
  ensure(engine.accesses.size == r->first + r->accesses);
  VEC_PUSH(engine.accesses, link_of(op));
  r->accesses++;
  r->link = engine.pc = op->pc;
  engine.hidden++;
  round_changes();
  return true;
}

/* ---- the step of both ---------------------------------------------------- */

enum op retry_joins(struct thread *t, bool carried) {
  size_t depth = engine.steps.size - 1;
  bool links = is_link(&engine.steps.at[depth], t->pending);
  bool hands_on = links && releases(t->pending->order);
  if (links)
    write_link(t);
  const struct record *r = &engine.steps.at[depth];
  if (!t->pending)
    return OP_NONE;
  if (is_retry(r, t->pending) && (!hands_on || releases(t->pending->order)))
    return swap_joins(t, depth, carried) ? OP_CAS : OP_NONE;
  if (!links && is_update(r, t->pending))
    return update_joins(t, depth) ? OP_RMW : OP_NONE;
  return OP_NONE;
}

/* The memory order of both: what either acquires, and the swap releases. */
static uint8_t joint_order(uint8_t read, uint8_t swap) {
  if (!acquires(read) || acquires(swap))
    return swap;
  return swap == __ATOMIC_RELEASE ? __ATOMIC_ACQ_REL : __ATOMIC_ACQUIRE;
}

bool retry_join(const struct operation *op) {
  struct record *r = &VEC_TOP(engine.steps);
  engine.joining = false;
  if (!is_retry(r, op) && !is_update(r, op))
    return false;
  engine.accesses.at[r->first].mode |= ACCESS_WRITE;
  r->order = joint_order(r->order, op->order);
  r->op = op->op;
  r->failed = 0;
  engine.pc = op->pc;
  engine.hidden++;
  round_changes();
  return true;
}

/* Rounds of loops that only look.
 *
 * A thread that comes back to the head of a loop, with the values that it had
 * there before, and has only read since, can leave out what it did in between:
 * nothing else changes by that.  So no execution with such a round need be
 * explored.  The read that would close the round is not a step that the thread
 * can take: the thread waits for another value, as it would for a mutex.
 *
 * Whether a read closes a round is found out by taking the step and taking it
 * back.  The same is asked about values that were there before (see
 * `passes_before` in core/system.h): they are put there for the time of the
 * trial.
 *
 * A place that is written in parts, or together with others, has no one order
 * of writes to go back over.  So its looks are never disabled.  That shows only
 * when it happens; then the search begins anew.  The same if the algorithm
 * leaves stores without an order (blind.c).
 *
 * A round may write memory that no other thread uses.  It is in vain if that
 * memory is in the end as it was when the round began.
 *
 * A thread remembers the rounds that it began since it last wrote anything.
 * They lie in engine.rounds, which grows and is cut off with the steps.
 */
#include <string.h>

#include "engine.h"
#include "idle.h"
#include "interrupt.h"
#include "leftover.h"
#include "loop_bound.h"
#include "own.h"
#include "polling.h"
#include "retry.h"
#include "round.h"
#include "taken_back.h"
#include "timekeeping.h"
#include "two_values.h"

#define HOOK __attribute__((visibility("default")))

/* Values on their way to the hook of their round. */
static struct {
  size_t size;
  uint64_t at[HOOK_MOST_VALUES];
} values; /* keep */

/* What every round of a loop writes anew: on its way to the hook, and of the
 * round that begins. */
static struct renewed renewed, renewed_next; /* keep */

/* ---- rounds -------------------------------------------------------------- */

static const struct round *round_get(uint32_t number) {
  return number ? &engine.rounds.at[number - 1] : NULL;
}

static bool is_same_loop(const struct round *a, const struct round *b) {
  return a->frame == b->frame && a->pc == b->pc;
}

static bool knows_the_same(const struct round *a, const struct round *b) {
  return a->values == b->values && a->section == b->section &&
         memcmp(a->value, b->value, a->values * sizeof *a->value) == 0;
}

bool round_same(const struct round *a, const struct round *b) {
  return is_same_loop(a, b) && knows_the_same(a, b);
}

/* The latest round that the running thread began of this loop, or 0.  Rounds of
 * functions that have returned are forgotten. */
static uint32_t latest(const struct round *now) {
  const struct round *r;
  while ((r = round_get(self->rounds)) && r->frame < now->frame)
    self->rounds = r->older;
  for (uint32_t n = self->rounds; (r = round_get(n)); n = r->older)
    if (is_same_loop(r, now))
      return n;
  return 0;
}

/* A round of the loop, since it was entered, that began like this one, or 0. */
static uint32_t begun_before(const struct round *now, uint32_t n) {
  const struct round *r = round_get(n);
  for (int i = 0; i < MOST_COMPARED && r; i++) {
    if (!is_same_loop(r, now))
      return 0;
    if (knows_the_same(r, now) && own_is_as_at(self, r, now->frame, &renewed))
      return n;
    if (r->enters)
      return 0;
    n = r->older;
    r = round_get(n);
  }
  return 0;
}

/* What lies above `older` are rounds of loops inside this one, now left. */
static void remember(struct round *now, uint32_t older) {
  now->older = older;
  VEC_PUSH(engine.rounds, *now);
  self->rounds = (uint32_t)engine.rounds.size;
}

static bool never(const struct operation *op) {
  (void)op;
  return false;
}

/* Nothing was looked at in between: whatever others do, it goes on for ever. */
static void go_round_for_ever(uint64_t pc) {
  struct operation op = {
      .op = OP_LOOP, .flags = STEP_BLOCKING, .pc = pc, .ready = never};
  announce(&op);
}

/* The step at hand closed a round.  It was not held if the algorithm leaves
 * stores to its place without an order: from now on they have one. */
static void order_stores(void);

/* Would a data race not be seen if the step that closes this round were left
 * out?  A plain read races with a write although the looks before it may order
 * the read of a later round behind that write.  Where there are no such looks,
 * the read that ends the loop races, too. */
static bool hides_race(const struct round *before, const struct round *now) {
  const struct record *r = &engine.steps.at[now->step - 1];
  return r->accesses && r->previous != before->step &&
         !(engine.accesses.at[r->first].mode & ACCESS_ATOMIC);
}

/* In a trial: the thread stops here and will be taken back. */
static void arrive(const struct round *now, uint32_t before) {
  struct arrival *to = engine.arrival;
  if (before && !to && hides_race(round_get(before), now))
    return;
  engine.came_round = before;
  if (before) {
    engine.came_since = round_get(before)->step;
    engine.came_frame = now->frame;
    engine.came_counting = now->counts ? now->pc : 0;
  }
  if (to) {
    to->arrived = true;
    to->before = before;
    to->round = *now;
    to->renewed = renewed;
  }
  if (to || before)
    heddle_switch(&self->sp, engine.sp);
}

static __attribute__((noinline)) void begin_round(struct round *now) {
  if (engine.unsettled)
    round_settle(self);
  uint32_t older = latest(now);
  uint32_t before = now->enters ? 0 : begun_before(now, older);
  if (before && round_get(before)->step == now->step && !engine.arrival)
    go_round_for_ever(now->pc);
  if (engine.trying == self)
    arrive(now, before);
  if (before)
    order_stores();
  leftover_begin(now->pc);
  remember(now, now->enters ? self->rounds : older);
}

HOOK void heddle_hook_round_value(uint64_t);
HOOK void heddle_hook_round_value(uint64_t value) {
  if (engine.mode == MODE_EXPLORE) /* elsewhere threads are real */
    values.at[values.size++] = value;
}

HOOK void heddle_hook_round_renews(char *, size_t);
HOOK void heddle_hook_round_renews(char *at, size_t size) {
  if (engine.mode == MODE_EXPLORE)
    renewed_next.place[renewed_next.count++] = (struct renewed_place){at, size};
}

/* Code that the user has allowed may give other results in every round, and no
 * one sees why. */
bool round_is_blind(void) {
  return engine.control->externals[0] != 0;
}

/* `count` values are there. */
static void compare_round(uint64_t pc, const char *frame, size_t marks,
                          size_t count) {
  static struct round now; /* keep */
  now = (struct round){.pc = pc,
                       .frame = frame,
                       .step = self->last_step,
                       .section = polling_innermost(self),
                       .entries = engine.log.size,
                       .values = (uint32_t)count,
                       .enters = marks & HOOK_ENTERS,
                       .counts = marks & HOOK_COUNTS};
  memcpy(now.value, values.at, count * sizeof *values.at);
  begin_round(&now);
}

/* Rounds that count are never alike, unless the user wants them to be. */
static bool is_alike(size_t marks) {
  return !(marks & HOOK_COUNTS) ||
         engine.control->options.loops == LOOPS_COLLAPSE;
}

HOOK void heddle_hook_round(size_t);
HOOK void heddle_hook_round(size_t marks) {
  if (engine.mode != MODE_EXPLORE)
    return;
  const char *frame = __builtin_frame_address(0);
  size_t count = values.size;
  values.size = 0;
  renewed = renewed_next;
  renewed_next.count = 0;
  if (self->atomic_depth)
    return;
  bool compares = !engine.apart && !round_is_blind() && is_alike(marks) &&
                  !loop_idles(CALLER, frame);
  if (compares)
    compare_round(CALLER, frame, marks, count);
  if (loop_count(CALLER, frame, marks & HOOK_ENTERS) || compares)
    stack_leave_nothing();
}

/* ---- what ends them ------------------------------------------------------ */

bool round_goes_on(const struct record *r) {
  switch (r->op) {
  case OP_READ:
  case OP_LOAD:
  case OP_SCAN:
  case OP_FENCE:
  case OP_CHOOSE:
  case OP_INPUT:
  case OP_SEM_VALUE:
    return true;
  case OP_WRITE: /* hidden when the schedule was found, or the round ended */
  case OP_END:
    return engine.following;
  case OP_ONCE: /* known once the step is taken */
  case OP_LIBRARY:
    return !(engine.accesses.at[r->first].mode & ACCESS_WRITE);
  default:
    return false;
  }
}

/* May the step turn out only to read?  Updates without an order do
 * not tell. */
static bool may_settle(const struct record *r) {
  return r->op == OP_RMW && !(engine.accesses.at[r->first].mode & ACCESS_KIND);
}

void round_step(struct thread *t, struct record *r) {
  if (taken_back_ends())
    return;
  r->passing = (engine.joins || engine.following) && polling_passes(t, r);
  if (r->passing || round_goes_on(r))
    return;
  t->rounds = t->section = 0;
  engine.unsettled = may_settle(r);
}

void round_only_reads(struct thread *t) {
  struct record *r = &VEC_TOP(engine.steps);
  const char *saved = (const char *)r->saved;
  r->passing = 0;
  memcpy(&t->rounds, saved + offsetof(struct thread, rounds), sizeof t->rounds);
  memcpy(&t->section, saved + offsetof(struct thread, section),
         sizeof t->section);
}

/* An update that leaves what was there, like a test-and-set of a lock that is
 * taken. */
static bool leaves_value(const struct record *r) {
  const struct access *a = &engine.accesses.at[r->first];
  return !engine.has_finding && undo_unchanged(r, a->addr, a->size);
}

void round_settle(struct thread *t) {
  engine.unsettled = false;
  if (leaves_value(&VEC_TOP(engine.steps)))
    round_only_reads(t);
}

bool round_went_on(const struct record *r) {
  return round_goes_on(r) || (may_settle(r) && leaves_value(r));
}

/* ---- trials -------------------------------------------------------------- */

/* --verify has not looked at the state before these steps. */
void trial_begin(struct trial *trial, struct thread *t) {
  *trial = (struct trial){engine.steps.size, engine.watched};
  engine.watched = false;
  engine.trying = t;
  engine.came_round = false;
}

void trial_end(const struct trial *trial) {
  engine.trying = NULL;
  engine.came_round = false;
  undo_to(trial->depth);
  engine.watched = trial->watched;
}

/* ---- looks --------------------------------------------------------------- */

/* One object, in one granule, or two words as one: then its writes are in one
 * order. */
static bool is_one_object(const struct access *a, size_t count) {
  return count == 1 &&
         ((a->addr & 7) + a->size <= 8 || (a->size == 16 && !(a->addr & 15)));
}

/* Only then are the writes to it in one order.  The races of a look at two
 * words are looked for at the first one: so they are not read in parts, either.
 */
static bool is_written_whole(const struct looked *l, const struct record *r) {
  if (!r->thread && !r->children)
    return true; /* main, alone: before all others */
  for (uint32_t i = 0; i < r->accesses; i++) {
    const struct access *a = &engine.accesses.at[r->first + i];
    if (((a->mode & ACCESS_WRITE) || l->size > 8) &&
        a->addr < l->addr + l->size && l->addr < a->addr + a->size &&
        (a->addr != l->addr || a->size != l->size))
      return false;
  }
  return true;
}

static const struct looked *looked_at(const struct access *a) {
  for (size_t i = 0; i < engine.looked.size; i++)
    if (engine.looked.at[i].addr == a->addr &&
        engine.looked.at[i].size == a->size)
      return &engine.looked.at[i];
  struct looked l = {.addr = a->addr, .size = a->size};
  for (size_t i = 0; i < engine.steps.size && !l.in_parts; i++)
    l.in_parts = !is_written_whole(&l, &engine.steps.at[i]);
  if (l.in_parts)
    engine_learns();
  updates_order(a);
  two_values_begin(&l);
  VEC_PUSH(engine.looked, l);
  engine.waits = true;
  return &VEC_TOP(engine.looked);
}

static void order_stores(void) {
  const struct record *r = &VEC_TOP(engine.steps);
  const struct access *a = &engine.accesses.at[r->first];
  if (engine.unordered && engine.holding && is_one_object(a, r->accesses) &&
      !looked_at(a)->in_parts && !blind_never(a))
    blind_never_again(a);
}

void round_written(const struct record *r) {
  for (size_t i = 0; i < engine.looked.size; i++) {
    struct looked *l = &engine.looked.at[i];
    if (!l->in_parts && !is_written_whole(l, r) && !polling_comes_last(r))
      l->in_parts = engine.stale = true;
    if (!engine.trying)
      two_values_written(l, r);
  }
}

/* Does the operation, as far as is known, perhaps only read?  An update whose
 * result is not used ends no round. */
static bool may_only_read(const struct operation *op) {
  return !(op->access->mode & ACCESS_WRITE) || (op->flags & STEP_CONDITIONAL) ||
         (op->op == OP_RMW && engine.joins &&
          !(op->access->mode & ACCESS_KIND));
}

/* A condition variable has more to it than the bytes of its operations. */
static bool is_look(const struct operation *op) {
  return !op->ready && is_one_object(op->access, op->accesses) &&
         op_may_fail(op->op) && !(op->flags & (STEP_BLOCKING | STEP_BLOCK)) &&
         may_only_read(op) && !looked_at(op->access)->in_parts;
}

/* A read before the first round may be joined with a swap in it: retry.c. */
static bool may_look(const struct thread *t) {
  const struct operation *op = t->pending;
  if (op && op->op == OP_ONCE && engine.trying)
    return true; /* does it go round for ever? */
  if (!engine.holding || !op || t->spin.waiting ||
      (unlikely(step_extras & EXTRA_SIGNALS) && interrupt_possible(t)))
    return false;
  if (op->op == OP_ONCE)
    return engine.joins;
  if (op->timed)
    return engine.joins && polling_may_begin(t);
  if (!t->rounds)
    return engine.joins && op->op == OP_LOAD && is_look(op);
  return is_look(op) || (engine.joins && polling_may_begin(t));
}

void round_tell_left_out(void) {
  if (engine.came_counting)
    left_out("--loops=collapse left out rounds that count in the loop at "
             "{pc:%llx}",
             (unsigned long long)engine.came_counting);
}

static enum look try_value(struct thread *t, enum op *joint) {
  struct step step;
  struct trial trial;
  bool carried = t->pending->carried;
  *joint = OP_NONE;
  trial_begin(&trial, t);
  engine_step(t, 0, &step);
  bool only_read = VEC_TOP(engine.steps).failed;
  if (engine.joins && !engine.came_round)
    idle_follow(t, trial.depth);
  bool held = engine.came_round && polling_relies(t, engine.came_since);
  if (engine.joins && !engine.came_round)
    held = retry_waits(t) || polling_backs_off(t) || taken_back_waits(t);
  if (engine.joins && !engine.came_round &&
      engine.steps.size == trial.depth + 1)
    *joint = retry_joins(t, carried);
  trial_end(&trial);
  if (held) {
    round_tell_left_out();
    return LOOK_HELD;
  }
  bool writes = (t->pending->access->mode & ACCESS_WRITE) && !only_read &&
                t->pending->op != OP_ONCE;
  return writes || *joint ? LOOK_WRITES : LOOK_READS;
}

/* Would the look be held with what rounds that are left out may have added? */
static void try_among_rounds(struct thread *t) {
  const struct access a = *t->pending->access;
  void *place = (void *)(uintptr_t)a.addr;
  uint64_t now = 0, added, value;
  enum op joint;
  for (unsigned n = 1; taken_back_may_have(&a, n, &added); n++) {
    memcpy(&now, place, a.size);
    value = now + added;
    memcpy(place, &value, a.size);
    if (try_value(t, &joint) != LOOK_HELD)
      taken_back_noticed(&a);
    memcpy(place, &now, a.size);
  }
}

static enum look try_step(struct thread *t, enum op *joint) {
  enum look look = try_value(t, joint);
  try_among_rounds(t);
  return look;
}

/* A lock may have turned out to be ordinary since it was taken for a look. */
static bool begins_section(const struct thread *t) {
  return (t->pending->flags & STEP_BLOCKING) || polling_may_begin(t);
}

static enum look try(struct thread *t, enum op *joint) {
  *joint = OP_NONE;
  if (t->pending->op == OP_ONCE) {
    enum look look = once_look(*(const int32_t *)t->pending->object);
    return look == LOOK_READS && t->rounds ? try_step(t, joint) : look;
  }
  return begins_section(t) ? polling_look(t) : try_step(t, joint);
}

enum look round_look(struct thread *t) {
  struct known_look *known = &engine.looks[t->id];
  if (known->look == LOOK_UNKNOWN) {
    if (!known->listed)
      VEC_PUSH(engine.lookers, t->id);
    known->listed = engine.waits = true;
    known->look = try(t, &known->joint);
    known->depth = (uint32_t)engine.steps.size;
    known->accesses = t->pending->accesses;
    memcpy(known->access, t->pending->access,
           known->accesses * sizeof *known->access);
  }
  return known->look;
}

/* Writes of a pthread_once_t are never without an order. */
bool round_is_look(const struct thread *t) {
  return may_look(t) && (!engine.unordered || t->pending->op == OP_ONCE ||
                         blind_never(t->pending->access));
}

enum op round_joint(struct thread *t) {
  round_look(t);
  return engine.looks[t->id].joint;
}

/* Forgets what was found out in a state that is gone. */
void round_undo(size_t depth) {
  for (size_t i = 0; i < engine.lookers.size; i++) {
    struct known_look *known = &engine.looks[engine.lookers.at[i]];
    if (known->depth > depth)
      known->look = LOOK_UNKNOWN;
  }
}

/* After a step: what its thread looked at, and what it wrote. */
void round_stepped(const struct record *r) {
  for (size_t i = 0; i < engine.lookers.size; i++) {
    uint32_t thread = engine.lookers.at[i];
    struct known_look *known = &engine.looks[thread];
    bool gone = thread == r->thread;
    for (uint32_t a = 0; a < r->accesses && !gone; a++) {
      const struct access *access = &engine.accesses.at[r->first + a];
      gone = (access->mode & ACCESS_WRITE) &&
             (accesses_overlap(access, known->access) ||
              (known->accesses > 1 &&
               accesses_overlap(access, &known->access[1])));
    }
    if (gone)
      known->look = LOOK_UNKNOWN;
  }
}

static bool changes_what(const struct record *r, const struct record *read) {
  for (uint32_t i = 0; i < r->accesses; i++)
    for (uint32_t k = 0; k < read->accesses; k++) {
      const struct access *a = &engine.accesses.at[r->first + i];
      if ((a->mode & (ACCESS_WRITE | ACCESS_SILENT)) == ACCESS_WRITE &&
          accesses_overlap(a, &engine.accesses.at[read->first + k]))
        return true;
    }
  return false;
}

bool round_is_stale(const struct thread *t) {
  uint32_t first = 0;
  for (uint32_t n = t->rounds; n; n = round_get(n)->older)
    first = round_get(n)->step;
  for (uint32_t look = t->last_step; look > first;
       look = engine.steps.at[look - 1].previous)
    for (size_t later = look; later < engine.steps.size; later++)
      if (engine.steps.at[later].thread != t->id &&
          changes_what(&engine.steps.at[later], &engine.steps.at[look - 1]))
        return true;
  return false;
}

/* So many bytes decide what comes of a look: of a read-write lock more than
 * those that stand for it in the footprint. */
static size_t tested(const struct operation *op) {
  return op->op == OP_TRYRDLOCK || op->op == OP_TRYWRLOCK ? RWLOCK_SIZE
                                                          : op->access->size;
}

static enum look once_look_before(const struct access *a, size_t position) {
  int32_t state;
  undo_bytes_before(position, a->addr, (unsigned char *)&state, sizeof state);
  return once_look(state);
}

enum look round_look_before(struct thread *t, size_t position) {
  if (t->pending->op == OP_ONCE) {
    enum look look = once_look_before(t->pending->access, position);
    if (look != LOOK_READS || !t->rounds)
      return look;
  }
  if (begins_section(t))
    return polling_look_before(t, position);
  const struct access *a = t->pending->access;
  void *place = (void *)(uintptr_t)a->addr;
  unsigned char now[RWLOCK_SIZE], before[RWLOCK_SIZE];
  size_t size = tested(t->pending);
  memcpy(now, place, size);
  undo_bytes_before(position, a->addr, before, size);
  if (memcmp(now, before, size) == 0)
    return round_look(t);
  memcpy(place, before, size);
  enum op joint;
  enum look look = try_step(t, &joint);
  memcpy(place, now, size);
  return look;
}

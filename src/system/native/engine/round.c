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
 * when it happens; then the search begins anew.
 *
 * A round may write memory that no other thread uses.  It is in vain if that
 * memory is in the end as it was when the round began.
 *
 * A thread remembers the rounds that it began since it last wrote anything.
 * They lie in engine.rounds, which grows and is cut off with the steps.
 */
#include <string.h>

#include "engine.h"
#include "polling.h"
#include "round.h"

#define HOOK __attribute__((visibility("default")))

/* A loop whose values did not return in so many rounds may never wait. */
enum { MOST_COMPARED = 8 };

/* Values on their way to the hook of their round. */
static struct {
  size_t size;
  uint64_t at[HOOK_MOST_VALUES];
} values; /* keep */

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

/* A round of the loop, since it was entered, that began like this one. */
static const struct round *begun_before(const struct round *now, uint32_t n) {
  const struct round *r = round_get(n);
  for (int i = 0; i < MOST_COMPARED && r; i++, r = round_get(r->older)) {
    if (!is_same_loop(r, now))
      return NULL;
    if (knows_the_same(r, now) &&
        undo_own_is_as_at(self, r->entries, now->frame))
      return r;
    if (r->enters)
      return NULL;
  }
  return NULL;
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

static __attribute__((noinline)) void begin_round(struct round *now) {
  uint32_t older = latest(now);
  const struct round *before = now->enters ? NULL : begun_before(now, older);
  if (before && before->step == now->step)
    go_round_for_ever(now->pc);
  if (before && engine.trying == self) {
    engine.came_round = true;
    engine.came_since = before->step;
    heddle_switch(&self->sp, engine.sp);
  }
  remember(now, now->enters ? self->rounds : older);
}

/* Frames of later hooks have holes that show what was left below: it must not
 * differ from round to round, since loops without hooks are found by comparing
 * stacks (spin.c). */
static __attribute__((noinline)) void leave_nothing(void) {
  char below[512];
  memset(below, 0, sizeof below);
  __asm__ volatile("" : : "r"(below) : "memory");
}

HOOK void heddle_hook_round_value(uint64_t);
HOOK void heddle_hook_round_value(uint64_t value) {
  if (engine.mode == MODE_EXPLORE) /* elsewhere threads are real */
    values.at[values.size++] = value;
}

/* Code that the user has allowed may give other results in every round, and no
 * one sees why. */
static bool is_blind(void) {
  return engine.control->externals[0] != 0;
}

HOOK void heddle_hook_round(size_t);
HOOK void heddle_hook_round(size_t enters) {
  if (engine.mode != MODE_EXPLORE)
    return;
  size_t count = values.size;
  values.size = 0;
  if (engine.apart || self->atomic_depth || is_blind())
    return;
  static struct round now; /* keep */
  now = (struct round){.pc = CALLER,
                       .frame = __builtin_frame_address(0),
                       .step = self->last_step,
                       .section = self->section,
                       .entries = engine.log.size,
                       .values = (uint32_t)count,
                       .enters = enters != 0};
  memcpy(now.value, values.at, count * sizeof *values.at);
  begin_round(&now);
  leave_nothing();
}

/* ---- what ends them ------------------------------------------------------ */

bool round_goes_on(const struct record *r) {
  switch (r->op) {
  case OP_READ:
  case OP_LOAD:
  case OP_SCAN:
  case OP_FENCE:
  case OP_CHOOSE:
  case OP_SEM_VALUE:
    return true;
  case OP_WRITE: /* hidden when the schedule was found, or the round ended */
    return engine.following;
  case OP_LIBRARY:
    return !(engine.accesses.at[r->first].mode & ACCESS_WRITE);
  default:
    return false;
  }
}

void round_step(struct thread *t, struct record *r) {
  r->passing = polling_passes(t, r);
  if (!r->passing && !round_goes_on(r))
    t->rounds = t->section = 0;
}

void round_only_reads(void) {
  VEC_TOP(engine.steps).passing = 0;
  const char *saved = (const char *)VEC_TOP(engine.steps).saved;
  memcpy(&self->rounds, saved + offsetof(struct thread, rounds),
         sizeof self->rounds);
  memcpy(&self->section, saved + offsetof(struct thread, section),
         sizeof self->section);
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

/* One object, in one granule: then its writes are in one order. */
static bool is_one_object(const struct operation *op) {
  return op->accesses == 1 && op->access->size <= 8 &&
         (op->access->addr & 7) + op->access->size <= 8;
}

/* Only then are the writes to it in one order. */
static bool is_written_whole(const struct looked *l, const struct record *r) {
  if (!r->thread && !r->children)
    return true; /* main, alone: before all others */
  for (uint32_t i = 0; i < r->accesses; i++) {
    const struct access *a = &engine.accesses.at[r->first + i];
    if ((a->mode & ACCESS_WRITE) && a->addr < l->addr + l->size &&
        l->addr < a->addr + a->size &&
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
  struct looked l = {a->addr, a->size, false};
  for (size_t i = 0; i < engine.steps.size && !l.in_parts; i++)
    l.in_parts = !is_written_whole(&l, &engine.steps.at[i]);
  VEC_PUSH(engine.looked, l);
  return &VEC_TOP(engine.looked);
}

void round_written(const struct record *r) {
  for (size_t i = 0; i < engine.looked.size; i++) {
    struct looked *l = &engine.looked.at[i];
    if (!l->in_parts && !is_written_whole(l, r))
      l->in_parts = engine.stale = true;
  }
}

static bool is_look(const struct operation *op) {
  return !op->ready && is_one_object(op) &&
         !(op->flags & (STEP_BLOCKING | STEP_BLOCK)) &&
         (!(op->access->mode & ACCESS_WRITE) ||
          (op->flags & STEP_CONDITIONAL)) &&
         !looked_at(op->access)->in_parts;
}

bool round_may_end(const struct thread *t) {
  return t->rounds && engine.holding && t->pending && !t->spin.waiting &&
         (is_look(t->pending) || polling_may_begin(t));
}

static enum look try_step(struct thread *t) {
  struct step step;
  struct trial trial;
  trial_begin(&trial, t);
  engine_step(t, 0, &step);
  bool held = engine.came_round && polling_relies(t, engine.came_since);
  bool only_read = VEC_TOP(engine.steps).failed;
  trial_end(&trial);
  if (held)
    return LOOK_HELD;
  bool writes = (t->pending->access->mode & ACCESS_WRITE) && !only_read;
  return writes ? LOOK_WRITES : LOOK_READS;
}

/* A lock may have turned out to be ordinary since it was taken for a look. */
static bool begins_section(const struct thread *t) {
  return (t->pending->flags & STEP_BLOCKING) || polling_may_begin(t);
}

static enum look try(struct thread *t) {
  return begins_section(t) ? polling_look(t) : try_step(t);
}

enum look round_look(struct thread *t) {
  struct known_look *known = &engine.looks[t->id];
  if (known->look == LOOK_UNKNOWN) {
    if (!known->listed)
      VEC_PUSH(engine.lookers, t->id);
    known->listed = true;
    known->look = try(t);
    known->depth = (uint32_t)engine.steps.size;
    known->access = *t->pending->access;
  }
  return known->look;
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
             accesses_overlap(access, &known->access);
    }
    if (gone)
      known->look = LOOK_UNKNOWN;
  }
}

enum look round_look_before(struct thread *t, size_t position) {
  if (begins_section(t))
    return polling_look_before(t, position);
  const struct access *a = t->pending->access;
  void *place = (void *)(uintptr_t)a->addr;
  unsigned char now[8], before[8];
  memcpy(now, place, a->size);
  undo_bytes_before(position, a->addr, before, a->size);
  if (memcmp(now, before, a->size) == 0)
    return round_look(t);
  memcpy(place, before, a->size);
  enum look look = try_step(t);
  memcpy(place, now, a->size);
  return look;
}

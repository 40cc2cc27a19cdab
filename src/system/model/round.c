/* Rounds of loops that only look: see docs/algorithms/waiting.md.
 *
 * A process remembers in which states it stood at heads of loops since it last
 * wrote anything.  A step that only reads and leads to such a state again is
 * not enabled.  Whether it would is found out by taking the step and taking it
 * back; for a value that was there before, this value is put in its place
 * meanwhile.
 *
 * The states lie in model.rounds, which grows and is cut off with the steps.
 * The latest one of each process is in its history.
 */
#include "machine.h"

#include "util/ensure.h"
#include "util/planted.h"
#include "util/rng.h"

/* So many steps of one process that only look are taken to find out whether it
 * goes round for ever: more than a small program has local states. */
enum { MOST_LOOKS = 1000 };

static uint32_t latest(const struct model *m, unsigned p) {
  return (uint32_t)m->state.at[m->places.at[p].history + HISTORY_ROUND];
}

void round_arrive(struct model *m, unsigned p) {
  if (status_of(m, p) != STATUS_RUNNING || !instruction_of(m, p)->head)
    return;
  uint32_t pc = (uint32_t)(instruction_of(m, p) - m->g->code.at);
  uint64_t state =
      live_hash(m->g, pc, registers_of(m, p), m->g->processes.at[p].registers);
  VEC_PUSH(m->rounds, (struct model_round){state, latest(m, p)});
  slot_set(m, m->places.at[p].history + HISTORY_ROUND, (int64_t)m->rounds.size);
}

void round_forget(struct model *m, unsigned p) {
  if (!planted(ROUND_WRITES))
    slot_set(m, m->places.at[p].history + HISTORY_ROUND, 0);
}

/* Does the process, after a step, stand where it stood before?  Only states
 * from number `from` on count. */
static bool came_round(const struct model *m, unsigned p, uint32_t from) {
  if (status_of(m, p) != STATUS_RUNNING)
    return false;
  if (instruction_of(m, p)->code == CODE_AWAIT)
    return true;
  if (!instruction_of(m, p)->head)
    return false;
  const struct model_round *now = &m->rounds.at[latest(m, p) - 1];
  for (uint32_t n = now->older; n > from; n = m->rounds.at[n - 1].older)
    if (m->rounds.at[n - 1].state == now->state)
      return true;
  return false;
}

bool round_was_there(const struct model *m, unsigned p, uint64_t state,
                     uint32_t rounds) {
  for (uint32_t n = latest(m, p); n; n = m->rounds.at[n - 1].older)
    if (n <= rounds && m->rounds.at[n - 1].state == state)
      return true;
  return false;
}

uint64_t round_hash(const struct model *m, unsigned p, size_t log) {
  uint64_t hash = p + 1;
  while (log < m->log.size &&
         m->log.at[log].slot != m->places.at[p].history + HISTORY_ROUND)
    log++;
  if (log == m->log.size)
    return 0;
  for (uint32_t n = latest(m, p); n; n = m->rounds.at[n - 1].older)
    hash = rng_mix(hash + m->rounds.at[n - 1].state);
  return hash;
}

/* ---- looks ----------------------------------------------------------------
 */

bool may_look(const struct statement *s) {
  switch (s->kind) {
  case STATEMENT_READ:
  case STATEMENT_CAS:
  case STATEMENT_TRYLOCK:
  case STATEMENT_TRYRDLOCK:
  case STATEMENT_TRYWAIT:
    return true;
  default:
    return false;
  }
}

/* A read before the first round may be joined with a swap in it. */
static bool may_join(const struct model *m, unsigned p) {
  return m->joins && instruction_of(m, p)->retries;
}

bool is_look(const struct model *m, unsigned p) {
  if (!m->holds || m->trying || status_of(m, p) != STATUS_RUNNING ||
      instruction_of(m, p)->code != CODE_VISIBLE)
    return false;
  const struct statement *s = statement_of(m, p);
  if (s->kind == STATEMENT_AWAIT)
    return is_written_whole(m, s);
  return (latest(m, p) || may_join(m, p)) && may_look(s);
}

static bool wrote(const struct step *step) {
  for (uint32_t i = 0; i < step->accesses; i++)
    if (step->access[i].mode & ACCESS_WRITE)
      return true;
  return false;
}

/* A trial leaves the footprint of the last step alone. */
static void trial_begin(struct model *m, struct model_trial *kept) {
  *kept = (struct model_trial){m->accesses, m->failed, m->taken.size};
  m->accesses = m->tried;
  m->trying = true;
}

static void trial_end(struct model *m, const struct model_trial *kept) {
  m->system.ops->undo(&m->system, kept->depth);
  m->trying = false;
  m->tried = m->accesses;
  m->accesses = kept->accesses;
  m->failed = kept->failed;
}

static enum look try(struct model *m, unsigned p) {
  struct model_trial kept;
  struct step step;
  bool may = may_join(m, p);
  if (may)
    retry_begin(m, p, &m->retry);
  trial_begin(m, &kept);
  m->system.ops->step(&m->system, p, 0, &step);
  enum look look = came_round(m, p, 0) ? LOOK_HELD
                   : wrote(&step)      ? LOOK_WRITES
                                       : LOOK_READS;
  if (may && look == LOOK_READS &&
      retry_joins(m, p, slot_of(step.access), &m->retry))
    look = LOOK_WRITES;
  trial_end(m, &kept);
  return look;
}

enum look round_look(struct model *m, unsigned p) {
  return try(m, p);
}

bool round_joins(struct model *m, unsigned p) {
  return is_look(m, p) && may_join(m, p) && try(m, p) == LOOK_WRITES;
}

bool is_held(struct model *m, unsigned p) {
  if (planted(ROUND_WHOLE) && is_look(m, p) && instruction_of(m, p)->head)
    return round_goes_on(m, p);
  return is_look(m, p) && round_look(m, p) == LOOK_HELD;
}

/* Of an object, so many slots decide what comes of a look: of a read-write lock
 * the writer and the number of readers. */
enum { TESTED = 2 };

enum look round_look_before(struct model *m, unsigned p, size_t position) {
  const struct statement *s = statement_of(m, p);
  bool crashed = false;
  uint32_t slot = local_slot(m, p, s->symbol, s->index, &crashed);
  int64_t now[TESTED];
  uint32_t count = m->g->symbols.at[s->symbol].stride;
  ensure(slot != NIL);
  if (count > TESTED)
    count = TESTED;
  for (uint32_t i = 0; i < count; i++) {
    now[i] = m->state.at[slot + i];
    m->state.at[slot + i] = value_before(m, slot + i, position);
  }
  enum look look = try(m, p);
  for (uint32_t i = 0; i < count; i++)
    m->state.at[slot + i] = now[i];
  return look;
}

/* ---- the end --------------------------------------------------------------
 */

bool round_goes_on(struct model *m, unsigned p) {
  struct model_trial kept;
  struct step step;
  uint32_t from = (uint32_t)m->rounds.size;
  bool ever = false, moves = true;
  trial_begin(m, &kept);
  for (int i = 0; i < MOST_LOOKS && moves && !ever; i++) {
    m->system.ops->step(&m->system, p, 0, &step);
    moves = !wrote(&step) && step.op != OP_CREATE &&
            status_of(m, p) == STATUS_RUNNING;
    ever = moves && (came_round(m, p, from) || !describe_ready(m, p));
  }
  trial_end(m, &kept);
  return ever;
}

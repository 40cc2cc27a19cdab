/* Taking steps, and taking them back. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "util/ensure.h"
#include "util/rng.h"

static struct model *model_of(struct system *s) {
  return (struct model *)s;
}

/* ---- operations on objects ------------------------------------------------
 */

static void give_result(struct model *m, unsigned p, const struct statement *s,
                        int64_t value) {
  if (s->to != NIL)
    slot_set(m, m->places.at[p].block + SLOT_REGISTERS + s->to, value);
}

static void add(struct model *m, uint32_t slot, int64_t more) {
  slot_set(m, slot, m->state.at[slot] + more);
}

/* Takes what the object offers; the operation is known to be ready. */
static void acquire(struct model *m, unsigned p, uint32_t slot, uint8_t kind,
                    bool shared) {
  if (kind == SYMBOL_SEM) {
    add(m, slot, -1);
  } else if (shared) {
    add(m, slot + 1, 1);
    add(m, slot + 2 + p, 1);
  } else {
    slot_set(m, slot, p + 1);
  }
}

static bool is_shared(const struct statement *s) {
  return s->kind == STATEMENT_RDLOCK || s->kind == STATEMENT_TRYRDLOCK;
}

static void step_try(struct model *m, unsigned p, const struct statement *s,
                     uint32_t slot, uint8_t kind, struct step *out) {
  bool can = out->offers & (is_shared(s) ? OFFER_SHARED : OFFER_ONE);
  if (can)
    acquire(m, p, slot, kind, is_shared(s));
  else
    m->accesses.at[0].mode = ACCESS_ATOMIC; /* it only read */
  give_result(m, p, s, can);
}

static void step_unlock(struct model *m, unsigned p, uint32_t slot,
                        uint8_t kind) {
  if (m->state.at[slot] == p + 1) {
    slot_set(m, slot, 0);
  } else if (kind == SYMBOL_RWLOCK && m->state.at[slot + 2 + p]) {
    add(m, slot + 1, -1);
    add(m, slot + 2 + p, -1);
  } else {
    local_fail(m, p, FINDING_MISUSE);
  }
}

/* ---- condition variables --------------------------------------------------
 */

static void set_status(struct model *m, unsigned p, enum status status) {
  slot_set(m, m->places.at[p].block + SLOT_STATUS, (int64_t)status);
}

static void set_cause(struct model *m, unsigned p, uint32_t cause) {
  slot_set(m, m->places.at[p].history + HISTORY_CAUSE, cause);
}

/* The k-th process in the queue may go on; the processes behind it move up. */
static void wake(struct model *m, uint32_t slot, uint32_t k) {
  uint32_t length = (uint32_t)m->state.at[slot];
  unsigned woken = (unsigned)m->state.at[slot + 1 + k] - 1;
  for (uint32_t i = k + 1; i < length; i++)
    slot_set(m, slot + i, m->state.at[slot + i + 1]);
  slot_set(m, slot + length, 0);
  slot_set(m, slot, length - 1);
  set_status(m, woken, STATUS_RELOCKING);
  set_cause(m, woken, (uint32_t)m->taken.size);
}

/* Does a process wait in this queue with another mutex?  POSIX forbids it. */
static bool waits_otherwise(struct model *m, uint32_t slot, uint32_t mutex) {
  bool crashed = false;
  if (!m->state.at[slot])
    return false;
  unsigned first = (unsigned)m->state.at[slot + 1] - 1;
  const struct statement *s = statement_of(m, first);
  return local_slot(m, first, s->other, s->other_index, &crashed) != mutex;
}

/* True: the process now waits in the queue, and does not run on. */
static bool step_wait(struct model *m, unsigned p, const struct statement *s,
                      uint32_t slot) {
  bool crashed = false;
  uint32_t mutex = local_slot(m, p, s->other, s->other_index, &crashed);
  if (m->state.at[mutex] != p + 1 || waits_otherwise(m, slot, mutex)) {
    local_fail(m, p, FINDING_MISUSE);
    return false;
  }
  slot_set(m, mutex, 0);
  add(m, slot, 1);
  slot_set(m, slot + (uint32_t)m->state.at[slot], p + 1);
  set_status(m, p, STATUS_WAITING);
  return true;
}

static void step_signal(struct model *m, const struct statement *s,
                        uint32_t slot, unsigned choice) {
  if (!m->state.at[slot])
    m->accesses.at[0].mode = ACCESS_ATOMIC; /* no process waits */
  if (s->kind == STATEMENT_SIGNAL && m->state.at[slot])
    wake(m, slot, choice);
  while (s->kind == STATEMENT_BROADCAST && m->state.at[slot])
    wake(m, slot, 0);
}

/* ---- variables ------------------------------------------------------------
 */

static void step_access(struct model *m, unsigned p, const struct statement *s,
                        uint32_t slot, struct step *out) {
  bool crashed = false;
  int64_t old = m->state.at[slot];
  bool wrote = local_access(m, p, s, slot, &crashed);
  if (s->kind == STATEMENT_WRITE)
    out->value = (uint64_t)part_get(m->state.at[slot], s->part);
  if (!wrote)
    m->accesses.at[0].mode &= ~(uint32_t)(ACCESS_WRITE | ACCESS_KIND);
  else if (m->state.at[slot] == old)
    m->accesses.at[0].mode |= ACCESS_SILENT;
}

/* A block's write is silent if its bytes are as they were before the block. */
static void find_silent(struct model *m) {
  uint32_t log = VEC_TOP(m->taken).log;
  for (size_t a = 0; a < m->accesses.size; a++) {
    if (!(m->accesses.at[a].mode & ACCESS_WRITE))
      continue;
    uint32_t slot = slot_of(&m->accesses.at[a]);
    uint8_t part = part_of(&m->accesses.at[a]);
    int64_t old = m->state.at[slot];
    for (size_t i = m->log.size; i-- > log;)
      if (m->log.at[i].slot == slot)
        old = m->log.at[i].old;
    if (part_get(old, part) == part_get(m->state.at[slot], part))
      m->accesses.at[a].mode |= ACCESS_SILENT;
  }
}

/* A spin loop goes on when another process has changed the bytes that it looks
 * at. */
static void wake_spinners(struct model *m, unsigned p) {
  for (size_t i = 0; i < m->accesses.size; i++) {
    const struct access *a = &m->accesses.at[i];
    if ((a->mode & (ACCESS_WRITE | ACCESS_SILENT)) != ACCESS_WRITE)
      continue;
    for (unsigned q = 0; q < m->places.size; q++) {
      struct step step;
      struct access awaited;
      if (q == p || !awaits_of(m, q))
        continue;
      describe_pending(m, q, &step, &awaited);
      if (awaited.addr < a->addr + a->size &&
          a->addr < awaited.addr + awaited.size)
        slot_set(m, m->places.at[q].block + SLOT_AWAKE, 1);
    }
  }
}

/* ---- a step ---------------------------------------------------------------
 */

/* Keeps the test of a step, for succeeds_before(). */
static void remember_test(struct model *m, unsigned p,
                          const struct statement *s, uint32_t slot,
                          uint8_t kind) {
  struct taken_step *t = &VEC_TOP(m->taken);
  bool crashed = false;
  t->statement = s->kind;
  t->kind = kind;
  t->slot = slot;
  t->part = s->part;
  if (s->kind == STATEMENT_CAS)
    t->expected = evaluate(m->g, registers_of(m, p), s->a, &crashed);
}

/* True if the process now waits in a queue. */
static bool step_object(struct model *m, unsigned p, const struct statement *s,
                        unsigned choice, struct step *out) {
  uint32_t slot = slot_of(&m->accesses.at[0]);
  uint8_t kind = m->g->symbols.at[s->symbol].kind;
  out->offers = describe_offers(m, slot, kind);
  if (s->kind == STATEMENT_COND_WAIT) /* an operation on the mutex, too */
    out->offers = describe_offers(m, slot_of(&m->accesses.at[1]), SYMBOL_MUTEX);
  if (out->flags & STEP_CONDITIONAL)
    remember_test(m, p, s, slot, kind);
  switch ((enum statement_kind)s->kind) {
  case STATEMENT_LOCK:
  case STATEMENT_RDLOCK:
  case STATEMENT_SEM_WAIT:
    acquire(m, p, slot, kind, is_shared(s));
    break;
  case STATEMENT_TRYLOCK:
  case STATEMENT_TRYRDLOCK:
  case STATEMENT_TRYWAIT:
    step_try(m, p, s, slot, kind, out);
    break;
  case STATEMENT_UNLOCK:
    step_unlock(m, p, slot, kind);
    break;
  case STATEMENT_POST:
    add(m, slot, 1);
    break;
  case STATEMENT_COND_WAIT:
    return step_wait(m, p, s, slot);
  case STATEMENT_SIGNAL:
  case STATEMENT_BROADCAST:
    step_signal(m, s, slot, choice);
    break;
  default:
    step_access(m, p, s, slot, out);
  }
  return false;
}

/* The visible operation itself.  True if the process now waits in a queue. */
static bool perform(struct model *m, unsigned p, unsigned choice,
                    struct step *out) {
  const struct statement *s = statement_of(m, p);
  if (status_of(m, p) == STATUS_RELOCKING) {
    out->offers = OFFER_ONE;
    slot_set(m, slot_of(&m->accesses.at[0]), p + 1);
    set_status(m, p, STATUS_RUNNING);
    return false;
  }
  switch ((enum statement_kind)s->kind) {
  case STATEMENT_TASK:
    if (instruction_of(m, p)->code == CODE_VISIBLE) {
      out->target = lines_before(m, p); /* its turn has come */
      return false;
    }
    lines_begin(m, p);
    local_block(m, p);
    find_silent(m);
    return false;
  case STATEMENT_ATOMIC:
    local_block(m, p);
    find_silent(m);
    return false;
  case STATEMENT_CREATE:
    local_start(m, s->symbol, (uint32_t)m->taken.size);
    return false;
  case STATEMENT_JOIN:
    out->target = s->symbol;
    out->cause =
        (uint32_t)m->state.at[m->places.at[s->symbol].history + HISTORY_END];
    if (instruction_of(m, p)->code == CODE_BLOCK) { /* in a task */
      local_block(m, p);
      find_silent(m);
    }
    return false;
  case STATEMENT_CHOOSE:
    give_result(m, p, s, choice);
    return false;
  default:
    return step_object(m, p, s, choice, out);
  }
}

static bool wrote(const struct model *m) {
  for (size_t i = 0; i < m->accesses.size; i++)
    if (m->accesses.at[i].mode & ACCESS_WRITE)
      return true;
  return false;
}

/* Runs on behind the operation. */
static void go_on(struct model *m, unsigned p) {
  uint32_t pc = m->places.at[p].block + SLOT_PC;
  slot_set(m, pc, m->state.at[pc] + 1);
  local_run(m, p, m->apart);
}

/* Process p has read, and swaps in the same step. */
static void swap_also(struct model *m, unsigned p, struct step *out) {
  go_on(m, p);
  out->op = OP_CAS;
  m->accesses.at[0].mode |= ACCESS_WRITE;
  perform(m, p, 0, out);
}

static enum step_result model_step(struct system *system, unsigned p,
                                   unsigned choice, struct step *out) {
  struct model *m = model_of(system);
  bool joint = round_joins(m, p);
  VEC_PUSH(m->taken, (struct taken_step){.log = (uint32_t)m->log.size,
                                         .rounds = (uint32_t)m->rounds.size});
  m->failed = 0;
  VEC_RESERVE(m->accesses, 2);
  describe_pending(m, p, out, m->accesses.at);
  m->accesses.size = out->accesses;
  m->data.size = 0;
  ensure(choice < out->choices);
  out->choice = (uint16_t)choice;
  set_cause(m, p, 0);
  slot_set(m, m->places.at[p].block + SLOT_AWAKE, 0);
  bool asleep = perform(m, p, choice, out);
  if (joint)
    swap_also(m, p, out);
  if (m->g->loops && wrote(m))
    round_forget(m, p);
  if (!asleep && status_of(m, p) == STATUS_RUNNING)
    go_on(m, p);
  if (m->g->awaits)
    wake_spinners(m, p);
  out->access = m->accesses.at; /* a block may have moved it */
  out->accesses = (uint32_t)m->accesses.size;
  out->data = (uint32_t)m->data.size;
  out->hidden = VEC_TOP(m->taken).hidden = out->data + joint;
  out->datum = m->data.at;
  VEC_TOP(m->taken).failed = m->failed;
  return m->failed ? STEP_FAILED : STEP_DONE;
}

static bool model_enabled(struct system *system, unsigned p) {
  struct model *m = model_of(system);
  if (p >= m->places.size)
    return false;
  int64_t status = status_of(m, p);
  return status >= STATUS_RUNNING && status <= STATUS_RELOCKING &&
         describe_ready(m, p);
}

static bool has_next(const struct model *m, unsigned p) {
  return p < m->places.size && status_of(m, p) >= STATUS_RUNNING &&
         status_of(m, p) <= STATUS_RELOCKING;
}

static bool model_outline(struct system *system, unsigned p,
                          struct outline *out) {
  struct model *m = model_of(system);
  if (!has_next(m, p))
    return false;
  describe_outline(m, p, out);
  return true;
}

static void model_survey(struct system *system, uint64_t processes,
                         uint32_t cause, struct survey *out) {
  struct model *m = model_of(system);
  *out = (struct survey){0};
  for (; processes; processes &= processes - 1) {
    unsigned p = (unsigned)__builtin_ctzll(processes);
    uint64_t bit = (uint64_t)1 << p;
    struct outline next;
    if (!has_next(m, p))
      continue;
    describe_outline(m, p, &next);
    out->next |= bit;
    out->awakened |= next.cause == cause ? bit : 0;
    out->waits |= next.flags & (STEP_LOOK | STEP_AWAIT) ? bit : 0;
    if (!describe_offered(m, p) || ((next.flags & STEP_LOOK) && is_held(m, p)))
      continue;
    out->enabled |= bit;
    out->quiet |= outline_is_quiet(&next) ? bit : 0;
  }
}

static bool model_pending(struct system *system, unsigned p, struct step *out) {
  struct model *m = model_of(system);
  if (!has_next(m, p))
    return false;
  describe_pending(m, p, out, m->pending.at[p].access);
  if (!(out->flags & STEP_LOOK))
    return true;
  enum look look = round_look(m, p);
  uint32_t *mode = &m->pending.at[p].access[0].mode;
  if (look == LOOK_READS)
    *mode &= ~(uint32_t)ACCESS_WRITE;
  else if (look == LOOK_WRITES)
    *mode |= ACCESS_WRITE;
  if (look == LOOK_WRITES && out->op == OP_LOAD)
    out->op = OP_CAS;
  return true;
}

static void slot_restore(struct model *m, const struct change *c) {
  if (m->states)
    state_changed(m, c->slot, m->state.at[c->slot], c->old);
  m->state.at[c->slot] = c->old;
}

static bool model_undo(struct system *system, size_t depth) {
  struct model *m = model_of(system);
  if (depth >= m->taken.size)
    return true;
  uint32_t keep = m->taken.at[depth].log;
  for (size_t i = m->log.size; i-- > keep;)
    slot_restore(m, &m->log.at[i]);
  m->log.size = keep;
  m->rounds.size = m->taken.at[depth].rounds;
  m->taken.size = depth;
  return true;
}

/* ---- what if --------------------------------------------------------------
 */

int64_t value_before(const struct model *m, uint32_t slot, size_t position) {
  for (size_t i = m->taken.at[position].log; i < m->log.size; i++)
    if (m->log.at[i].slot == slot)
      return m->log.at[i].old;
  return m->state.at[slot];
}

static bool model_succeeds_before(struct system *system, size_t later,
                                  size_t earlier) {
  struct model *m = model_of(system);
  const struct taken_step *t = &m->taken.at[later];
  int64_t value = value_before(m, t->slot, earlier);
  switch ((enum statement_kind)t->statement) {
  case STATEMENT_CAS:
    return part_set(value, t->part, t->expected) == value;
  case STATEMENT_TRYWAIT:
  case STATEMENT_SIGNAL:
  case STATEMENT_BROADCAST:
    return value > 0;
  case STATEMENT_TRYRDLOCK:
    return value == 0;
  case STATEMENT_TRYLOCK:
    return value == 0 && (t->kind != SYMBOL_RWLOCK ||
                          value_before(m, t->slot + 1, earlier) == 0);
  default:
    return true;
  }
}

static bool model_looks(struct system *system, unsigned p) {
  return is_look(model_of(system), p);
}

static enum look model_look_before(struct system *system, unsigned p,
                                   size_t position) {
  return round_look_before(model_of(system), p, position);
}

/* Was the slot changed by an entry of the log before this one? */
static bool changed_before(const struct model *m, size_t from, size_t entry) {
  for (size_t i = from; i < entry; i++)
    if (m->log.at[i].slot == m->log.at[entry].slot)
      return true;
  return false;
}

static struct changes model_changes(struct system *system, size_t depth) {
  const struct model *m = model_of(system);
  struct changes sum = {{0, 0}};
  size_t from = depth < m->taken.size ? m->taken.at[depth].log : m->log.size;
  for (size_t i = from; i < m->log.size; i++) {
    uint32_t slot = m->log.at[i].slot;
    if (slot >= m->comparable || changed_before(m, from, i) ||
        m->state.at[slot] == m->log.at[i].old)
      continue;
    uint64_t hash = rng_mix(rng_mix(slot + 1) ^ (uint64_t)m->state.at[slot]);
    sum.word[0] += hash; /* a sum has no order */
    sum.word[1] += rng_mix(hash);
  }
  for (unsigned p = 0; m->holds && p < m->places.size; p++) {
    uint64_t hash = round_hash(m, p, from);
    sum.word[0] += hash;
    sum.word[1] += rng_mix(hash);
  }
  return sum;
}

/* ---- life -----------------------------------------------------------------
 */

static void model_fingerprint(struct system *, bool exact,
                              struct fingerprint *);

static void forget_ordered(struct model *m) {
  VEC_CLEARED(m->ordered, m->state.size);
  m->stale = false;
}

static void model_configure(struct system *system,
                            const struct granularity *g) {
  struct model *m = model_of(system);
  m->apart = g->apart;
  /* Where states are stored, a round in vain is a state that comes again. */
  m->holds = g->holds && !g->states && !(g->apart && m->g->has_data);
  m->joins = g->joins && m->holds;
  m->updates = g->updates && !m->g->loops; /* looks need all writes ordered */
  m->states = g->states;
  m->outcomes = g->outcomes;
  if (m->states)
    state_begin(m);
  forget_ordered(m);
}

static void model_order_updates(struct system *system, const struct access *a) {
  struct model *m = model_of(system);
  m->ordered.at[slot_of(a)] = m->stale = true;
}

static bool model_stale(struct system *system) {
  return model_of(system)->stale;
}

static void model_restart(struct system *system, bool finest) {
  struct model *m = model_of(system);
  m->stale = false;
  m->updates = m->updates && !finest;
}

static uint32_t model_hidden(struct system *system, size_t position) {
  return model_of(system)->taken.at[position].hidden;
}

static const struct system_ops operations = {
    .configure = model_configure,
    .enabled = model_enabled,
    .pending = model_pending,
    .outline = model_outline,
    .survey = model_survey,
    .step = model_step,
    .undo = model_undo,
    .succeeds_before = model_succeeds_before,
    .looks = model_looks,
    .look_before = model_look_before,
    .changes = model_changes,
    .may_touch = model_may_touch,
    .ending = outcome_ending,
    .finding = outcome_finding,
    .output = outcome_output,
    .stale = model_stale,
    .restart = model_restart,
    .order_updates = model_order_updates,
    .hidden = model_hidden,
    .failed = outcome_failed,
    .local_state = state_local,
    .shared_state = state_shared,
    .contents = state_contents,
    .left_behind = state_left_behind,
    .fingerprint = model_fingerprint,
};

static void place_processes(struct model *m) {
  uint32_t slot = m->g->slots;
  m->places.size = 0;
  for (size_t p = 0; p < m->g->processes.size; p++) {
    VEC_PUSH(m->places, (struct place){.block = slot});
    slot += SLOT_REGISTERS + m->g->processes.at[p].registers;
  }
  m->comparable = slot;
  for (size_t p = 0; p < m->g->processes.size; p++, slot += HISTORY_SLOTS)
    m->places.at[p].history = slot;
  m->state.size = 0;
  VEC_RESERVE(m->state, slot);
  m->state.size = slot;
  memset(m->state.at, 0, slot * sizeof *m->state.at);
  m->pending.size = 0;
  VEC_RESERVE(m->pending, m->places.size);
  m->pending.size = m->places.size;
}

static void set_initial(struct model *m) {
  for (size_t i = 0; i < m->g->symbols.size; i++) {
    const struct symbol *s = &m->g->symbols.at[i];
    for (uint32_t k = 0; k < s->extent; k++)
      m->state.at[s->slot + k * s->stride] = m->g->values.at[s->initial + k];
  }
}

void model_load(struct model *m, const struct program *g) {
  m->g = g;
  m->states = false; /* until configured */
  m->system.processes = (unsigned)g->processes.size;
  m->log.size = m->taken.size = m->accesses.size = m->futures.size = 0;
  m->rounds.size = 0;
  m->failed = 0;
  place_processes(m);
  forget_ordered(m);
  set_initial(m);
  describe_looked_at(m);
  for (unsigned p = 0; p < g->processes.size; p++)
    if (!g->processes.at[p].created && !g->processes.at[p].removed) {
      lines_join(m, NIL, p);
      local_start(m, p, 0);
    }
  m->failed_before = m->failed;
  m->log.size = 0; /* the start cannot be undone */
}

struct model *model_new(const struct program *g) {
  struct model *m = calloc(1, sizeof *m);
  ensure(m);
  m->system.ops = &operations;
  model_load(m, g);
  return m;
}

void model_free(struct model *m) {
  VEC_FREE(m->state);
  VEC_FREE(m->places);
  VEC_FREE(m->log);
  VEC_FREE(m->taken);
  VEC_FREE(m->accesses);
  VEC_FREE(m->tried);
  VEC_FREE(m->rounds);
  VEC_FREE(m->data);
  VEC_FREE(m->pending);
  VEC_FREE(m->futures);
  VEC_FREE(m->ordered);
  VEC_FREE(m->looked_at);
  VEC_FREE(m->awaited);
  VEC_FREE(m->message);
  retry_free(m);
  state_free(m);
  free(m);
}

struct system *model_system(struct model *m) {
  return &m->system;
}

/* ---- comparable states ----------------------------------------------------
 */

static uint64_t hash_slots(const struct model *m, size_t from, size_t to) {
  uint64_t hash = to - from;
  for (size_t i = from; i < to; i++)
    hash = rng_mix(hash ^ (uint64_t)m->state.at[i]) + i;
  return hash;
}

const int64_t *model_state(const struct model *m, size_t *length) {
  *length = m->comparable;
  return m->state.at;
}

uint64_t model_hash(const struct model *m) {
  return hash_slots(m, 0, m->comparable);
}

uint64_t model_hash_shared(const struct model *m) {
  return hash_slots(m, 0, m->g->slots);
}

uint64_t model_hash_process(const struct model *m, unsigned p) {
  uint32_t block = m->places.at[p].block;
  return hash_slots(m, block,
                    block + SLOT_REGISTERS + m->g->processes.at[p].registers);
}

uint64_t model_hash_live(const struct model *m, unsigned p) {
  const int64_t *block = &m->state.at[m->places.at[p].block];
  uint64_t hash =
      live_hash(m->g, (uint32_t)block[SLOT_PC], block + SLOT_REGISTERS,
                m->g->processes.at[p].registers);
  return rng_mix(hash ^ (uint64_t)block[SLOT_STATUS]);
}

void model_rehearse(struct model *m, bool rehearses) {
  m->trying = rehearses;
}

int64_t model_poke(struct model *m, const struct access *a, int64_t value) {
  int64_t *slot = &m->state.at[slot_of(a)], old = *slot;
  *slot = value;
  return old;
}

/* The history is only in an exact fingerprint: undo restores it, but it depends
 * on the order of steps. */
static void model_fingerprint(struct system *system, bool exact,
                              struct fingerprint *out) {
  const struct model *m = model_of(system);
  *out = (struct fingerprint){{0}};
  out->part[FINGERPRINT_VARIABLES] = model_hash_shared(m);
  out->part[FINGERPRINT_PROCESSES] =
      hash_slots(m, m->g->slots, exact ? m->state.size : m->comparable);
}

uint64_t model_hash_locals(const struct model *m) {
  uint64_t hash = 0;
  for (size_t p = 0; p < m->places.size; p++) {
    uint32_t first = m->places.at[p].block + SLOT_REGISTERS;
    hash = rng_mix(hash ^
                   hash_slots(m, first, first + m->g->processes.at[p].locals));
  }
  return hash;
}

uint64_t model_hash_outcome(const struct model *m) {
  uint64_t hash = model_hash_locals(m);
  for (size_t i = 0; i < m->g->symbols.size; i++) {
    const struct symbol *s = &m->g->symbols.at[i];
    if (symbol_has_value(s->kind))
      hash = rng_mix(hash ^ hash_slots(m, s->slot, s->slot + s->extent));
  }
  return hash;
}

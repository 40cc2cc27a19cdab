/* The next step of a process, as far as it is known before it is taken. */
#include "machine.h"

#include <string.h>

/* keep: the fixed properties of each kind of statement. */
static const struct shape {
  uint16_t op;
  uint8_t flags;
  uint8_t wants;
} shapes[STATEMENTS] = {
    [STATEMENT_ATOMIC] = {OP_BLOCK, STEP_BLOCK, 0},
    [STATEMENT_READ] = {OP_LOAD, 0, 0},
    [STATEMENT_WRITE] = {OP_STORE, 0, 0},
    [STATEMENT_ADD] = {OP_RMW, 0, 0},
    [STATEMENT_EXCHANGE] = {OP_RMW, 0, 0},
    [STATEMENT_CAS] = {OP_CAS, STEP_CONDITIONAL, 0},
    [STATEMENT_LOCK] = {OP_LOCK, STEP_BLOCKING, OFFER_ONE},
    [STATEMENT_TRYLOCK] = {OP_TRYLOCK, STEP_CONDITIONAL, OFFER_ONE},
    [STATEMENT_RDLOCK] = {OP_RDLOCK, STEP_BLOCKING, OFFER_SHARED},
    [STATEMENT_TRYRDLOCK] = {OP_TRYRDLOCK, STEP_CONDITIONAL, OFFER_SHARED},
    [STATEMENT_UNLOCK] = {OP_UNLOCK, 0, 0},
    [STATEMENT_SEM_WAIT] = {OP_SEM_WAIT, STEP_BLOCKING, OFFER_ONE},
    [STATEMENT_TRYWAIT] = {OP_SEM_TRYWAIT, STEP_CONDITIONAL, OFFER_ONE},
    [STATEMENT_POST] = {OP_SEM_POST, 0, 0},
    [STATEMENT_COND_WAIT] = {OP_WAIT, 0, 0},
    [STATEMENT_SIGNAL] = {OP_SIGNAL, STEP_CONDITIONAL, 0},
    [STATEMENT_BROADCAST] = {OP_BROADCAST, STEP_CONDITIONAL, 0},
    [STATEMENT_CREATE] = {OP_CREATE, 0, 0},
    [STATEMENT_JOIN] = {OP_JOIN, STEP_BLOCKING, 0},
    [STATEMENT_CHOOSE] = {OP_CHOOSE, 0, 0},
    [STATEMENT_AWAIT] = {OP_LOAD, 0, 0},
    [STATEMENT_TASK] = {OP_TASK, STEP_BLOCK, 0},
};

uint8_t describe_offers(const struct model *m, uint32_t slot, uint8_t kind) {
  const int64_t *at = &m->state.at[slot];
  switch (kind) {
  case SYMBOL_MUTEX:
    return at[0] ? 0 : OFFER_ONE;
  case SYMBOL_SEM:
    return at[0] > 0 ? OFFER_ONE : 0;
  case SYMBOL_RWLOCK: /* writer, readers */
    return at[0] ? 0 : at[1] ? OFFER_SHARED : OFFER_ONE | OFFER_SHARED;
  }
  return 0;
}

/* A read-write lock has other operations than a mutex, and data others than
 * variables. */
static uint16_t op_of(const struct statement *s, uint8_t kind) {
  if (kind == SYMBOL_DATA)
    return s->kind == STATEMENT_READ ? OP_READ : OP_WRITE;
  if (kind != SYMBOL_RWLOCK)
    return shapes[s->kind].op;
  switch (s->kind) {
  case STATEMENT_LOCK:
    return OP_WRLOCK;
  case STATEMENT_TRYLOCK:
    return OP_TRYWRLOCK;
  case STATEMENT_UNLOCK:
    return OP_RWUNLOCK;
  }
  return shapes[s->kind].op;
}

/* The first bytes of an object, other than a variable, stand for all of it. */
static struct access touch(struct model *m, unsigned p, uint32_t symbol,
                           uint32_t index, uint8_t part, bool write) {
  bool crashed = false;
  uint32_t slot = local_slot(m, p, symbol, index, &crashed);
  uint8_t kind = m->g->symbols.at[symbol].kind;
  return access_of(slot, symbol_has_value(kind) ? part : PART_LOW,
                   (kind == SYMBOL_DATA ? 0 : ACCESS_ATOMIC) |
                       (write ? ACCESS_WRITE : 0));
}

/* ACCESS_BLIND for a statement that writes without reading the old value. */
static uint32_t blind(const struct model *m, const struct statement *s) {
  return s->kind == STATEMENT_WRITE && !is_ordered(m, s) ? ACCESS_BLIND : 0;
}

/* ACCESS_ADDS for an addition whose result is not used.  If a spin loop waits
 * for the variable, the order of all writes to it must be known: see
 * nearest_looks() in core/trace.c. */
static uint32_t kind_of(const struct model *m, const struct statement *s,
                        const struct access *a) {
  return m->updates && s->kind == STATEMENT_ADD && s->to == NIL &&
                 !m->ordered.at[slot_of(a)] && !m->awaited.at[s->symbol]
             ? ACCESS_ADDS
             : 0;
}

static bool has_object(const struct statement *s) {
  return s->kind != STATEMENT_ATOMIC && s->kind != STATEMENT_TASK &&
         s->kind != STATEMENT_CREATE && s->kind != STATEMENT_JOIN &&
         s->kind != STATEMENT_CHOOSE;
}

static uint32_t accesses_of(const struct statement *s) {
  return s->kind == STATEMENT_COND_WAIT ? 2 : has_object(s);
}

static inline uint32_t choices_of(struct model *m, unsigned p,
                                  const struct statement *s) {
  bool crashed = false;
  if (s->kind == STATEMENT_CHOOSE)
    return s->count;
  if (s->kind != STATEMENT_SIGNAL)
    return 1;
  int64_t waiting =
      m->state.at[local_slot(m, p, s->symbol, s->index, &crashed)];
  return waiting > 1 ? (uint32_t)waiting : 1;
}

/* A task goes on: no other step can prevent that. */
static bool is_task_going_on(const struct instruction *i,
                             const struct statement *s) {
  return i->code == CODE_BLOCK && s->kind == STATEMENT_JOIN;
}

static inline void outline_running(struct model *m, unsigned p,
                                   const struct instruction *i,
                                   const struct statement *s,
                                   struct outline *out) {
  out->flags = shapes[s->kind].flags;
  out->choices = choices_of(m, p, s);
  out->accesses = accesses_of(s);
  if (is_look(m, p))
    out->flags |= STEP_LOOK;
  if (i->code == CODE_AWAIT)
    out->flags |= STEP_AWAIT;
  if (is_turn(i, s)) {
    out->flags = STEP_BLOCKING;
    out->accesses = 1;
  }
  if (is_task_going_on(i, s))
    out->flags = STEP_BLOCK;
}

static inline void outline(struct model *m, unsigned p, struct outline *out) {
  const struct instruction *i = instruction_of(m, p);
  int64_t status = status_of(m, p);
  *out = (struct outline){
      .cause = (uint32_t)m->state.at[m->places.at[p].history + HISTORY_CAUSE],
      .choices = 1,
      .accesses = status == STATUS_RELOCKING,
      .flags = STEP_BLOCKING};
  if (status == STATUS_RUNNING)
    outline_running(m, p, i, &m->g->statements.at[i->statement], out);
}

void describe_outline(struct model *m, unsigned p, struct outline *out) {
  outline(m, p, out);
}

static void describe_running(struct model *m, unsigned p,
                             const struct instruction *i,
                             const struct statement *s, struct step *out,
                             struct access *access) {
  out->op = shapes[s->kind].op;
  out->wants = shapes[s->kind].wants;
  out->round = i->code == CODE_AWAIT; /* its loop looks once */
  if (is_turn(i, s)) {
    out->op = OP_TURN;
    access[0] =
        (struct access){address_of(lines_awaited(m, p)), 8, ACCESS_ATOMIC};
  } else if (has_object(s)) {
    out->op = op_of(s, m->g->symbols.at[s->symbol].kind);
    access[0] = touch(m, p, s->symbol, s->index, s->part,
                      s->kind != STATEMENT_READ && s->kind != STATEMENT_AWAIT);
    access[0].mode |= blind(m, s) | kind_of(m, s, &access[0]);
  }
  if (s->kind == STATEMENT_COND_WAIT)
    access[1] = touch(m, p, s->other, s->other_index, PART_WHOLE, true);
  if (is_task_going_on(i, s))
    out->op = OP_TASK;
}

void describe_pending(struct model *m, unsigned p, struct step *out,
                      struct access *access) {
  const struct instruction *i = instruction_of(m, p);
  const struct statement *s = &m->g->statements.at[i->statement];
  struct outline part;
  int64_t status = status_of(m, p);
  outline(m, p, &part);
  *out = (struct step){.choices = part.choices,
                       .order = __ATOMIC_SEQ_CST,
                       .cause = part.cause,
                       .accesses = part.accesses,
                       .flags = part.flags,
                       .access = access,
                       .pc = 1 + (uint64_t)(i - m->g->code.at)};
  if (status == STATUS_RUNNING) {
    describe_running(m, p, i, s, out, access);
  } else if (status == STATUS_WAITING) {
    out->op = OP_WAIT;
  } else {
    out->op = OP_LOCK;
    out->wants = OFFER_ONE;
    access[0] = touch(m, p, s->other, s->other_index, PART_WHOLE, true);
  }
}

/* ---- looks ----------------------------------------------------------------
 */

static bool may_write(const struct statement *s) {
  switch (s->kind) {
  case STATEMENT_WRITE:
  case STATEMENT_ADD:
  case STATEMENT_EXCHANGE:
  case STATEMENT_CAS:
    return true;
  default:
    return false;
  }
}

/* Only then are the writes to it in one order. */
bool is_written_whole(const struct model *m, const struct statement *look) {
  for (size_t i = 0; i < m->g->statements.size; i++) {
    const struct statement *s = &m->g->statements.at[i];
    if (may_write(s) && s->symbol == look->symbol && s->part != look->part)
      return false;
  }
  return true;
}

void describe_looked_at(struct model *m) {
  VEC_CLEARED(m->looked_at, m->g->symbols.size);
  VEC_CLEARED(m->awaited, m->g->symbols.size);
  for (size_t i = 0; i < m->g->statements.size; i++) {
    const struct statement *s = &m->g->statements.at[i];
    if (s->kind == STATEMENT_AWAIT)
      m->awaited.at[s->symbol] = true;
    bool looks = s->kind == STATEMENT_AWAIT ? is_written_whole(m, s)
                                            : m->g->loops && may_look(s);
    if (looks)
      m->looked_at.at[s->symbol] = true;
  }
}

bool describe_ready(struct model *m, unsigned p) {
  return describe_offered(m, p) && !is_held(m, p);
}

/* Only called for processes that run, wait or relock. */
bool describe_offered(struct model *m, unsigned p) {
  const struct statement *s = statement_of(m, p);
  bool crashed = false;
  int64_t status = status_of(m, p);
  if (status == STATUS_WAITING || awaits_of(m, p))
    return false;
  if (status == STATUS_RELOCKING)
    return !m->state.at[local_slot(m, p, s->other, s->other_index, &crashed)];
  if (is_turn(instruction_of(m, p), s))
    return m->state.at[lines_awaited(m, p)];
  if (s->kind == STATEMENT_JOIN)
    return status_of(m, s->symbol) == STATUS_ENDED;
  uint8_t wants = shapes[s->kind].wants;
  if (!wants || !(shapes[s->kind].flags & STEP_BLOCKING))
    return true;
  return describe_offers(m, local_slot(m, p, s->symbol, s->index, &crashed),
                         m->g->symbols.at[s->symbol].kind) &
         wants;
}

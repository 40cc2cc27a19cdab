/* Local code of a process, between two scheduling points, and the inside of an
 * atomic block. */
#include "machine.h"

static void set_status(struct model *m, unsigned p, int64_t status) {
  slot_set(m, m->places.at[p].block + SLOT_STATUS, status);
}

static void set_pc(struct model *m, unsigned p, uint32_t pc) {
  slot_set(m, m->places.at[p].block + SLOT_PC, pc);
}

static void set_register(struct model *m, unsigned p, uint32_t reg,
                         int64_t value) {
  slot_set(m, m->places.at[p].block + SLOT_REGISTERS + reg, value);
}

/* One step may have two failures, of a new process and then of its creator.
 * The first is reported. */
void local_fail(struct model *m, unsigned p, enum finding_kind kind) {
  set_status(m, p, STATUS_FAILED + (int64_t)kind);
  if (!m->failed)
    m->failed = p + 1;
}

static int64_t value_of(struct model *m, unsigned p, uint32_t expression,
                        bool *crashed) {
  return evaluate(m->g, registers_of(m, p), expression, crashed);
}

uint32_t local_slot(struct model *m, unsigned p, uint32_t symbol,
                    uint32_t index, bool *crashed) {
  const struct symbol *s = &m->g->symbols.at[symbol];
  if (index == NIL)
    return s->slot;
  int64_t i = value_of(m, p, index, crashed);
  if (*crashed || i < 0 || i >= s->extent)
    return NIL;
  return s->slot + (uint32_t)i * s->stride;
}

/* A step's object and operands are known when it becomes pending, so an index
 * out of bounds or a division by zero stops the process before the step. */
static bool arrive(struct model *m, unsigned p, const struct statement *s) {
  bool crashed = false, inside = true;
  if (s->kind == STATEMENT_CREATE || s->kind == STATEMENT_JOIN)
    return true;
  if (s->index != NIL)
    inside = local_slot(m, p, s->symbol, s->index, &crashed) != NIL;
  if (inside && s->other_index != NIL)
    inside = local_slot(m, p, s->other, s->other_index, &crashed) != NIL;
  if (inside && s->a != NIL && s->kind != STATEMENT_AWAIT)
    value_of(m, p, s->a, &crashed);
  if (inside && !crashed && s->b != NIL)
    value_of(m, p, s->b, &crashed);
  if (crashed || !inside)
    local_fail(m, p, crashed ? FINDING_CRASH : FINDING_MEMORY);
  return !crashed && inside;
}

/* ---- atomic blocks --------------------------------------------------------
 */

static uint32_t atomicity(const struct model *m, const struct statement *s) {
  return m->g->symbols.at[s->symbol].kind == SYMBOL_DATA ? 0 : ACCESS_ATOMIC;
}

/* Adds an access to the footprint of a block, unless an earlier one covers it:
 * an access to all these bytes, which is a write if this one is. */
static void note_access(struct model *m, struct access a) {
  for (size_t i = 0; i < m->accesses.size; i++) {
    const struct access *b = &m->accesses.at[i];
    if (b->addr <= a.addr && a.addr + a.size <= b->addr + b->size &&
        (b->mode & ACCESS_WRITE) >= (a.mode & ACCESS_WRITE))
      return;
  }
  VEC_PUSH(m->accesses, a);
}

static void note_read(struct model *m, const struct statement *s,
                      uint32_t slot) {
  note_access(m, access_of(slot, s->part, atomicity(m, s)));
}

static void note_write(struct model *m, const struct statement *s,
                       uint32_t slot) {
  note_access(m, access_of(slot, s->part,
                           atomicity(m, s) | ACCESS_WRITE | ACCESS_BLIND));
}

static int64_t written(enum statement_kind kind, int64_t old, int64_t a,
                       int64_t b) {
  if (kind == STATEMENT_ADD)
    return (int64_t)((uint64_t)old + (uint64_t)a);
  return kind == STATEMENT_CAS ? b : a;
}

bool local_access(struct model *m, unsigned p, const struct statement *s,
                  uint32_t slot, bool *crashed) {
  int64_t whole = m->state.at[slot], old = part_get(whole, s->part);
  int64_t result = old;
  bool reads = s->kind == STATEMENT_READ || s->kind == STATEMENT_AWAIT;
  int64_t a = reads || s->a == NIL ? 0 : value_of(m, p, s->a, crashed);
  int64_t b = s->b == NIL ? 0 : value_of(m, p, s->b, crashed);
  bool writes = !reads;
  if (*crashed)
    return false;
  if (s->kind == STATEMENT_CAS)
    result = writes = part_set(whole, s->part, a) == whole;
  if (writes)
    slot_set(m, slot, part_set(whole, s->part, written(s->kind, old, a, b)));
  if (s->back != NIL && !writes)
    set_register(m, p, s->back, old);
  if (s->to != NIL)
    set_register(m, p, s->to, result);
  return writes;
}

static bool block_access(struct model *m, unsigned p,
                         const struct statement *s) {
  bool crashed = false;
  if (s->kind == STATEMENT_CREATE) { /* a task sends a message */
    lines_join(m, p, s->symbol);
    local_start(m, s->symbol, (uint32_t)m->taken.size);
    return true;
  }
  uint32_t slot = local_slot(m, p, s->symbol, s->index, &crashed);
  if (slot == NIL) {
    local_fail(m, p, crashed ? FINDING_CRASH : FINDING_MEMORY);
    return false;
  }
  if (s->kind != STATEMENT_WRITE || is_ordered(m, s))
    note_read(m, s, slot);
  if (local_access(m, p, s, slot, &crashed))
    note_write(m, s, slot);
  if (crashed)
    local_fail(m, p, FINDING_CRASH);
  return !crashed;
}

/* ---- local code -----------------------------------------------------------
 */

/* One instruction that is no scheduling point; *pc moves on.  False: the
 * process failed in it. */
static bool local_step(struct model *m, unsigned p, uint32_t *pc) {
  const struct instruction *i = &m->g->code.at[*pc];
  bool crashed = false;
  uint32_t next = *pc + 1;
  int64_t value;
  switch ((enum instruction_code)i->code) {
  case CODE_ACCESS:
    if (!block_access(m, p, &m->g->statements.at[i->statement]))
      return false;
    break;
  case CODE_ASSIGN:
    value = value_of(m, p, i->expression, &crashed);
    if (!crashed)
      set_register(m, p, i->reg, value);
    break;
  case CODE_SET:
    set_register(m, p, i->reg, i->target);
    break;
  case CODE_ASSERT:
    value = value_of(m, p, i->expression, &crashed);
    if (!crashed && !value) {
      local_fail(m, p, FINDING_ASSERTION);
      return false;
    }
    break;
  case CODE_UNLESS:
    if (!value_of(m, p, i->expression, &crashed))
      next = i->target;
    break;
  case CODE_COUNT:
    value = registers_of(m, p)[i->reg];
    if (value)
      set_register(m, p, i->reg, value - 1);
    else
      next = i->target;
    break;
  case CODE_JUMP:
    next = i->target;
    break;
  default:
    break;
  }
  if (crashed)
    local_fail(m, p, FINDING_CRASH);
  else
    *pc = next;
  return !crashed;
}

static bool is_of_data(const struct model *m, const struct instruction *i) {
  const struct statement *s = &m->g->statements.at[i->statement];
  return i->code == CODE_VISIBLE &&
         (s->kind == STATEMENT_READ || s->kind == STATEMENT_WRITE) &&
         m->g->symbols.at[s->symbol].kind == SYMBOL_DATA;
}

/* An access to data that is no step: it is remembered, to look for data
 * races. */
static void access_apart(struct model *m, unsigned p, uint32_t pc) {
  const struct statement *s = &m->g->statements.at[m->g->code.at[pc].statement];
  bool crashed = false; /* cannot be set: the process has arrived here */
  uint32_t slot = local_slot(m, p, s->symbol, s->index, &crashed);
  bool writes = local_access(m, p, s, slot, &crashed);
  uint32_t mode = writes ? ACCESS_WRITE : 0;
  VEC_PUSH(m->data, (struct datum){.access = access_of(slot, s->part, mode),
                                   .proc = p,
                                   .pc = 1 + (uint64_t)pc});
}

void local_run(struct model *m, unsigned p, bool apart) {
  uint32_t pc = (uint32_t)(instruction_of(m, p) - m->g->code.at);
  for (;;) {
    const struct instruction *i = &m->g->code.at[pc];
    if (i->code <= CODE_BLOCK) {
      bool arrived = arrive(m, p, &m->g->statements.at[i->statement]);
      if (!arrived || !apart || !is_of_data(m, i))
        break;
      access_apart(m, p, pc++);
      continue;
    }
    if (i->code == CODE_END) {
      set_status(m, p, STATUS_ENDED);
      slot_set(m, m->places.at[p].history + HISTORY_END,
               (int64_t)m->taken.size);
      break;
    }
    if (!local_step(m, p, &pc))
      break;
  }
  set_pc(m, p, pc);
  round_arrive(m, p);
}

/* Runs a block from its begin to its end; pc is then behind it. */
void local_block(struct model *m, unsigned p) {
  uint32_t pc = (uint32_t)(instruction_of(m, p) - m->g->code.at) + 1;
  while (m->g->code.at[pc].code != CODE_BLOCK_END)
    if (!local_step(m, p, &pc))
      break;
  set_pc(m, p, pc);
}

void local_start(struct model *m, unsigned p, uint32_t cause) {
  uint32_t entry = m->g->processes.at[p].entry;
  set_status(m, p, STATUS_RUNNING);
  set_pc(m, p, lines_has(m->g, p) && lines_first(m, p) ? entry + 1 : entry);
  slot_set(m, m->places.at[p].history + HISTORY_CAUSE, cause);
  local_run(m, p, false);
}

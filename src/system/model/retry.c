/* A read and the compare-and-swap behind it as one step: see *Reads that are
 * tried again* in docs/algorithms/waiting.md.
 *
 * A process has read a variable, and its next operation is a compare-and-swap
 * of the variable that succeeds.  The two are one step if a swap that fails
 * leads back, whatever value makes it fail: to the read, or to the head of a
 * loop in a state that the process had before it read, or to where it would be
 * if it had read that value; or to another read, behind which it is where it
 * would be if it had read at first what it reads there.
 *
 * "Whatever value": local code is run with a value that is not known.  Locals
 * that are computed from it are terms, named by a hash of how they are
 * computed.  Where the code depends on such a local, the walk ends: two that
 * end at one place with the same locals go on in the same way for each value.
 */
#include "machine.h"
#include "util/planted.h"
#include "util/rng.h"

/* ---- which reads ----------------------------------------------------------
 */

static bool is_local(const struct instruction *i) {
  return i->code > CODE_BLOCK && i->code != CODE_END;
}

struct places_seen {
  VEC(uint32_t) list;
};

/* May the next operation, from an instruction on, swap this variable?  `seen`
 * has the instructions that were looked at. */
static bool leads_to_swap(const struct program *g, uint32_t at, uint32_t symbol,
                          struct places_seen *seen) {
  const struct instruction *i = &g->code.at[at];
  for (size_t k = 0; k < seen->list.size; k++)
    if (seen->list.at[k] == at)
      return false;
  VEC_PUSH(seen->list, at);
  if (i->code == CODE_VISIBLE) {
    const struct statement *s = &g->statements.at[i->statement];
    return s->kind == STATEMENT_CAS && s->symbol == symbol;
  }
  if (!is_local(i))
    return false;
  bool jumps =
      i->code == CODE_UNLESS || i->code == CODE_COUNT || i->code == CODE_JUMP;
  return (jumps && leads_to_swap(g, i->target, symbol, seen)) ||
         (i->code != CODE_JUMP && leads_to_swap(g, at + 1, symbol, seen));
}

void retry_find(struct program *g) {
  struct places_seen seen = {0};
  for (uint32_t at = 0; g->loops && at < g->code.size; at++) {
    struct instruction *i = &g->code.at[at];
    if (i->code != CODE_VISIBLE)
      continue;
    const struct statement *s = &g->statements.at[i->statement];
    seen.list.size = 0;
    i->retries =
        s->kind == STATEMENT_READ && leads_to_swap(g, at + 1, s->symbol, &seen);
  }
  VEC_FREE(seen.list);
}

/* ---- terms ----------------------------------------------------------------
 */

static struct term known(int64_t value) {
  return (struct term){.value = value};
}

static struct term compound(uint8_t kind, struct term a, struct term b) {
  uint64_t hash = rng_mix(kind + 1u);
  hash = rng_mix(hash + (uint64_t)a.value) + a.open;
  hash = rng_mix(hash ^ (uint64_t)b.value) + b.open;
  return (struct term){.value = (int64_t)hash, .open = true};
}

/* Is it clear what comes of a comparison of the value found with the one that
 * the swap expects?  They differ. */
static bool differs(uint8_t kind, struct term a, struct term b,
                    int64_t expected) {
  return (kind == EXPRESSION_EQUAL || kind == EXPRESSION_UNEQUAL) && a.found &&
         !b.open && b.value == expected;
}

/* Sets *unclear if it depends on the unknown value whether there is a result,
 * or if there is none. */
static struct term term_of(const struct program *g, const struct retry_walk *w,
                           uint32_t expression, bool *unclear) {
  const struct expression *e = &g->expressions.at[expression];
  if (e->kind == EXPRESSION_NUMBER)
    return known(e->value);
  if (e->kind == EXPRESSION_LOCAL)
    return w->reg.at[e->value];
  struct term a = term_of(g, w, e->a, unclear), b = known(0);
  bool unary = e->kind == EXPRESSION_NOT || e->kind == EXPRESSION_NEGATE;
  if (a.open ? !unary : !evaluate_decided(e->kind, a.value))
    b = term_of(g, w, e->b, unclear);
  bool divides = e->kind == EXPRESSION_DIVIDE || e->kind == EXPRESSION_MODULO;
  *unclear |= divides && b.open;
  if (differs(e->kind, a, b, w->expected) ||
      differs(e->kind, b, a, w->expected))
    return known(e->kind == EXPRESSION_UNEQUAL);
  if (a.open || b.open)
    return compound(e->kind, a, b);
  return known(evaluate_operation(e->kind, a.value, b.value, unclear));
}

/* ---- walks ----------------------------------------------------------------
 */

/* One instruction.  False: the walk ends before it. */
static bool walk_on(const struct program *g, struct retry_walk *w) {
  const struct instruction *i = &g->code.at[w->pc];
  bool unclear = false;
  struct term t = known(0);
  if (!is_local(i))
    return false;
  if (i->expression != NIL)
    t = term_of(g, w, i->expression, &unclear);
  else if (i->code == CODE_COUNT)
    t = w->reg.at[i->reg];
  bool tests = i->code != CODE_ASSIGN;
  if (unclear || (tests && t.open) || (i->code == CODE_ASSERT && !t.value))
    return false;
  w->pc++;
  switch ((enum instruction_code)i->code) {
  case CODE_ASSIGN:
    w->reg.at[i->reg] = t;
    break;
  case CODE_SET:
    w->reg.at[i->reg] = known(i->target);
    break;
  case CODE_UNLESS:
    w->pc = t.value ? w->pc : i->target;
    break;
  case CODE_COUNT:
    w->reg.at[i->reg] = known(t.value - (t.value != 0));
    w->pc = t.value ? w->pc : i->target;
    break;
  case CODE_JUMP:
    w->pc = i->target;
    break;
  default:
    break;
  }
  return true;
}

static void walk_begin(struct model *m, unsigned p, const int64_t *registers,
                       struct retry_walk *w) {
  uint32_t count = m->g->processes.at[p].registers;
  w->reg.size = 0;
  for (uint32_t r = 0; r < count; r++)
    VEC_PUSH(w->reg, known(registers[r]));
}

/* Takes the operation at `pc`, which finds this value for one register, and
 * leaves 0 in another; then goes on. */
static void walk_take(const struct model *m, struct retry_walk *w, uint32_t pc,
                      uint32_t to, struct term found, uint32_t zero) {
  if (to != NIL)
    w->reg.at[to] = found;
  if (zero != NIL)
    w->reg.at[zero] = known(0);
  w->pc = pc + 1;
  while (walk_on(m->g, w))
    ;
}

static bool same_end(const struct model *m, const struct retry_walk *a,
                     const struct retry_walk *b) {
  const struct instruction *i = &m->g->code.at[a->pc];
  if (a->pc != b->pc)
    return false;
  for (uint32_t r = 0; r < a->reg.size; r++)
    if (live_matters(i, r) && !planted(RETRY_VALUES) &&
        (a->reg.at[r].value != b->reg.at[r].value ||
         a->reg.at[r].open != b->reg.at[r].open))
      return false;
  return true;
}

/* At the read, as if it had not been? */
static bool is_before(const struct model *m, const struct retry_walk *w,
                      const struct model_retry *before) {
  const struct instruction *i = &m->g->code.at[w->pc];
  if (w->pc != before->pc)
    return false;
  for (uint32_t r = 0; r < w->reg.size; r++)
    if (live_matters(i, r) &&
        (w->reg.at[r].open || w->reg.at[r].value != before->registers.at[r]))
      return false;
  return true;
}

/* At the head of a loop, in one of the states that p had since it last wrote,
 * of the first `rounds` that are remembered? */
static bool comes_back(struct model *m, unsigned p, struct retry_walk *w,
                       uint32_t rounds) {
  const struct instruction *i = &m->g->code.at[w->pc];
  if (i->code != CODE_VISIBLE || !i->head)
    return false;
  w->values.size = 0;
  for (uint32_t r = 0; r < w->reg.size; r++) {
    if (live_matters(i, r) && w->reg.at[r].open)
      return false;
    VEC_PUSH(w->values, w->reg.at[r].value);
  }
  return round_was_there(
      m, p, live_hash(m->g, w->pc, w->values.at, (uint32_t)w->reg.size),
      rounds);
}

/* ---- the step of both ---------------------------------------------------- */

void retry_begin(struct model *m, unsigned p, struct model_retry *before) {
  const int64_t *registers = registers_of(m, p);
  before->pc = (uint32_t)(instruction_of(m, p) - m->g->code.at);
  before->rounds = (uint32_t)m->rounds.size;
  before->registers.size = 0;
  for (uint32_t r = 0; r < m->g->processes.at[p].registers; r++)
    VEC_PUSH(before->registers, registers[r]);
}

/* Is p about to swap what it has read at this slot, and will it succeed? */
static bool swaps(struct model *m, unsigned p, uint32_t slot) {
  bool crashed = false;
  if (status_of(m, p) != STATUS_RUNNING ||
      instruction_of(m, p)->code != CODE_VISIBLE)
    return false;
  const struct statement *s = statement_of(m, p);
  return s->kind == STATEMENT_CAS &&
         local_slot(m, p, s->symbol, s->index, &crashed) == slot &&
         evaluate(m->g, registers_of(m, p), s->a, &crashed) ==
             m->state.at[slot];
}

static const struct term any = {.value = 1, .open = true};
static const struct term differing = {.open = true, .found = true};

/* The walk of a swap that failed has ended at another read of the variable:
 * would it be where the process is if the first read finds what this one does?
 */
static bool reads_again(struct model *m, unsigned p, struct retry_walk *failed,
                        struct retry_walk *first,
                        const struct model_retry *before) {
  const struct instruction *i = &m->g->code.at[failed->pc];
  if (i->code != CODE_VISIBLE)
    return false;
  const struct statement *s = &m->g->statements.at[i->statement];
  const struct statement *read =
      &m->g->statements.at[m->g->code.at[before->pc].statement];
  if (s->kind != STATEMENT_READ || s->symbol != read->symbol ||
      s->index != NIL || read->index != NIL)
    return false;
  walk_take(m, failed, failed->pc, s->to, any, NIL);
  walk_begin(m, p, before->registers.at, first);
  walk_take(m, first, before->pc, read->to, any, NIL);
  return same_end(m, failed, first);
}

bool retry_joins(struct model *m, unsigned p, uint32_t slot,
                 const struct model_retry *before) {
  if (!swaps(m, p, slot))
    return false;
  const struct statement *read =
      &m->g->statements.at[m->g->code.at[before->pc].statement];
  const struct statement *swap = statement_of(m, p);
  uint32_t pc = (uint32_t)(instruction_of(m, p) - m->g->code.at);
  struct retry_walk *failed = &m->walks[0], *first = &m->walks[1];
  failed->expected = first->expected = m->state.at[slot];
  walk_begin(m, p, registers_of(m, p), failed);
  walk_take(m, failed, pc, swap->back, differing, swap->to);
  if (planted(RETRY_FAILURE) || is_before(m, failed, before) ||
      comes_back(m, p, failed,
                 planted(RETRY_SWAP) ? UINT32_MAX : before->rounds))
    return true;
  walk_begin(m, p, before->registers.at, first);
  walk_take(m, first, before->pc, read->to, differing, NIL);
  return same_end(m, failed, first) || reads_again(m, p, failed, first, before);
}

void retry_free(struct model *m) {
  VEC_FREE(m->retry.registers);
  for (int i = 0; i < 2; i++) {
    VEC_FREE(m->walks[i].reg);
    VEC_FREE(m->walks[i].values);
  }
}

/* Which registers matter at an instruction.
 *
 * A process that is back at an instruction is in the state that it had there
 * before if the registers agree that it may still read: those that it writes
 * first do not count.  At its end it leaves its locals behind, so all of them
 * are read, unless outcomes do not count (`needed`).
 *
 * A set is a word, with a bit for each register.  From the 64th register on
 * registers share a bit, which is never taken out of a set.
 */
#include "machine.h"
#include "util/planted.h"
#include "util/rng.h"

static uint64_t bit(uint32_t reg) {
  return (uint64_t)1 << (reg < 63 ? reg : 63);
}

static uint64_t reads(const struct program *g, uint32_t expression) {
  if (expression == NIL)
    return 0;
  const struct expression *e = &g->expressions.at[expression];
  switch (e->kind) {
  case EXPRESSION_NUMBER:
    return 0;
  case EXPRESSION_LOCAL:
    return bit((uint32_t)e->value);
  case EXPRESSION_NOT:
  case EXPRESSION_NEGATE:
    return reads(g, e->a);
  }
  return reads(g, e->a) | reads(g, e->b);
}

static uint64_t without(uint64_t set, uint32_t reg) {
  return reg < 63 ? set & ~bit(reg) : set;
}

/* Before an operation, if `after` is live behind it.  What a compare-and-swap
 * writes back is written only if it fails. */
static uint64_t before_operation(const struct program *g,
                                 const struct statement *s, uint64_t after) {
  uint64_t live = without(after, s->to); /* NIL is beyond all registers */
  return live | reads(g, s->a) | reads(g, s->b) | reads(g, s->index) |
         reads(g, s->other_index);
}

static uint64_t before(const struct program *g, size_t at, uint32_t locals) {
  const struct instruction *i = &g->code.at[at];
  uint64_t next = i->code == CODE_END ? 0 : i[1].live;
  switch ((enum instruction_code)i->code) {
  case CODE_VISIBLE:
  case CODE_AWAIT:
  case CODE_ACCESS:
    return before_operation(g, &g->statements.at[i->statement], next);
  case CODE_ASSIGN:
    return without(next, i->reg) | reads(g, i->expression);
  case CODE_SET:
    return without(next, i->reg);
  case CODE_ASSERT:
    return next | reads(g, i->expression);
  case CODE_UNLESS:
    return next | g->code.at[i->target].live | reads(g, i->expression);
  case CODE_COUNT:
    return next | g->code.at[i->target].live | bit(i->reg);
  case CODE_JUMP:
    return g->code.at[i->target].live;
  case CODE_END:
    return locals < 63 ? bit(locals) - 1 : UINT64_MAX;
  case CODE_BLOCK:
  case CODE_BLOCK_END:
    break;
  }
  return next;
}

/* Goes backwards over the code of a process, again and again as long as loops
 * add something. */
static void find_in(struct program *g, size_t first, size_t end,
                    uint32_t locals) {
  bool grows = true;
  while (grows) {
    grows = false;
    for (size_t i = end; i-- > first;) {
      uint64_t live = before(g, i, locals);
      grows |= live != g->code.at[i].live;
      g->code.at[i].live = live;
    }
  }
}

static void find(struct program *g, bool ends) {
  for (size_t p = 0; p < g->processes.size; p++) {
    const struct process *process = &g->processes.at[p];
    size_t end =
        p + 1 < g->processes.size ? g->processes.at[p + 1].entry : g->code.size;
    find_in(g, process->entry, end, ends ? process->locals : 0);
  }
}

void live_find(struct program *g) {
  find(g, false);
  for (size_t i = 0; i < g->code.size; i++)
    g->code.at[i].needed = g->code.at[i].live;
  find(g, true);
}

uint64_t live_hash(const struct program *g, uint32_t pc,
                   const int64_t *registers, uint32_t count) {
  const struct instruction *i = &g->code.at[pc];
  uint64_t hash = rng_mix(1 + (uint64_t)pc);
  for (uint32_t r = 0; r < count && !planted(ROUND_VALUES); r++)
    if (live_matters(i, r))
      hash =
          rng_mix(hash + rng_mix((uint64_t)registers[r] ^ (uint64_t)r << 32));
  return hash;
}

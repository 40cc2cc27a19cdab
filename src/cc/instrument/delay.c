/* Values that only say how long a loop waits before it looks again.
 *
 *   while (!try_lock()) {
 *     for (int i = 0; i < delay; i++)
 *       pause();
 *     if (delay < 64)
 *       delay *= 2;
 *   }
 *
 * Rounds with different delays are alike: the value goes nowhere but into
 * itself, into a sleep, and into branches between ways that do nothing, as
 * those around the pause.  A way does nothing if it only computes, pauses or
 * sleeps until all ways from the branch have come together.  What is computed
 * on it and used behind it is such a value again.  A volatile variable that
 * counts the pauses may be changed on a way if it is read on such ways only.
 *
 * Values that are used behind the loop are none, and neither are those of more
 * branches than a loop that waits has.
 */
#include "delay.h"

#include <string.h>

#include "drawn.h"

enum { MOST_BLOCKS = 16 };

/* Between a branch and the block where its ways come together. */
struct ways_between {
  LLVMBasicBlockRef end;
  unsigned blocks;
  LLVMBasicBlockRef block[MOST_BLOCKS];
};

bool delay_add_value(struct delay *d, LLVMValueRef value) {
  for (unsigned i = 0; i < d->values; i++)
    if (d->value[i] == value)
      return true;
  if (d->values == DELAY_MOST_VALUES)
    return false;
  d->value[d->values++] = value;
  return true;
}

bool delay_add_variable(struct delay *d, LLVMValueRef pointer) {
  LLVMValueRef variable = variable_of(pointer);
  for (unsigned i = 0; i < d->variables; i++)
    if (d->variable[i] == variable)
      return true;
  if (!variable || d->variables == DELAY_MOST_VARIABLES)
    return false;
  d->variable[d->variables++] = variable;
  return true;
}

static bool has_variable(const struct delay *d, LLVMValueRef pointer) {
  LLVMValueRef variable = variable_of(pointer);
  for (unsigned i = 0; i < d->variables; i++)
    if (d->variable[i] == variable)
      return true;
  return false;
}

static bool is_head(const struct delay *d, LLVMBasicBlockRef block) {
  return d->loop && d->graph->blocks.at[d->loop->head] == block;
}

static bool is_inside(const struct delay *d, LLVMBasicBlockRef block) {
  return !d->loop || graph_loop_has(d->graph, d->loop, block);
}

/* ---- instructions that do nothing ---------------------------------------- */

/* Is a guard of the block that `value` is less than a constant, as in
 * if (delay < 64) delay *= 2;  Returns that constant, or 0. */
static uint64_t bound_in(LLVMBasicBlockRef block, LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
  if (!use || LLVMGetNextUse(use))
    return 0;
  LLVMValueRef branch = LLVMGetUser(use);
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) ||
      LLVMGetSuccessor(branch, 0) != block)
    return 0;
  LLVMValueRef test = LLVMGetCondition(branch);
  if (!LLVMIsAICmpInst(test) || LLVMGetOperand(test, 0) != value ||
      !LLVMIsAConstantInt(LLVMGetOperand(test, 1)))
    return 0;
  LLVMIntPredicate how = LLVMGetICmpPredicate(test);
  return how == LLVMIntULT || how == LLVMIntSLT
             ? LLVMConstIntGetZExtValue(LLVMGetOperand(test, 1))
             : 0;
}

/* Does it make more of a positive value that is less than a bound, and not too
 * much? */
static bool grows(LLVMValueRef i, unsigned bits) {
  LLVMValueRef by = LLVMGetOperand(i, 1);
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  uint64_t bound = bound_in(LLVMGetInstructionParent(i), LLVMGetOperand(i, 0));
  uint64_t most = (UINT64_C(1) << (bits - 1)) - 1;
  if (!bound || bound > most || !LLVMIsAConstantInt(by))
    return false;
  uint64_t n = LLVMConstIntGetZExtValue(by);
  switch (op) {
  case LLVMAdd:
    return n <= most - bound;
  case LLVMMul:
    return n && n <= most / bound;
  case LLVMShl:
    return n < bits && bound <= most >> n;
  default:
    return false;
  }
}

enum { MOST_POSITIVE = 16 };
struct positive {
  unsigned count;
  LLVMValueRef value[MOST_POSITIVE];
};

static bool is_known_positive(const struct positive *p, LLVMValueRef value) {
  for (unsigned i = 0; i < p->count; i++)
    if (p->value[i] == value)
      return true;
  return false;
}

/* By induction over the rounds of loops: a phi is if all that it can be is. */
static bool is_positive(struct positive *p, LLVMValueRef value, unsigned bits) {
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetSExtValue(value) > 0;
  if (is_known_positive(p, value))
    return true;
  if (p->count == MOST_POSITIVE || !LLVMIsAInstruction(value))
    return false;
  p->value[p->count++] = value;
  if (LLVMIsAPHINode(value)) {
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
      if (!is_positive(p, LLVMGetIncomingValue(value, i), bits))
        return false;
    return true;
  }
  if (LLVMIsASelectInst(value))
    return is_positive(p, LLVMGetOperand(value, 1), bits) &&
           is_positive(p, LLVMGetOperand(value, 2), bits);
  return LLVMIsABinaryOperator(value) && grows(value, bits) &&
         is_positive(p, LLVMGetOperand(value, 0), bits);
}

/* Not by 0, and no quotient is too large. */
static bool divides_well(LLVMValueRef division) {
  struct positive p = {0};
  LLVMTypeRef type = LLVMTypeOf(division);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) > 64)
    return false;
  return is_positive(&p, LLVMGetOperand(division, 1),
                     LLVMGetIntTypeWidth(type));
}

bool only_computes(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMPHI:
  case LLVMSelect:
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMICmp:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFreeze:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFPToUI:
  case LLVMFPToSI:
  case LLVMUIToFP:
  case LLVMSIToFP:
    return true;
  case LLVMUDiv:
  case LLVMURem:
  case LLVMSDiv:
  case LLVMSRem:
    return divides_well(i);
  default:
    return false;
  }
}

static bool is_named(LLVMValueRef callee, const char *name) {
  size_t length;
  const char *its = LLVMGetValueName2(callee, &length);
  return strlen(name) == length && !strncmp(its, name, length);
}

bool only_waits(const struct unit *u, LLVMValueRef call) {
  static const char *const names[] = {"llvm.x86.sse2.pause", "sched_yield",
                                      "thrd_yield", "usleep"};
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (is_assembly(call))
    return assembly_does_nothing(u, call);
  if (LLVMGetFirstUse(call) || !LLVMIsAFunction(callee) ||
      !LLVMIsDeclaration(callee))
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_named(callee, names[i]))
      return true;
  return false;
}

static bool is_loop_hook(LLVMValueRef call) {
  return unit_is_call(call, HOOK_count) || unit_is_call(call, HOOK_round) ||
         unit_is_call(call, HOOK_count_to_end) ||
         unit_is_call(call, HOOK_round_value);
}

/* Of a variable that keeps such values, or one that the runtime compares itself
 * (shown.c): there are no accesses to it but loads and stores. */
static bool is_compared(const struct delay *d, LLVMValueRef access) {
  if (!LLVMIsALoadInst(access) && !LLVMIsAStoreInst(access))
    return false;
  bool stores = LLVMIsAStoreInst(access);
  LLVMValueRef pointer = LLVMGetOperand(access, stores ? 1 : 0);
  return has_variable(d, pointer) || is_shown(d->locals, pointer);
}

static bool does_nothing(const struct delay *d, LLVMValueRef i) {
  if (LLVMIsACallInst(i))
    return intrinsic_is_marker(i) || only_waits(d->unit, i) || is_loop_hook(i);
  return LLVMIsABranchInst(i) || LLVMIsAGetElementPtrInst(i) ||
         LLVMIsABitCastInst(i) || only_computes(i) || is_compared(d, i);
}

static bool block_does_nothing(const struct delay *d, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (!does_nothing(d, i))
      return false;
  return true;
}

/* ---- branches ------------------------------------------------------------ */

static bool is_between(const struct ways_between *w, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < w->blocks; i++)
    if (w->block[i] == block)
      return true;
  return false;
}

static bool add_targets(const struct delay *d, struct ways_between *w,
                        LLVMValueRef branch) {
  for (unsigned k = 0; k < LLVMGetNumSuccessors(branch); k++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(branch, k);
    if (to == w->end || is_between(w, to))
      continue;
    if (w->blocks == MOST_BLOCKS || is_head(d, to) || !is_inside(d, to) ||
        !block_does_nothing(d, to))
      return false;
    w->block[w->blocks++] = to;
  }
  return true;
}

static bool leads_to(const struct ways_between *w, LLVMBasicBlockRef from,
                     const bool *ends) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(branch); k++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(branch, k);
    for (unsigned i = 0; i < w->blocks; i++)
      if (w->block[i] == to && ends[i])
        return true;
    if (to == w->end)
      return true;
  }
  return false;
}

/* Is there a way to the end from everywhere?  That it is taken at last is taken
 * for granted, as in C (6.8.5). */
static bool all_end(const struct ways_between *w) {
  bool ends[MOST_BLOCKS] = {false};
  unsigned count = 0, before;
  do {
    before = count;
    for (unsigned i = 0; i < w->blocks; i++)
      if (!ends[i] && leads_to(w, w->block[i], ends)) {
        ends[i] = true;
        count++;
      }
  } while (count > before);
  return count == w->blocks;
}

/* Do all ways from the branch do nothing until they come to this block? */
static bool come_together(const struct delay *d, LLVMValueRef branch,
                          LLVMBasicBlockRef end, struct ways_between *w) {
  w->end = end;
  w->blocks = 0;
  if (!add_targets(d, w, branch))
    return false;
  for (unsigned i = 0; i < w->blocks; i++)
    if (!add_targets(d, w, LLVMGetBasicBlockTerminator(w->block[i])))
      return false;
  return all_end(w);
}

static bool is_used_outside(const struct ways_between *w, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (!is_between(w, LLVMGetInstructionParent(LLVMGetUser(use))))
      return true;
  return false;
}

/* Does the phi where the ways end say which way it was? */
static bool tells_ways(const struct ways_between *w, LLVMValueRef branch,
                       LLVMValueRef phi) {
  LLVMValueRef first = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (from != LLVMGetInstructionParent(branch) && !is_between(w, from))
      continue;
    if (first && value != first)
      return true;
    first = value;
  }
  return false;
}

/* Which values there are behind the ways depends on the branch. */
static bool add_results(struct delay *d, const struct ways_between *w,
                        LLVMValueRef branch) {
  for (unsigned i = 0; i < w->blocks; i++)
    for (LLVMValueRef v = LLVMGetFirstInstruction(w->block[i]); v;
         v = LLVMGetNextInstruction(v))
      if (is_used_outside(w, v) && !delay_add_value(d, v))
        return false;
  for (LLVMValueRef v = LLVMGetFirstInstruction(w->end); LLVMIsAPHINode(v);
       v = LLVMGetNextInstruction(v))
    if (tells_ways(w, branch, v) && !delay_add_value(d, v))
      return false;
  return true;
}

/* Is what lies there read between, and nowhere else? */
static bool is_read_between(const struct ways_between *w, LLVMValueRef at) {
  for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool derives = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user);
    if ((derives && !is_read_between(w, user)) ||
        (LLVMIsALoadInst(user) &&
         !is_between(w, LLVMGetInstructionParent(user))))
      return false;
  }
  return true;
}

static bool keeps_variables(const struct delay *d,
                            const struct ways_between *w) {
  for (unsigned i = 0; i < w->blocks; i++)
    for (LLVMValueRef v = LLVMGetFirstInstruction(w->block[i]); v;
         v = LLVMGetNextInstruction(v)) {
      LLVMValueRef at = LLVMIsAStoreInst(v) ? LLVMGetOperand(v, 1) : NULL;
      while (at && !LLVMIsAAllocaInst(at))
        at = LLVMGetOperand(at, 0);
      if (at && !has_variable(d, at) && !is_read_between(w, at))
        return false;
    }
  return true;
}

static bool only_chooses_delay(struct delay *d, LLVMValueRef branch) {
  struct ways_between w;
  for (size_t b = 0; b < d->graph->blocks.size; b++)
    if (is_inside(d, d->graph->blocks.at[b]) &&
        come_together(d, branch, d->graph->blocks.at[b], &w) &&
        keeps_variables(d, &w))
      return add_results(d, &w, branch);
  return false;
}

/* ---- what is asked ------------------------------------------------------- */

bool delay_is_harmless(struct delay *d, LLVMValueRef user) {
  if (!is_inside(d, LLVMGetInstructionParent(user)))
    return false;
  if (LLVMIsACallInst(user))
    return only_waits(d->unit, user) || unit_is_call(user, HOOK_round_value);
  if (LLVMIsABranchInst(user))
    return only_chooses_delay(d, user);
  return only_computes(user) && delay_add_value(d, user);
}

/* Whether a division fails does not depend on what is divided, unless that is
 * the least of all integers. */
static bool is_divided(LLVMValueRef user, LLVMValueRef value) {
  if (LLVMGetOperand(user, 0) != value || LLVMGetOperand(user, 1) == value)
    return false;
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMUDiv:
  case LLVMURem:
    return true;
  case LLVMSDiv:
  case LLVMSRem:
    return LLVMIsACallInst(value) && drawn_draws(value);
  default:
    return false;
  }
}

/* What is computed from a number that is taken out (drawn.c) may become 0, of
 * which LLVM makes 0 whatever it is divided by. */
static bool is_harmless_use(struct delay *d, LLVMValueRef user,
                            LLVMValueRef value) {
  bool is_drawn = LLVMIsACallInst(d->value[0]) && value != d->value[0];
  if (LLVMIsABinaryOperator(user) && !is_drawn && is_divided(user, value) &&
      is_inside(d, LLVMGetInstructionParent(user)))
    return delay_add_value(d, user);
  return delay_is_harmless(d, user);
}

bool is_delay(const struct unit *u, const struct locals *locals,
              const struct graph *g, const struct graph_loop *loop,
              LLVMValueRef phi) {
  struct delay d = {
      .unit = u, .locals = locals, .graph = g, .loop = loop, .values = 1};
  d.value[0] = phi;
  for (unsigned i = 0; i < d.values; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(d.value[i]); use;
         use = LLVMGetNextUse(use))
      if (!is_harmless_use(&d, LLVMGetUser(use), d.value[i]))
        return false;
  return true;
}

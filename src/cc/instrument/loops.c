/* Where loops begin a round.
 *
 * A thread that waits in a loop comes back to the loop's head with nothing
 * changed.  At the head a hook tells the runtime what the thread knows there:
 * the values that can differ from round to round are the head's phis, since
 * what else lives there was computed before the loop.  So dead values, in
 * whatever register or stack slot, do not matter.
 *
 * A loop has no hook if the runtime could not rely on that: if it writes a
 * local variable that lies in memory, or has a phi of a type that is no word.
 * A loop that counts needs none: it never comes back to what it was, unless the
 * count is not used.
 */
#include <string.h>

#include "core/hook.h"
#include "graph.h"
#include "unit.h"

/* ---- what a round knows -------------------------------------------------- */

static bool is_word(const struct unit *u, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return unit_size(u, type) <= 8;
  case LLVMPointerTypeKind:
    return LLVMGetPointerAddressSpace(type) == 0;
  default:
    return false;
  }
}

static LLVMValueRef as_word(struct unit *u, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMBuildZExtOrBitCast(u->builder, value, u->word, "");
  case LLVMPointerTypeKind:
    return LLVMBuildPtrToInt(u->builder, value, u->word, "");
  case LLVMFloatTypeKind:
    value = LLVMBuildBitCast(u->builder, value, u->half, "");
    return LLVMBuildZExt(u->builder, value, u->word, "");
  default:
    return LLVMBuildBitCast(u->builder, value, u->word, "");
  }
}

/* Does the value come from adding a constant to this phi? */
static bool is_counted(LLVMValueRef phi, LLVMValueRef value) {
  if (!LLVMIsABinaryOperator(value))
    return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(value);
  LLVMValueRef by = LLVMGetOperand(value, 1);
  return (op == LLVMAdd || op == LLVMSub) && LLVMGetOperand(value, 0) == phi &&
         LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) != 0;
}

static bool is_in(const struct graph *g, const struct graph_loop *loop,
                  LLVMBasicBlockRef block) {
  for (uint32_t i = 0; i < g->blocks.size; i++)
    if (g->blocks.at[i] == block)
      return loop->body.at[i];
  return false;
}

static bool has_one_user(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

/* Is what is counted used for nothing but to count on? */
static bool is_idle(LLVMValueRef phi) {
  if (!has_one_user(phi))
    return false;
  LLVMValueRef next = LLVMGetUser(LLVMGetFirstUse(phi));
  return LLVMIsABinaryOperator(next) && has_one_user(next) &&
         LLVMGetUser(LLVMGetFirstUse(next)) == phi;
}

/* Does every round add a constant to the phi? */
static bool is_counter(const struct graph *g, const struct graph_loop *loop,
                       LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (is_in(g, loop, LLVMGetIncomingBlock(phi, i)) &&
        !is_counted(phi, LLVMGetIncomingValue(phi, i)))
      return false;
  return true;
}

/* ---- what a round changes unseen ----------------------------------------- */

static bool is_marker(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
    return false;
  const char *name = LLVMGetValueName2(callee, &length);
  return !strncmp(name, "llvm.dbg.", 9) || !strncmp(name, "llvm.lifetime.", 14);
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static bool gets_local(const struct locals *locals, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (is_pointer(argument) && is_local(locals, argument))
      return true;
  }
  return false;
}

static bool changes_local(const struct locals *locals, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore:
    return is_local(locals, LLVMGetOperand(i, 1));
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return is_local(locals, LLVMGetOperand(i, 0));
  case LLVMCall:
    return !is_marker(i) && gets_local(locals, i);
  case LLVMAlloca:
  case LLVMInvoke:
  case LLVMCallBr:
    return true;
  default:
    return false;
  }
}

static bool body_changes_local(const struct graph *g,
                               const struct locals *locals,
                               const struct graph_loop *loop) {
  for (uint32_t b = 0; b < g->blocks.size; b++)
    if (loop->body.at[b])
      for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[b]); i;
           i = LLVMGetNextInstruction(i))
        if (changes_local(locals, i))
          return true;
  return false;
}

/* ---- the hook ------------------------------------------------------------ */

struct values {
  VEC(LLVMValueRef) list;
};

/* Is this a loop that could wait?  Then its phis are collected. */
static bool may_wait(const struct unit *u, const struct graph *g,
                     const struct locals *locals, const struct graph_loop *loop,
                     struct values *values) {
  LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[loop->head]);
  for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    if (is_idle(i))
      continue;
    if (!is_word(u, LLVMTypeOf(i)) || is_counter(g, loop, i) ||
        values->list.size == HOOK_MOST_VALUES)
      return false;
    VEC_PUSH(values->list, i);
  }
  return !LLVMIsALandingPadInst(i) && !body_changes_local(g, locals, loop);
}

/* 1 where the loop is entered, 0 where a round has ended. */
static LLVMValueRef entered(struct unit *u, const struct graph *g,
                            const struct graph_loop *loop) {
  uint32_t head = loop->head;
  LLVMPositionBuilderBefore(u->builder,
                            LLVMGetFirstInstruction(g->blocks.at[head]));
  LLVMValueRef phi = LLVMBuildPhi(u->builder, u->word, "");
  for (uint32_t i = g->enters.at[head]; i < g->enters.at[head + 1]; i++) {
    uint32_t from = g->edges.at[g->entering.at[i]].from;
    LLVMValueRef value = unit_word(u, !loop->body.at[from]);
    LLVMAddIncoming(phi, &value, &g->blocks.at[from], 1);
  }
  return phi;
}

static void hook_head(struct unit *u, const struct graph *g,
                      const struct graph_loop *loop,
                      const struct values *values) {
  LLVMValueRef first = entered(u, g, loop), after = first;
  while (LLVMIsAPHINode(after))
    after = LLVMGetNextInstruction(after);
  LLVMPositionBuilderBefore(u->builder, after);
  for (size_t i = 0; i < values->list.size; i++) {
    LLVMValueRef word = as_word(u, values->list.at[i]);
    unit_call(u, HOOK_round_value, &word);
  }
  unit_call(u, HOOK_round, &first);
}

static bool is_head(const struct graph *g, uint32_t block) {
  for (size_t i = 0; i < g->backward.size; i++)
    if (g->backward.at[i].to == block)
      return true;
  return false;
}

void loops_hook(struct unit *u, const struct locals *locals,
                LLVMValueRef function) {
  struct graph g;
  graph_make(&g, function);
  for (uint32_t b = 0; b < g.blocks.size; b++) {
    struct graph_loop loop;
    struct values values = {0};
    if (!is_head(&g, b))
      continue;
    if (graph_find_loop(&g, b, &loop) &&
        may_wait(u, &g, locals, &loop, &values))
      hook_head(u, &g, &loop, &values);
    VEC_FREE(values.list);
    graph_loop_free(&loop);
  }
  graph_free(&g);
}

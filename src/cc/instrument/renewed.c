/* Memory that every round of a loop writes before it reads any.
 *
 *   do
 *     node->next = old;
 *   while (!compare_swap(&top, &old, node));
 *
 * What node->next is at the loop's head does not matter: each round begins by
 * writing it.  If no other thread uses the node, rounds can be compared without
 * it (system/native/engine/own.c); if others use it later, it may be written in
 * one step with the swap (retry.c).
 *
 * The places are those of stores to addresses that do not change in the loop,
 * on the way that every round takes from the head to the first branch, call or
 * plain load.  An atomic load may come first: atomic objects are never one
 * thread's own.
 */
#include "renewed.h"

/* ---- addresses that do not change ---------------------------------------- */

struct renewal {
  struct unit *unit;
  const struct graph *graph;
  const struct graph_loop *loop;
  const struct locals *locals;
};

static bool is_fixed(const struct renewal *s, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) ||
      !graph_loop_has(s->graph, s->loop, LLVMGetInstructionParent(value)))
    return true;
  if (!LLVMIsAGetElementPtrInst(value) && !LLVMIsABitCastInst(value))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (!is_fixed(s, LLVMGetOperand(value, (unsigned)i)))
      return false;
  return true;
}

/* The same value, computed where the builder stands: at the head. */
static LLVMValueRef at_head(const struct renewal *s, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) ||
      !graph_loop_has(s->graph, s->loop, LLVMGetInstructionParent(value)))
    return value;
  LLVMValueRef same = LLVMInstructionClone(value);
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    LLVMSetOperand(same, (unsigned)i,
                   at_head(s, LLVMGetOperand(value, (unsigned)i)));
  LLVMInsertIntoBuilder(s->unit->builder, same);
  return same;
}

/* ---- the way from the head ----------------------------------------------- */

static bool is_atomic(LLVMValueRef access) {
  return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

/* Is what comes after this instruction done in every round, too, and before any
 * memory that could be renewed is read? */
static bool goes_on(const struct renewal *s, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
#define HARMLESS(opcode) case LLVM##opcode:
#include "opcodes.def"
#undef HARMLESS
    return true;
  case LLVMLoad:
    return is_atomic(i) || is_local(s->locals, LLVMGetOperand(i, 0));
  case LLVMStore:
    return true;
  case LLVMCall:
    return intrinsic_is_marker(i);
  default:
    return false;
  }
}

static bool is_renewing(const struct renewal *s, LLVMValueRef i) {
  return LLVMIsAStoreInst(i) && !is_local(s->locals, LLVMGetOperand(i, 1)) &&
         is_fixed(s, LLVMGetOperand(i, 1));
}

static void announce(const struct renewal *s, LLVMValueRef store) {
  LLVMValueRef arguments[] = {
      at_head(s, LLVMGetOperand(store, 1)),
      unit_word(s->unit,
                unit_size(s->unit, LLVMTypeOf(LLVMGetOperand(store, 0))))};
  unit_call(s->unit, HOOK_round_renews, arguments);
}

/* The block that every round goes to from here, or NULL. */
static LLVMBasicBlockRef only_next(const struct renewal *s,
                                   LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (!LLVMIsABranchInst(end) || LLVMIsConditional(end))
    return NULL;
  LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
  return next == s->graph->blocks.at[s->loop->head] ? NULL : next;
}

void renewed_hook(struct unit *u, const struct graph *g,
                  const struct graph_loop *loop, const struct locals *locals,
                  LLVMValueRef first) {
  struct renewal s = {u, g, loop, locals};
  LLVMBasicBlockRef block = LLVMGetInstructionParent(first);
  unsigned places = 0, blocks = 0;
  for (LLVMValueRef i = first; block && blocks < g->blocks.size; blocks++) {
    for (; i && goes_on(&s, i); i = LLVMGetNextInstruction(i))
      if (is_renewing(&s, i) && places++ < HOOK_MOST_RENEWED)
        announce(&s, i);
    block = i ? NULL : only_next(&s, block);
    i = block ? LLVMGetFirstInstruction(block) : NULL;
  }
}

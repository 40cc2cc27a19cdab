/* Local variables in memory that a waiting loop changes.
 *
 *   while (!try_lock())
 *     for (volatile int i = 0; i < 100; i++)
 *       ;
 *
 * No other thread can know the variable, so that its accesses need no hooks.
 * But the runtime compares rounds of the loop, and must know what they change
 * (system/native/engine/own.c).  So it is told of the accesses to such
 * variables.  They are no steps of their own, however fine the steps are.
 *
 * That is done only where a thread could wait: in a loop that looks at memory
 * of other threads by an atomic or volatile access, or that calls a function
 * and has a variable that is volatile.  Of such variables there must be no
 * accesses but loads and stores.
 */
#include "graph.h"
#include "unit.h"

/* ---- loops --------------------------------------------------------------- */

static LLVMValueRef pointer_of(LLVMValueRef access) {
  return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static bool looks(const struct locals *locals, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    return (LLVMGetVolatile(i) ||
            LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) &&
           !is_local(locals, pointer_of(i));
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  default:
    return false;
  }
}

static bool calls(LLVMValueRef i) {
  return LLVMIsACallInst(i) && !intrinsic_is_marker(i) && !is_assembly(i) &&
         !LLVMGetIntrinsicID(LLVMGetCalledValue(i));
}

/* Calls `what` for each instruction of the loop, until it returns true. */
static bool any(const struct graph *g, const struct locals *locals,
                const struct graph_loop *loop,
                bool (*what)(const struct locals *, LLVMValueRef)) {
  for (uint32_t b = 0; b < g->blocks.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[b]);
         loop->body.at[b] && i; i = LLVMGetNextInstruction(i))
      if (what(locals, i))
        return true;
  return false;
}

static bool looks_or_calls(const struct locals *locals, LLVMValueRef i) {
  return looks(locals, i) || calls(i);
}

bool shown_may_look(const struct graph *g, const struct locals *locals,
                    const struct graph_loop *loop) {
  return any(g, locals, loop, looks_or_calls);
}

/* ---- variables ----------------------------------------------------------- */

static bool is_simple(LLVMValueRef pointer, bool *is_volatile) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
      if (LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic)
        return false;
      *is_volatile = *is_volatile || LLVMGetVolatile(user);
    } else if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) {
      if (!is_simple(user, is_volatile))
        return false;
    } else if (!LLVMIsACallInst(user) || !intrinsic_is_marker(user)) {
      return false;
    }
  }
  return true;
}

/* `looking`: the loop itself looks. */
static void show(struct locals *locals, LLVMValueRef store, bool looking) {
  bool is_volatile = false;
  LLVMValueRef variable = variable_of(LLVMGetOperand(store, 1));
  if (!variable || !is_local(locals, variable) || is_shown(locals, variable) ||
      !is_simple(variable, &is_volatile) || !(looking || is_volatile))
    return;
  VEC_PUSH(locals->shown, variable);
}

static void show_of(const struct graph *g, struct locals *locals,
                    const struct graph_loop *loop) {
  bool looking = any(g, locals, loop, looks);
  if (!looking && !shown_may_look(g, locals, loop))
    return;
  for (uint32_t b = 0; b < g->blocks.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[b]);
         loop->body.at[b] && i; i = LLVMGetNextInstruction(i))
      if (LLVMIsAStoreInst(i))
        show(locals, i, looking);
}

void shown_find(const struct graph *g, struct locals *locals) {
  for (size_t i = 0; i < g->backward.size; i++) {
    struct graph_loop loop;
    if (graph_find_loop(g, g->backward.at[i].to, &loop))
      show_of(g, locals, &loop);
    graph_loop_free(&loop);
  }
}

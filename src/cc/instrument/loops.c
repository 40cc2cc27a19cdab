/* Where loops begin a round.
 *
 * A thread that waits in a loop comes back to the loop's head with nothing
 * changed.  At the head a hook tells the runtime what the thread knows there:
 * the values that can differ from round to round are the head's phis, since
 * what else lives there was computed before the loop.  So dead values, in
 * whatever register or stack slot, do not matter.
 *
 * The runtime could not rely on that if the loop writes a local variable that
 * lies in memory and is not shown (shown.c), or has a phi of a type that is no
 * word.  A loop that counts
 * never comes back to what it was, unless the count is not used.  The hook of
 * such a loop has no values: its rounds are only counted, for --loop-bound.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "core/hook.h"
#include "deadline.h"
#include "delay.h"
#include "graph.h"
#include "idle.h"
#include "renewed.h"
#include "unit.h"
#include "ways.h"

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
    if (graph_loop_has(g, loop, LLVMGetIncomingBlock(phi, i)) &&
        !is_counted(phi, LLVMGetIncomingValue(phi, i)))
      return false;
  return true;
}

/* ---- statistics ---------------------------------------------------------- */

/* More than a waiting loop has; a longer way is not followed. */
enum { MOST_STATIONS = 8 };

struct statistic {
  unsigned stations;
  LLVMValueRef station[MOST_STATIONS]; /* the count, as it goes round */
};

static bool add_station(struct statistic *s, LLVMValueRef value) {
  for (unsigned i = 0; i < s->stations; i++)
    if (s->station[i] == value)
      return true;
  if (s->stations == MOST_STATIONS)
    return false;
  s->station[s->stations++] = value;
  return true;
}

/* Is the count used for nothing but to count on, as long as the loop runs? */
static bool is_statistic(const struct graph *g, const struct graph_loop *loop,
                         LLVMValueRef phi) {
  struct statistic s = {1, {phi}};
  bool counts = false;
  for (unsigned i = 0; i < s.stations; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(s.station[i]); use;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      bool counted = is_counted(s.station[i], user);
      counts = counts || counted;
      if (graph_loop_has(g, loop, LLVMGetInstructionParent(user)) &&
          ((!counted && !LLVMIsAPHINode(user)) || !add_station(&s, user)))
        return false;
    }
  return counts;
}

/* ---- loops that end ------------------------------------------------------ */

static bool is_head_counter(const struct graph *g,
                            const struct graph_loop *loop, LLVMValueRef value) {
  while (LLVMIsACastInst(value))
    value = LLVMGetOperand(value, 0);
  return LLVMIsAPHINode(value) &&
         LLVMGetInstructionParent(value) == g->blocks.at[loop->head] &&
         is_counter(g, loop, value);
}

static bool is_known_before(const struct graph *g,
                            const struct graph_loop *loop, LLVMValueRef value) {
  return !LLVMIsAInstruction(value) ||
         !graph_loop_has(g, loop, LLVMGetInstructionParent(value));
}

/* "i < queue->size": the number may move away, but hardly does. */
static bool is_read_to_compare(LLVMValueRef test, LLVMValueRef value) {
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
  while (LLVMIsACastInst(value))
    value = LLVMGetOperand(value, 0);
  return LLVMIsALoadInst(value) && predicate != LLVMIntEQ &&
         predicate != LLVMIntNE;
}

static bool is_end(const struct graph *g, const struct graph_loop *loop,
                   LLVMValueRef test, LLVMValueRef value) {
  return is_known_before(g, loop, value) || is_read_to_compare(test, value);
}

/* Does the head test in every round if a counter has come to a number that was
 * known before the loop, or has passed one in memory? */
static bool counts_to_end(const struct graph *g,
                          const struct graph_loop *loop) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(g->blocks.at[loop->head]);
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
    return false;
  LLVMValueRef test = LLVMGetCondition(branch);
  if (!LLVMIsAICmpInst(test) ||
      (graph_loop_has(g, loop, LLVMGetSuccessor(branch, 0)) &&
       graph_loop_has(g, loop, LLVMGetSuccessor(branch, 1))))
    return false;
  LLVMValueRef a = LLVMGetOperand(test, 0), b = LLVMGetOperand(test, 1);
  return (is_head_counter(g, loop, a) && is_end(g, loop, test, b)) ||
         (is_head_counter(g, loop, b) && is_end(g, loop, test, a));
}

/* ---- what a round changes unseen ----------------------------------------- */

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* Text and tables. */
static bool is_constant(LLVMValueRef pointer) {
  while (LLVMIsAConstantExpr(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAGlobalVariable(pointer);
}

static bool gets_local(const struct locals *locals, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (is_pointer(argument) && !is_constant(argument) &&
        is_local(locals, argument))
      return true;
  }
  return false;
}

/* `shows`: the runtime compares what the round has left in variables that are
 * shown. */
static bool changes_local(const struct locals *locals, LLVMValueRef i,
                          bool shows) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore:
    return is_local(locals, LLVMGetOperand(i, 1)) &&
           !(shows && is_shown(locals, LLVMGetOperand(i, 1)));
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return is_local(locals, LLVMGetOperand(i, 0));
  case LLVMCall:
    return !intrinsic_is_marker(i) && gets_local(locals, i);
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
  bool shows = locals->shown.size && shown_may_look(g, locals, loop);
  for (uint32_t b = 0; b < g->blocks.size; b++)
    if (loop->body.at[b])
      for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[b]); i;
           i = LLVMGetNextInstruction(i))
        if (changes_local(locals, i, shows))
          return true;
  return false;
}

/* ---- the hook ------------------------------------------------------------ */

struct values {
  VEC(LLVMValueRef) list;
  bool counts; /* besides, the loop counts its rounds */
};

/* Is this a loop that could wait?  Then its phis are collected. */
static bool may_wait(const struct unit *u, const struct graph *g,
                     const struct locals *locals, const struct graph_loop *loop,
                     struct values *values) {
  LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[loop->head]);
  for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    if (is_idle(i) || ways_ignore_phi(i) || is_delay(u, locals, g, loop, i))
      continue;
    if (is_statistic(g, loop, i)) {
      values->counts = true;
      continue;
    }
    if (!is_word(u, LLVMTypeOf(i)) || is_counter(g, loop, i) ||
        values->list.size == HOOK_MOST_VALUES)
      return false;
    VEC_PUSH(values->list, i);
  }
  return !body_changes_local(g, locals, loop);
}

/* A value that is `first` where the loop is entered, and `next` where a round
 * has ended. */
static void bring_to_head(const struct graph *g, const struct graph_loop *loop,
                          LLVMValueRef phi, LLVMValueRef first,
                          LLVMValueRef next) {
  for (uint32_t i = g->enters.at[loop->head]; i < g->enters.at[loop->head + 1];
       i++) {
    uint32_t from = g->edges.at[g->entering.at[i]].from;
    LLVMAddIncoming(phi, loop->body.at[from] ? &next : &first,
                    &g->blocks.at[from], 1);
  }
}

static LLVMValueRef add_phi(struct unit *u, const struct graph *g,
                            uint32_t head) {
  LLVMPositionBuilderBefore(u->builder,
                            LLVMGetFirstInstruction(g->blocks.at[head]));
  return LLVMBuildPhi(u->builder, u->word, "");
}

/* `marks`, and HOOK_ENTERS where the loop is entered. */
static LLVMValueRef entered(struct unit *u, const struct graph *g,
                            const struct graph_loop *loop, uint32_t marks) {
  LLVMValueRef phi = add_phi(u, g, loop->head);
  bring_to_head(g, loop, phi, unit_word(u, marks | HOOK_ENTERS),
                unit_word(u, marks));
  return phi;
}

/* The branch that leads back stands in the line of the loop's statement. */
static LLVMMetadataRef place_of(const struct graph *g, uint32_t head) {
  for (size_t i = 0; i < g->backward.size; i++) {
    LLVMBasicBlockRef from = g->blocks.at[g->backward.at[i].from];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    if (g->backward.at[i].to == head && LLVMGetDebugLocLine(branch))
      return LLVMInstructionGetDebugLoc(branch);
  }
  return NULL;
}

/* Returns the instruction that the builder stands before. */
static LLVMValueRef begin_after_phis(struct unit *u, const struct graph *g,
                                     uint32_t head) {
  LLVMValueRef after = LLVMGetFirstInstruction(g->blocks.at[head]);
  while (LLVMIsAPHINode(after) || LLVMIsALandingPadInst(after))
    after = LLVMGetNextInstruction(after);
  LLVMPositionBuilderBefore(u->builder, after);
  LLVMMetadataRef place = place_of(g, head);
  if (place)
    LLVMSetCurrentDebugLocation2(u->builder, place);
  return after;
}

static void hook_head(struct unit *u, const struct graph *g,
                      const struct locals *locals,
                      const struct graph_loop *loop,
                      const struct values *values) {
  LLVMValueRef first = entered(u, g, loop, values->counts ? HOOK_COUNTS : 0);
  renewed_hook(u, g, loop, locals, begin_after_phis(u, g, loop->head));
  for (size_t i = 0; i < values->list.size; i++) {
    LLVMValueRef word = as_word(u, values->list.at[i]);
    unit_call(u, HOOK_round_value, &word);
  }
  unit_call(u, HOOK_round, &first);
}

/* A loop with several ways into it has no end that could be seen here: its
 * rounds are counted as long as the function runs. */
static void count_head(struct unit *u, const struct graph *g,
                       const struct graph_loop *loop, bool natural) {
  LLVMValueRef first = natural ? entered(u, g, loop, 0) : unit_word(u, 0);
  begin_after_phis(u, g, loop->head);
  unit_call(u, HOOK_count, &first);
}

static void count_to_end(struct unit *u, const struct graph *g,
                         const struct graph_loop *loop) {
  LLVMValueRef rounds = add_phi(u, g, loop->head);
  begin_after_phis(u, g, loop->head);
  unit_call(u, HOOK_count_to_end, &rounds);
  LLVMValueRef next = LLVMBuildAdd(u->builder, rounds, unit_word(u, 1), "");
  bring_to_head(g, loop, rounds, unit_word(u, 0), next);
}

static bool is_head(const struct graph *g, uint32_t block) {
  for (size_t i = 0; i < g->backward.size; i++)
    if (g->backward.at[i].to == block)
      return true;
  return false;
}

bool loops_begins_round(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsACallInst(i) && unit_is_call(i, HOOK_round))
      return true;
  return false;
}

void loops_hook(struct unit *u, struct locals *locals, LLVMValueRef function) {
  struct graph g;
  struct graph_loops loops = {0};
  graph_make(&g, function);
  shown_find(&g, locals);
  bool all_natural = true;
  for (uint32_t b = 0; b < g.blocks.size; b++) {
    struct graph_loop loop;
    struct values values = {0};
    if (!is_head(&g, b))
      continue;
    bool natural = graph_find_loop(&g, b, &loop);
    all_natural = all_natural && natural;
    if (natural && may_wait(u, &g, locals, &loop, &values))
      hook_head(u, &g, locals, &loop, &values);
    else if (natural && counts_to_end(&g, &loop))
      count_to_end(u, &g, &loop);
    else
      count_head(u, &g, &loop, natural);
    VEC_FREE(values.list);
    VEC_PUSH(loops.list, loop);
  }
  if (all_natural)
    idle_mark(u, &g, &loops);
  deadline_mark(u, &g, locals);
  for (size_t i = 0; i < loops.list.size; i++)
    graph_loop_free(&loops.list.at[i]);
  VEC_FREE(loops.list);
  graph_free(&g);
}

/* Loads whose value no round of a loop uses.
 *
 *   do {
 *     before = sequence;
 *     x = a;
 *     y = b;
 *   } while ((before & 1) || sequence != before);
 *
 * What a and b are matters only behind the loop.  A thread that has seen an odd
 * sequence comes back to the head, whatever it reads on the way.  The runtime
 * needs to know that to leave such a round out as soon as it begins
 * (system/native/engine/round.c).
 *
 * The value may be used outside of all loops that the load is in.  Inside it
 * may only be taken along, or computed with.
 */
#include "idle.h"

/* More than a loop that waits has; a longer way is not followed. */
enum { MOST_STATIONS = 16 };

struct idle {
  const struct graph *graph;
  const struct graph_loops *loops;
  LLVMBasicBlockRef home; /* of the load */
  unsigned stations;
  LLVMValueRef station[MOST_STATIONS]; /* the value, and what follows from it */
};

static bool is_inside(const struct idle *d, LLVMBasicBlockRef block) {
  for (size_t i = 0; i < d->loops->list.size; i++) {
    const struct graph_loop *loop = &d->loops->list.at[i];
    if (graph_loop_has(d->graph, loop, d->home) &&
        graph_loop_has(d->graph, loop, block))
      return true;
  }
  return false;
}

static bool add(struct idle *d, LLVMValueRef value) {
  for (unsigned i = 0; i < d->stations; i++)
    if (d->station[i] == value)
      return true;
  if (d->stations == MOST_STATIONS)
    return false;
  d->station[d->stations++] = value;
  return true;
}

/* Computing with the value cannot fail. */
static bool is_taken_along(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return false;
  default:
    return LLVMIsAPHINode(user) || LLVMIsACastInst(user) ||
           LLVMIsABinaryOperator(user) || LLVMIsAICmpInst(user);
  }
}

static bool is_unused(struct idle *d) {
  for (unsigned i = 0; i < d->stations; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(d->station[i]); use;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (is_inside(d, LLVMGetInstructionParent(user)) &&
          (!is_taken_along(user) || !add(d, user)))
        return false;
    }
  return true;
}

static bool is_idle(const struct graph *g, const struct graph_loops *loops,
                    LLVMValueRef load) {
  struct idle d = {.graph = g, .loops = loops};
  d.home = LLVMGetInstructionParent(load);
  return is_inside(&d, d.home) && add(&d, load) && is_unused(&d);
}

void idle_mark(struct unit *u, const struct graph *g,
               const struct graph_loops *loops) {
  LLVMValueRef mark = LLVMMDNodeInContext(u->context, NULL, 0);
  for (size_t b = 0; b < g->blocks.size && loops->list.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[b]); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsALoadInst(i) &&
          LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic &&
          is_idle(g, loops, i))
        LLVMSetMetadata(i, u->idle_kind, mark);
}

bool idle_is_marked(const struct unit *u, LLVMValueRef load) {
  return LLVMGetMetadata(load, u->idle_kind) != NULL;
}

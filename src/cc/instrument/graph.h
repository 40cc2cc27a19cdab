/* The blocks of a function as a graph, and the loops in it. */
#ifndef CC_INSTRUMENT_GRAPH_H
#define CC_INSTRUMENT_GRAPH_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/vec.h"

struct edge {
  uint32_t from;
  uint32_t to;
};

/* Blocks have numbers; 0 is the entry. */
struct graph {
  VEC(LLVMBasicBlockRef) blocks;
  VEC(struct edge) edges; /* by `from`; as many as a branch has targets */
  VEC(uint32_t) leaving;  /* by block: its first edge, and one more */
  VEC(uint32_t) entering; /* edges by `to` ... */
  VEC(uint32_t) enters;   /* ... by block: where its own begin, and one more */
  VEC(struct edge)
  backward; /* those that close a cycle of a depth-first walk */
};

/* A natural loop: one block, the head, comes before all others. */
struct graph_loop {
  uint32_t head;
  VEC(bool) body; /* by block, with the head */
};

struct graph_loops {
  VEC(struct graph_loop) list;
};

void graph_make(struct graph *, LLVMValueRef function);
void graph_free(struct graph *);

/* The loop with this head.  False: there is none, or there is another way into
 * it. */
bool graph_find_loop(const struct graph *, uint32_t head, struct graph_loop *);
void graph_loop_free(struct graph_loop *);
bool graph_loop_has(const struct graph *, const struct graph_loop *,
                    LLVMBasicBlockRef);

#endif

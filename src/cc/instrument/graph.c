/* The loops of a function.
 *
 * A depth-first walk from the entry finds the edges that lead back to a block
 * on the way to where the walk stands.  The target of such an edge is the head
 * of a natural loop if it dominates the edge's origin, that is, if the origin
 * cannot be reached without it.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

/* ---- blocks and edges ---------------------------------------------------- */

struct numbered {
  LLVMBasicBlockRef block;
  uint32_t number;
};

static int by_address(const void *a, const void *b) {
  const struct numbered *x = a, *y = b;
  return (x->block > y->block) - (x->block < y->block);
}

static struct numbered *number_blocks(const struct graph *g) {
  struct numbered *all = malloc(g->blocks.size * sizeof *all);
  ensure(all);
  for (uint32_t i = 0; i < g->blocks.size; i++)
    all[i] = (struct numbered){g->blocks.at[i], i};
  qsort(all, g->blocks.size, sizeof *all, by_address);
  return all;
}

static uint32_t number_of(const struct graph *g, const struct numbered *all,
                          LLVMBasicBlockRef block) {
  struct numbered key = {block, 0};
  const struct numbered *found =
      bsearch(&key, all, g->blocks.size, sizeof *all, by_address);
  ensure(found);
  return found->number;
}

static void add_edges(struct graph *g, const struct numbered *all,
                      uint32_t from) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(g->blocks.at[from]);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    VEC_PUSH(g->edges,
             (struct edge){from, number_of(g, all, LLVMGetSuccessor(end, i))});
}

/* Sorts the edges by the block that they enter. */
static void find_entering(struct graph *g) {
  for (size_t i = 0; i <= g->blocks.size; i++)
    VEC_PUSH(g->enters, 0);
  for (size_t e = 0; e < g->edges.size; e++) {
    VEC_PUSH(g->entering, 0);
    g->enters.at[g->edges.at[e].to + 1]++;
  }
  for (size_t i = 0; i < g->blocks.size; i++)
    g->enters.at[i + 1] += g->enters.at[i];
  for (size_t e = g->edges.size; e-- > 0;)
    g->entering.at[--g->enters.at[g->edges.at[e].to + 1]] = (uint32_t)e;
  memmove(g->enters.at, g->enters.at + 1,
          g->blocks.size * sizeof *g->enters.at);
  g->enters.at[g->blocks.size] = (uint32_t)g->edges.size;
}

/* ---- walking ------------------------------------------------------------- */

enum color { NEW, OPEN, CLOSED };

struct graph_walk {
  VEC(uint8_t) color; /* by block */
  VEC(uint32_t) next; /* by block: the edge to follow next */
  VEC(uint32_t) path;
};

static void walk_enter(struct graph_walk *w, const struct graph *g,
                       uint32_t block) {
  w->color.at[block] = OPEN;
  w->next.at[block] = g->leaving.at[block];
  VEC_PUSH(w->path, block);
}

static void walk_begin(struct graph_walk *w, const struct graph *g) {
  for (size_t i = 0; i < g->blocks.size; i++) {
    VEC_PUSH(w->color, NEW);
    VEC_PUSH(w->next, 0);
  }
}

static void walk_free(struct graph_walk *w) {
  VEC_FREE(w->color);
  VEC_FREE(w->next);
  VEC_FREE(w->path);
}

/* From the entry, but never through the block `without`. */
static void walk(struct graph_walk *w, const struct graph *g, uint32_t without,
                 struct graph *found) {
  walk_begin(w, g);
  if (without)
    walk_enter(w, g, 0);
  while (w->path.size) {
    uint32_t at = VEC_TOP(w->path);
    if (w->next.at[at] == g->leaving.at[at + 1]) {
      w->color.at[at] = CLOSED;
      w->path.size--;
      continue;
    }
    struct edge e = g->edges.at[w->next.at[at]++];
    if (w->color.at[e.to] == NEW && e.to != without)
      walk_enter(w, g, e.to);
    else if (w->color.at[e.to] == OPEN && found)
      VEC_PUSH(found->backward, e);
  }
}

void graph_make(struct graph *g, LLVMValueRef function) {
  memset(g, 0, sizeof *g);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    VEC_PUSH(g->blocks, b);
  struct numbered *all = number_blocks(g);
  for (uint32_t i = 0; i < g->blocks.size; i++) {
    VEC_PUSH(g->leaving, (uint32_t)g->edges.size);
    add_edges(g, all, i);
  }
  VEC_PUSH(g->leaving, (uint32_t)g->edges.size);
  free(all);
  find_entering(g);
  struct graph_walk w = {0};
  walk(&w, g, UINT32_MAX, g);
  walk_free(&w);
}

void graph_free(struct graph *g) {
  VEC_FREE(g->blocks);
  VEC_FREE(g->edges);
  VEC_FREE(g->leaving);
  VEC_FREE(g->entering);
  VEC_FREE(g->enters);
  VEC_FREE(g->backward);
}

/* ---- loops --------------------------------------------------------------- */

/* Adds the blocks from which the block can be reached without the head. */
static void add_to_body(const struct graph *g, struct graph_loop *loop,
                        uint32_t block) {
  VEC(uint32_t) open = {0};
  VEC_PUSH(open, block);
  while (open.size) {
    uint32_t at = VEC_POP(open);
    if (loop->body.at[at])
      continue;
    loop->body.at[at] = true;
    for (uint32_t i = g->enters.at[at]; i < g->enters.at[at + 1]; i++)
      VEC_PUSH(open, g->edges.at[g->entering.at[i]].from);
  }
  VEC_FREE(open);
}

bool graph_find_loop(const struct graph *g, uint32_t head,
                     struct graph_loop *loop) {
  struct graph_walk w = {0};
  bool found = false, natural = true;
  memset(loop, 0, sizeof *loop);
  loop->head = head;
  for (size_t i = 0; i < g->blocks.size; i++)
    VEC_PUSH(loop->body, i == head);
  walk(&w, g, head, NULL);
  for (size_t i = 0; i < g->backward.size; i++) {
    struct edge e = g->backward.at[i];
    if (e.to != head)
      continue;
    found = true;
    if (w.color.at[e.from] != NEW) /* reached without the head */
      natural = false;
    else
      add_to_body(g, loop, e.from);
  }
  walk_free(&w);
  return found && natural;
}

void graph_loop_free(struct graph_loop *loop) {
  VEC_FREE(loop->body);
}

bool graph_loop_has(const struct graph *g, const struct graph_loop *loop,
                    LLVMBasicBlockRef block) {
  for (uint32_t i = 0; i < g->blocks.size; i++)
    if (g->blocks.at[i] == block)
      return loop->body.at[i];
  return false;
}

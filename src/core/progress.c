/* How much of a search is done.
 *
 * Weighted backtracking, after D. E. Knuth: Estimating the efficiency of
 * backtrack programs, 1975.  A node with n branches gives each 1/n of its own
 * weight; the root has weight 1.  The weight of all branches that are finished
 * is the part that is done.  An algorithm that finds branches on the way does
 * not know n at a node that it has not left: n is what is planned so far, or
 * what nodes of the same depth had on average when they were left, if that is
 * more.
 */
#include "core/search_parts.h"

/* The nodes from this depth on are left for good. */
static void leave(struct search_progress *p, size_t from, size_t end) {
  while (p->left.size < end)
    VEC_PUSH(p->left, ((struct left_nodes){0, 0}));
  struct left_nodes *left = p->left.at;
  const uint32_t *taken = p->taken.at;
  for (size_t i = from; i < end; i++) {
    left[i].branches += 1 + taken[i];
    left[i].count++;
  }
}

void explorer_note_retreat(struct explorer *x, size_t length) {
  struct search_progress *p = &x->progress;
  size_t depth = trace_length(&x->trace);
  while (p->taken.size <= depth)
    VEC_PUSH(p->taken, 0);
  leave(p, length + 1, depth);
  p->taken.size = length + 1;
  p->taken.at[length]++;
}

void explorer_forget_progress(struct explorer *x) {
  VEC_FREE(x->progress.taken);
  VEC_FREE(x->progress.left);
  x->progress.elsewhere = 0;
}

static double branches_of(const struct explorer *x, size_t depth) {
  const struct search_progress *p = &x->progress;
  double known =
      1 + p->taken.at[depth] + (double)x->algorithm->planned(x->state, depth);
  if (depth >= p->left.size || !p->left.at[depth].count)
    return known;
  double usual =
      (double)p->left.at[depth].branches / (double)p->left.at[depth].count;
  return usual > known ? usual : known;
}

static double weight_done(const struct explorer *x) {
  const struct search_progress *p = &x->progress;
  double done = 0, weight = 1;
  for (size_t i = 0; i < p->taken.size; i++) {
    double branches = branches_of(x, i);
    done += weight * p->taken.at[i] / branches;
    weight /= branches;
  }
  return done;
}

double explorer_done(const struct explorer *x) {
  const struct search_progress *p = &x->progress;
  if (x->samples && !x->listener.await)
    return x->counters->executions < x->samples
               ? (double)x->counters->executions / (double)x->samples
               : 1;
  if (x->algorithm->done && !x->listener.await)
    return x->algorithm->done(x->state);
  if (!x->algorithm->planned || !p->taken.size || x->listener.await)
    return -1; /* or only a part of the search is known here */
  return weight_done(x);
}

/* ---- parts ----------------------------------------------------------------
 */

void explorer_begin_part(struct explorer *x) {
  x->progress.taken.size = 0;
  x->progress.elsewhere = x->counters->executions;
}

void explorer_add_elsewhere(struct explorer *x, uint64_t executions) {
  x->progress.elsewhere += executions;
}

double explorer_part_left(const struct explorer *x) {
  const struct search_progress *p = &x->progress;
  if (!x->algorithm->planned || !p->taken.size)
    return -1;
  double here = (double)(x->counters->executions - p->elsewhere);
  double done = weight_done(x);
  return done > 0 ? here * (1 - done) / done : -1;
}

#include "explore/printed_dontdo.h"

void dontdo_free(struct dontdo *d) {
  while (d->list.size)
    sequence_drop(VEC_POP(d->list));
  VEC_FREE(d->list);
}

void dontdo_add(struct dontdo *d, struct sequence *s) {
  for (size_t i = 0; i < d->list.size; i++)
    if (d->list.at[i]->acts.size == s->acts.size &&
        sequence_begins(d->list.at[i], s))
      return;
  VEC_PUSH(d->list, sequence_hold(s));
}

bool dontdo_forbids(const struct dontdo *d, uint32_t proc, uint32_t choice) {
  for (size_t i = 0; i < d->list.size; i++) {
    const struct sequence *s = d->list.at[i];
    if (s->acts.size == 1 && s->acts.at[0].proc == proc &&
        s->acts.at[0].choice == choice)
      return true;
  }
  return false;
}

bool dontdo_forbids_process(const struct dontdo *d, uint32_t proc) {
  return dontdo_shortest(d, proc) == 1;
}

uint32_t dontdo_shortest(const struct dontdo *d, uint32_t proc) {
  uint32_t shortest = UINT32_MAX;
  for (size_t i = 0; i < d->list.size; i++) {
    const struct sequence *s = d->list.at[i];
    if (s->acts.at[0].proc == proc && s->acts.size < shortest)
      shortest = (uint32_t)s->acts.size;
  }
  return shortest;
}

/* ---- inheritance --------------------------------------------------------- */

static struct sequence *without(const struct sequence *s, uint32_t act) {
  struct sequence *rest = sequence_new();
  for (uint32_t i = 0; i < s->acts.size; i++)
    if (i != act)
      sequence_add_act(rest, s, i);
  return rest;
}

/* May the act change places with all before it?  Two writes may also if what
 * they wrote is overwritten before somebody behind the act looks. */
static bool movable(const struct sequence *s, uint32_t act) {
  struct act_of p = {s, act};
  for (uint32_t i = 0; i < act; i++) {
    struct act_of q = {s, i};
    enum relation relation = acts_relation(q, p);
    if (relation == RELATION_DEPENDENT ||
        (relation == RELATION_WRITES && !sequence_overwrites(s, act + 1, q, p)))
      return false;
  }
  return true;
}

/* What is left of s below the step x, held; NULL: nothing. */
static struct sequence *inherit(struct sequence *s, struct act_of x,
                                struct inheritance how) {
  uint32_t at = sequence_first(s, 0, act_get(x)->proc);
  if (at == NOWHERE)
    return sequence_needs(s, 0, x, how.observers) ? NULL : sequence_hold(s);
  if (!acts_same(&s->acts.at[at], act_get(x)) || s->acts.size == 1)
    return NULL;
  if (at && !(how.anywhere && movable(s, at)))
    return NULL;
  return without(s, at);
}

void dontdo_inherit(const struct dontdo *d, struct act_of x,
                    struct inheritance how, struct dontdo *child) {
  for (size_t i = 0; i < d->list.size; i++) {
    struct sequence *rest = inherit(d->list.at[i], x, how);
    if (rest)
      dontdo_add(child, rest);
    sequence_drop(rest);
  }
}

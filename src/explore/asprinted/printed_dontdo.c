#include "explore/asprinted/printed_dontdo.h"

void dontdo_free(struct dontdo *d) {
  while (d->list.size)
    printed_sequence_drop(VEC_POP(d->list));
  VEC_FREE(d->list);
}

void dontdo_add(struct dontdo *d, struct printed_sequence *s) {
  for (size_t i = 0; i < d->list.size; i++)
    if (d->list.at[i]->acts.size == s->acts.size &&
        printed_sequence_begins(d->list.at[i], s))
      return;
  VEC_PUSH(d->list, printed_sequence_hold(s));
}

bool dontdo_forbids(const struct dontdo *d, uint32_t proc, uint32_t choice) {
  for (size_t i = 0; i < d->list.size; i++) {
    const struct printed_sequence *s = d->list.at[i];
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
    const struct printed_sequence *s = d->list.at[i];
    if (s->acts.at[0].proc == proc && s->acts.size < shortest)
      shortest = (uint32_t)s->acts.size;
  }
  return shortest;
}

/* ---- inheritance -------------------------------------------------------- */

static struct printed_sequence *without(const struct printed_sequence *s,
                                        uint32_t act) {
  struct printed_sequence *rest = printed_sequence_new();
  for (uint32_t i = 0; i < s->acts.size; i++)
    if (i != act)
      printed_sequence_add_act(rest, s, i);
  return rest;
}

/* May the act be moved before all acts before it?  Two writes may also change
 * places if their bytes are overwritten before a later act reads them. */
static bool movable(const struct printed_sequence *s, uint32_t act) {
  struct printed_act_of p = {s, act};
  for (uint32_t i = 0; i < act; i++) {
    struct printed_act_of q = {s, i};
    enum act_relation relation = acts_relation(q, p);
    if (relation == ACT_DEPENDENT ||
        (relation == ACT_WRITES &&
         !printed_sequence_overwrites(s, act + 1, q, p)))
      return false;
  }
  return true;
}

/* The rest of s below the step x, held; NULL if nothing is left. */
static struct printed_sequence *inherit(struct printed_sequence *s,
                                        struct printed_act_of x,
                                        struct dontdo_inheritance how) {
  uint32_t at = printed_sequence_first(s, 0, act_get(x)->proc);
  if (at == NOWHERE)
    return printed_sequence_needs(s, 0, x, how.observers)
               ? NULL
               : printed_sequence_hold(s);
  if (!acts_same(&s->acts.at[at], act_get(x)) || s->acts.size == 1)
    return NULL;
  if (at && !(how.anywhere && movable(s, at)))
    return NULL;
  return without(s, at);
}

void dontdo_inherit(const struct dontdo *d, struct printed_act_of x,
                    struct dontdo_inheritance how, struct dontdo *child) {
  for (size_t i = 0; i < d->list.size; i++) {
    struct printed_sequence *rest = inherit(d->list.at[i], x, how);
    if (rest)
      dontdo_add(child, rest);
    printed_sequence_drop(rest);
  }
}

#include "fuzz/model/joint.h"

enum { SMALL = 6 }; /* values that counters may come to */

static void try_value(struct joint *j, int64_t value) {
  for (size_t i = 0; i < j->values.size; i++)
    if (j->values.at[i] == value)
      return;
  VEC_PUSH(j->values, value);
}

/* All that a program compares with and stores, and their neighbours; and some
 * that are nowhere. */
void joint_values(struct joint *j, const struct program *g) {
  j->values.size = 0;
  for (int64_t i = -1; i <= SMALL; i++)
    try_value(j, i);
  for (size_t i = 0; i < g->expressions.size; i++)
    for (int64_t d = -1; d <= 1; d++)
      if (g->expressions.at[i].kind == EXPRESSION_NUMBER)
        try_value(j, g->expressions.at[i].value + d);
  for (size_t i = 0; i < g->values.size; i++)
    try_value(j, g->values.at[i]);
  try_value(j, 0x123456789abcdef);
  try_value(j, -0x123456789abcdef);
}

static bool was_there(const struct joint *j, uint64_t state) {
  for (size_t i = 0; i < j->states.size; i++)
    if (j->states.at[i] == state)
      return true;
  return false;
}

/* Takes the next operation of p, which must be of this kind and touch this
 * place only. */
static bool take(struct system *s, unsigned p, uint16_t op,
                 const struct access *place, bool writes) {
  struct step step;
  if (!s->ops->pending(s, p, &step) || step.op != op)
    return false;
  s->ops->step(s, p, 0, &step);
  return step.accesses == 1 && step.access->addr == place->addr &&
         step.access->size == place->size &&
         (step.access->mode & ACCESS_WRITE) == (writes ? ACCESS_WRITE : 0u);
}

/* After the swap has failed because of `value`: does the process read again,
 * and is it then where it would be if it had not read before? */
static bool reads_again(const struct joint *j, struct model *m, unsigned p,
                        const struct access *place, int64_t now, int64_t value,
                        size_t depth) {
  struct system *s = model_system(m);
  bool right = true;
  for (size_t i = 0; i < j->values.size && right; i++) {
    model_poke(m, place, now);
    take(s, p, OP_LOAD, place, false);
    model_poke(m, place, value);
    take(s, p, OP_CAS, place, false);
    model_poke(m, place, j->values.at[i]);
    right = take(s, p, OP_LOAD, place, false);
    uint64_t again = model_hash_live(m, p);
    s->ops->undo(s, depth);
    right = right && take(s, p, OP_LOAD, place, false) &&
            model_hash_live(m, p) == again;
    s->ops->undo(s, depth);
  }
  return right;
}

/* If the swap fails because of this value. */
static bool fails_right(const struct joint *j, struct model *m, unsigned p,
                        const struct access *place, int64_t value,
                        size_t depth) {
  struct system *s = model_system(m);
  bool right = take(s, p, OP_LOAD, place, false);
  int64_t now = model_poke(m, place, value);
  right = right && take(s, p, OP_CAS, place, false);
  uint64_t failed = model_hash_live(m, p);
  s->ops->undo(s, depth);
  if (right && !was_there(j, failed)) {
    bool same =
        take(s, p, OP_LOAD, place, false) && model_hash_live(m, p) == failed;
    s->ops->undo(s, depth);
    right = same || reads_again(j, m, p, place, now, value, depth);
  }
  model_poke(m, place, now);
  return right;
}

bool joint_right(const struct joint *j, struct model *m, unsigned p,
                 size_t depth) {
  struct system *s = model_system(m);
  struct step step;
  model_rehearse(m, true);
  bool right = s->ops->pending(s, p, &step) && step.accesses == 1;
  struct access place = *step.access;
  int64_t now = model_value(m, &place);
  right = right && take(s, p, OP_LOAD, &place, false) &&
          take(s, p, OP_CAS, &place, true);
  s->ops->undo(s, depth);
  for (size_t i = 0; i < j->values.size && right; i++)
    right = j->values.at[i] == now ||
            fails_right(j, m, p, &place, j->values.at[i], depth);
  model_rehearse(m, false);
  return right;
}

void joint_free(struct joint *j) {
  VEC_FREE(j->values);
  VEC_FREE(j->states);
}

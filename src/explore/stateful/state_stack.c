#include "explore/stateful/state_stack.h"

/* Digests are good hashes. */
static inline uint32_t *chain_of(const struct state_stack *s,
                                 struct digest128 d) {
  return &s->chains.at[d.word[0] & (s->chains.size - 1)];
}

static void link_state(struct state_stack *s, uint32_t n) {
  uint32_t *chain = chain_of(s, s->list.at[n].state);
  s->list.at[n].older = *chain;
  *chain = n;
}

static void grow(struct state_stack *s) {
  size_t size = s->chains.size ? 2 * s->chains.size : HOSTILE ? 2 : 256;
  VEC_SIZED(s->chains, size);
  for (size_t i = 0; i < size; i++)
    s->chains.at[i] = NOWHERE;
  for (uint32_t n = 0; n < s->list.size; n++)
    link_state(s, n);
}

void state_stack_push(struct state_stack *s, struct digest128 state) {
  if (s->list.size == s->chains.size)
    grow(s);
  VEC_PUSH(s->list, (struct stacked_state){state, NOWHERE});
  link_state(s, (uint32_t)s->list.size - 1);
}

void state_stack_truncate(struct state_stack *s, size_t size) {
  while (s->list.size > size) {
    struct stacked_state last = VEC_POP(s->list);
    *chain_of(s, last.state) = last.older;
  }
}

uint32_t state_stack_find(const struct state_stack *s, struct digest128 state) {
  if (!s->list.size)
    return NOWHERE;
  uint32_t n = *chain_of(s, state);
  while (n != NOWHERE && !digest128_equal(s->list.at[n].state, state))
    n = s->list.at[n].older;
  return n;
}

void state_stack_free(struct state_stack *s) {
  VEC_FREE(s->list);
  VEC_FREE(s->chains);
}

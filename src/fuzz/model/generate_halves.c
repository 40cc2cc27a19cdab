/* Accesses that overlap in part: some of a program's accesses become accesses
 * of half a variable, and some numbers that the others write, add or compare
 * with become such as the halves can make. */
#include "generate.h"

static bool is_access(const struct program *g, const struct statement *s) {
  bool access = (s->kind >= STATEMENT_READ && s->kind <= STATEMENT_CAS) ||
                s->kind == STATEMENT_AWAIT;
  return access && symbol_has_value(g->symbols.at[s->symbol].kind);
}

/* The same number in the high half, or in both. */
static void widen(struct program *g, uint32_t expression, struct rng *r) {
  if (expression == NIL ||
      g->expressions.at[expression].kind != EXPRESSION_NUMBER)
    return;
  int64_t *value = &g->expressions.at[expression].value;
  if (rng_percent(r, 50))
    *value *= rng_percent(r, 40) ? (int64_t)1 << 32 : ((int64_t)1 << 32) + 1;
}

void generate_halves(struct program *g, uint32_t percent, struct rng *r) {
  for (size_t i = 0; i < g->statements.size; i++) {
    struct statement *s = &g->statements.at[i];
    if (!is_access(g, s))
      continue;
    if (rng_percent(r, percent)) {
      s->part = rng_percent(r, 50) ? PART_LOW : PART_HIGH;
    } else {
      widen(g, s->a, r);
      widen(g, s->b, r);
    }
  }
}

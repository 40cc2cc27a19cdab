#include "machine.h"

/* Arithmetic wraps around.  INT64_MIN / -1 would trap: it wraps too. */
static int64_t divide(int64_t a, int64_t b, bool modulo, bool *crashed) {
  if (!b) {
    *crashed = true;
    return 0;
  }
  if (b == -1)
    return modulo ? 0 : (int64_t)(0 - (uint64_t)a);
  return modulo ? a % b : a / b;
}

int64_t evaluate_operation(uint8_t kind, int64_t a, int64_t b, bool *crashed) {
  switch (kind) {
  case EXPRESSION_NOT:
    return !a;
  case EXPRESSION_NEGATE:
    return (int64_t)(0 - (uint64_t)a);
  case EXPRESSION_AND:
    return a && b;
  case EXPRESSION_OR:
    return a || b;
  case EXPRESSION_EQUAL:
    return a == b;
  case EXPRESSION_UNEQUAL:
    return a != b;
  case EXPRESSION_LESS:
    return a < b;
  case EXPRESSION_AT_MOST:
    return a <= b;
  case EXPRESSION_GREATER:
    return a > b;
  case EXPRESSION_AT_LEAST:
    return a >= b;
  case EXPRESSION_PLUS:
    return (int64_t)((uint64_t)a + (uint64_t)b);
  case EXPRESSION_MINUS:
    return (int64_t)((uint64_t)a - (uint64_t)b);
  case EXPRESSION_TIMES:
    return (int64_t)((uint64_t)a * (uint64_t)b);
  default:
    return divide(a, b, kind == EXPRESSION_MODULO, crashed);
  }
}

int64_t evaluate(const struct program *g, const int64_t *registers,
                 uint32_t expression, bool *crashed) {
  const struct expression *e = &g->expressions.at[expression];
  int64_t a, b = 0;
  if (e->kind == EXPRESSION_NUMBER)
    return e->value;
  if (e->kind == EXPRESSION_LOCAL)
    return registers[e->value];
  a = evaluate(g, registers, e->a, crashed);
  if (!evaluate_decided(e->kind, a))
    b = evaluate(g, registers, e->b, crashed);
  return evaluate_operation(e->kind, a, b, crashed);
}

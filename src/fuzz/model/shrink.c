#include "shrink.h"

#include <stdlib.h>
#include <string.h>

#include "util/text.h"

/* Every edit is tried on a copy; kept if the test still holds after the copy
 * was printed and read again. */
struct shrinker {
  struct program *best;
  struct program trial, again;
  struct text text;
  shrink_test test;
  void *context;
};

static void collect(void *context, const char *text, size_t length) {
  struct shrinker *s = context;
  text_add(&s->text, text, length);
}

/* Is the edited copy still failing?  Then it is the new best. */
static bool keep(struct shrinker *s) {
  struct model_error error;
  s->text.size = 0;
  program_print(&s->trial, collect, s);
  if (!program_parse(&s->again, s->best->file, s->text.at, s->text.size,
                     &error) ||
      !s->test(s->context, &s->again))
    return false;
  program_copy(s->best, &s->again);
  return true;
}

static struct program *copy(struct shrinker *s) {
  program_copy(&s->trial, s->best);
  return &s->trial;
}

/* ---- edits ----------------------------------------------------------------
 */

static bool drop_process(struct shrinker *s, uint32_t p) {
  struct program *g = copy(s);
  g->processes.at[p].removed = true;
  for (size_t i = 0; i < g->statements.size; i++) {
    struct statement *x = &g->statements.at[i];
    if ((x->kind == STATEMENT_CREATE || x->kind == STATEMENT_JOIN) &&
        x->symbol == p)
      x->kind = STATEMENT_NOTHING;
  }
  return keep(s);
}

static bool drop_statement(struct shrinker *s, uint32_t i) {
  struct program *g = copy(s);
  g->statements.at[i].kind = STATEMENT_NOTHING;
  g->statements.at[i].to = NIL;
  return keep(s);
}

/* A compound statement is replaced by what is inside: its first statement
 * moves into its place, and what followed it follows the last one. */
static bool unwrap(struct shrinker *s, uint32_t i, bool otherwise) {
  struct program *g = copy(s);
  struct statement *x = &g->statements.at[i];
  uint32_t first = otherwise ? x->otherwise : x->body, next = x->next;
  if (first == NIL)
    return false;
  uint32_t last = first;
  while (g->statements.at[last].next != NIL)
    last = g->statements.at[last].next;
  g->statements.at[last].next = next;
  *x = g->statements.at[first];
  return keep(s);
}

static bool drop_otherwise(struct shrinker *s, uint32_t i) {
  if (s->best->statements.at[i].otherwise == NIL)
    return false;
  copy(s)->statements.at[i].otherwise = NIL;
  return keep(s);
}

static bool lower_count(struct shrinker *s, uint32_t i) {
  if (s->best->statements.at[i].count < 2)
    return false;
  copy(s)->statements.at[i].count--;
  return keep(s);
}

/* An update becomes a read or a write, a result becomes a number. */
static bool simplify(struct shrinker *s, uint32_t i, enum statement_kind kind) {
  const struct statement *x = &s->best->statements.at[i];
  if (x->kind < STATEMENT_ADD || x->kind > STATEMENT_CAS)
    return false;
  if (kind == STATEMENT_READ && x->to == NIL)
    return false;
  struct statement *y = &copy(s)->statements.at[i];
  if (kind == STATEMENT_WRITE) {
    y->a = x->kind == STATEMENT_CAS ? x->b : x->a;
    y->to = NIL;
  } else {
    y->a = NIL;
  }
  y->b = y->back = NIL;
  y->kind = (uint8_t)kind;
  return keep(s);
}

static bool take_whole(struct shrinker *s, uint32_t i) {
  if (s->best->statements.at[i].part == PART_WHOLE)
    return false;
  copy(s)->statements.at[i].part = PART_WHOLE;
  return keep(s);
}

static bool forget_result(struct shrinker *s, uint32_t i) {
  const struct statement *x = &s->best->statements.at[i];
  if (x->to == NIL || x->kind == STATEMENT_ASSIGN || x->kind == STATEMENT_READ)
    return false;
  copy(s)->statements.at[i].to = NIL;
  return keep(s);
}

static bool make_number(struct shrinker *s, uint32_t e, int64_t value) {
  const struct expression *x = &s->best->expressions.at[e];
  if (x->kind == EXPRESSION_NUMBER &&
      (x->value < 0 ? -x->value : x->value) <= (value < 0 ? -value : value))
    return false;
  copy(s)->expressions.at[e] =
      (struct expression){.kind = EXPRESSION_NUMBER, .value = value};
  return keep(s);
}

static bool take_operand(struct shrinker *s, uint32_t e) {
  const struct expression *x = &s->best->expressions.at[e];
  if (x->kind <= EXPRESSION_LOCAL)
    return false;
  struct expression operand = s->best->expressions.at[x->a];
  copy(s)->expressions.at[e] = operand;
  return keep(s);
}

static bool lower_initial(struct shrinker *s, uint32_t v) {
  if (!s->best->values.at[v])
    return false;
  copy(s)->values.at[v] = 0;
  return keep(s);
}

static bool reorder_messages(struct shrinker *s, uint32_t actor) {
  if (!s->best->actors.at[actor].fifo)
    return false;
  copy(s)->actors.at[actor].fifo = false;
  return keep(s);
}

static bool leave_actor(struct shrinker *s, uint32_t p) {
  if (s->best->processes.at[p].actor == NIL)
    return false;
  copy(s)->processes.at[p].actor = NIL;
  return keep(s);
}

/* Removes a symbol that is not used. */
static bool drop_symbol(struct shrinker *s, uint32_t symbol) {
  struct program *g = copy(s);
  for (size_t i = 0; i < g->statements.size; i++) {
    struct statement *x = &g->statements.at[i];
    bool process = x->kind == STATEMENT_CREATE || x->kind == STATEMENT_JOIN;
    if (process || x->kind == STATEMENT_NOTHING)
      continue;
    if (x->symbol == symbol || x->other == symbol)
      return false;
    x->symbol -= x->symbol != NIL && x->symbol > symbol;
    x->other -= x->other != NIL && x->other > symbol;
  }
  memmove(&g->symbols.at[symbol], &g->symbols.at[symbol + 1],
          (g->symbols.size - symbol - 1) * sizeof *g->symbols.at);
  g->symbols.size--;
  return keep(s);
}

/* ---- rounds ---------------------------------------------------------------
 */

static bool shrink_statement(struct shrinker *s, uint32_t i) {
  uint8_t kind = s->best->statements.at[i].kind;
  if (kind == STATEMENT_TASK)
    return false;
  if (drop_statement(s, i))
    return true;
  if (kind >= STATEMENT_IF && kind <= STATEMENT_ATOMIC)
    return unwrap(s, i, false) || unwrap(s, i, true) || drop_otherwise(s, i) ||
           lower_count(s, i);
  return simplify(s, i, STATEMENT_READ) || simplify(s, i, STATEMENT_WRITE) ||
         take_whole(s, i) || forget_result(s, i) || lower_count(s, i);
}

/* One pass over everything, from the back; indices change when an edit is
 * kept, so the bounds are looked at each time. */
static bool shrink_round(struct shrinker *s) {
  bool any = false;
  for (uint32_t p = (uint32_t)s->best->processes.size; p-- > 0;)
    if (p < s->best->processes.size && s->best->processes.size > 1)
      any |= drop_process(s, p);
  for (uint32_t a = (uint32_t)s->best->actors.size; a-- > 0;)
    if (a < s->best->actors.size)
      any |= reorder_messages(s, a);
  for (uint32_t p = (uint32_t)s->best->processes.size; p-- > 0;)
    if (p < s->best->processes.size)
      any |= leave_actor(s, p);
  for (uint32_t i = (uint32_t)s->best->statements.size; i-- > 0;)
    while (i < s->best->statements.size && shrink_statement(s, i))
      any = true;
  for (uint32_t e = (uint32_t)s->best->expressions.size; e-- > 0;)
    if (e < s->best->expressions.size)
      any |= make_number(s, e, 0) || make_number(s, e, 1) ||
             make_number(s, e, 2) || take_operand(s, e);
  for (uint32_t v = (uint32_t)s->best->values.size; v-- > 0;)
    if (v < s->best->values.size)
      any |= lower_initial(s, v);
  for (uint32_t y = (uint32_t)s->best->symbols.size; y-- > 0;)
    if (y < s->best->symbols.size)
      any |= drop_symbol(s, y);
  return any;
}

void shrink(struct program *g, shrink_test test, void *context) {
  struct shrinker s = {.best = g, .test = test, .context = context};
  copy(&s);
  if (keep(&s)) /* otherwise the text form does not show it: leave it alone */
    while (shrink_round(&s))
      ;
  program_free(&s.trial);
  program_free(&s.again);
  VEC_FREE(s.text);
}

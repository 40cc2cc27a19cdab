#include "program.h"

#include <string.h>

/* All arrays of a program. */
#define EACH_ARRAY(DO) \
  DO(text)             \
  DO(values)           \
  DO(symbols)          \
  DO(expressions)      \
  DO(statements)       \
  DO(processes)        \
  DO(actors)           \
  DO(locals)           \
  DO(code)

void program_clear(struct program *g) {
#define DO(array) g->array.size = 0;
  EACH_ARRAY(DO)
#undef DO
  g->slots = 0;
  g->file[0] = 0;
}

void program_free(struct program *g) {
#define DO(array) VEC_FREE(g->array);
  EACH_ARRAY(DO)
#undef DO
}

void program_copy(struct program *to, const struct program *from) {
#define DO(array)                           \
  to->array.size = 0;                       \
  VEC_RESERVE(to->array, from->array.size); \
  to->array.size = from->array.size;        \
  if (from->array.size)                     \
    memcpy(to->array.at, from->array.at,    \
           from->array.size * sizeof *from->array.at);
  EACH_ARRAY(DO)
#undef DO
  to->slots = from->slots;
  to->lines = from->lines;
  to->awaits = from->awaits;
  to->loops = from->loops;
  to->endless = from->endless;
  to->has_data = from->has_data;
  memcpy(to->file, from->file, sizeof to->file);
}

uint32_t program_add_name(struct program *g, const char *name, size_t length) {
  uint32_t offset = (uint32_t)g->text.size;
  VEC_RESERVE(g->text, length + 1);
  memcpy(&g->text.at[offset], name, length);
  g->text.at[offset + length] = 0;
  g->text.size += length + 1;
  return offset;
}

uint32_t program_add_symbol(struct program *g, enum symbol_kind kind,
                            uint32_t name, uint32_t extent, bool array) {
  VEC_PUSH(g->symbols, (struct symbol){.name = name,
                                       .kind = (uint8_t)kind,
                                       .array = array,
                                       .extent = extent,
                                       .initial = (uint32_t)g->values.size});
  for (uint32_t i = 0; i < extent; i++)
    VEC_PUSH(g->values, 0);
  return (uint32_t)g->symbols.size - 1;
}

static uint32_t add(struct program *g, struct expression e) {
  VEC_PUSH(g->expressions, e);
  return (uint32_t)g->expressions.size - 1;
}

uint32_t program_add_number(struct program *g, int64_t value) {
  return add(g, (struct expression){.kind = EXPRESSION_NUMBER, .value = value});
}

uint32_t program_add_local(struct program *g, uint32_t local) {
  return add(g, (struct expression){.kind = EXPRESSION_LOCAL, .value = local});
}

uint32_t program_add_expression(struct program *g, enum expression_kind kind,
                                uint32_t a, uint32_t b) {
  return add(g, (struct expression){.kind = (uint8_t)kind, .a = a, .b = b});
}

uint32_t program_add_statement(struct program *g, enum statement_kind kind) {
  VEC_PUSH(g->statements, (struct statement){.kind = (uint8_t)kind,
                                             .to = NIL,
                                             .back = NIL,
                                             .symbol = NIL,
                                             .index = NIL,
                                             .other = NIL,
                                             .other_index = NIL,
                                             .a = NIL,
                                             .b = NIL,
                                             .body = NIL,
                                             .otherwise = NIL,
                                             .next = NIL});
  return (uint32_t)g->statements.size - 1;
}

uint32_t program_add_process(struct program *g, uint32_t name, uint32_t line) {
  VEC_PUSH(g->processes,
           (struct process){.name = name,
                            .body = NIL,
                            .task = NIL,
                            .actor = NIL,
                            .first_local = (uint32_t)g->locals.size,
                            .line = line});
  return (uint32_t)g->processes.size - 1;
}

void program_make_task(struct program *g, uint32_t process) {
  uint32_t s = program_add_statement(g, STATEMENT_TASK);
  g->statements.at[s].line = g->processes.at[process].line;
  g->processes.at[process].task = s;
}

uint32_t program_actor(struct program *g, const char *name, size_t length) {
  for (uint32_t i = 0; i < g->actors.size; i++) {
    const char *known = program_name(g, g->actors.at[i].name);
    if (strlen(known) == length && !memcmp(known, name, length))
      return i;
  }
  VEC_PUSH(g->actors,
           (struct actor){.name = program_add_name(g, name, length)});
  return (uint32_t)g->actors.size - 1;
}

bool program_waits_for_parts(const struct program *g) {
  for (size_t i = 0; i < g->statements.size; i++)
    for (size_t k = 0; k < g->statements.size; k++) {
      const struct statement *look = &g->statements.at[i];
      const struct statement *s = &g->statements.at[k];
      if (look->kind == STATEMENT_AWAIT && s->kind != STATEMENT_AWAIT &&
          s->kind != STATEMENT_READ && s->symbol == look->symbol &&
          s->part != look->part)
        return true;
    }
  return false;
}

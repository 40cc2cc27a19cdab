/* A program in its text form.  Reading it again gives the same program. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "program.h"

struct printer {
  const struct program *g;
  const struct process *process;
  print_sink sink;
  void *context;
};

static void put(struct printer *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct printer *p, const char *format, ...) {
  char buffer[512];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(buffer, sizeof buffer, format, list);
  va_end(list);
  size_t most = sizeof buffer - 1;
  p->sink(p->context, buffer, (size_t)length < most ? (size_t)length : most);
}

static void put_name(struct printer *p, uint32_t name) {
  const char *text = program_name(p->g, name);
  p->sink(p->context, text, strlen(text));
}

/* ---- expressions ----------------------------------------------------------
 */

static const struct {
  const char *text;
  unsigned level;
} binaries[] = {
#define BINARY(id, text, level) [EXPRESSION_##id] = {text, level},
#include "binary.def"
#undef BINARY
};

static void put_expression(struct printer *p, uint32_t index, unsigned level) {
  const struct expression *e = &p->g->expressions.at[index];
  switch (e->kind) {
  case EXPRESSION_NUMBER:
    put(p, "%" PRId64, e->value);
    return;
  case EXPRESSION_LOCAL:
    put_name(p, p->g->locals.at[p->process->first_local + (size_t)e->value]);
    return;
  case EXPRESSION_NOT:
  case EXPRESSION_NEGATE: /* "-(1)" is no number */
    put(p, "%s", e->kind == EXPRESSION_NOT ? "!" : "-(");
    put_expression(p, e->a, 7);
    put(p, "%s", e->kind == EXPRESSION_NOT ? "" : ")");
    return;
  }
  bool parentheses = binaries[e->kind].level < level;
  put(p, "%s", parentheses ? "(" : "");
  put_expression(p, e->a, binaries[e->kind].level);
  put(p, " %s ", binaries[e->kind].text);
  put_expression(p, e->b, binaries[e->kind].level + 1);
  put(p, "%s", parentheses ? ")" : "");
}

/* ---- statements -----------------------------------------------------------
 */

static void put_list(struct printer *p, uint32_t first);

static void put_symbol(struct printer *p, uint32_t symbol, uint32_t index) {
  put_name(p, p->g->symbols.at[symbol].name);
  if (index != NIL) {
    put(p, "[");
    put_expression(p, index, 1);
    put(p, "]");
  }
}

/* The object of a statement: "x", "a[1].lo". */
static void put_object(struct printer *p, const struct statement *s) {
  static const char *const parts[] = {"", ".lo", ".hi"};
  put_symbol(p, s->symbol, s->index);
  put(p, "%s", parts[s->part]);
}

static void put_braces(struct printer *p, uint32_t first) {
  put(p, "{ ");
  put_list(p, first);
  put(p, " }");
}

static const struct {
  const char *text;
  uint8_t statement, kind;
} words[] = {
#define WORD(text, statement, kind, result) \
  {text, STATEMENT_##statement, SYMBOL_##kind},
#include "words.def"
#undef WORD
};

static void put_word(struct printer *p, const struct statement *s) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].statement == s->kind &&
        words[i].kind == p->g->symbols.at[s->symbol].kind)
      put(p, "%s ", words[i].text);
  put_symbol(p, s->symbol, s->index);
  if (s->kind == STATEMENT_COND_WAIT) {
    put(p, " ");
    put_symbol(p, s->other, s->other_index);
  }
}

static void put_update(struct printer *p, const struct statement *s) {
  put(p, "%s(",
      s->kind == STATEMENT_ADD        ? "fadd"
      : s->kind == STATEMENT_EXCHANGE ? "xchg"
                                      : "cas");
  put_object(p, s);
  put(p, ", %s", s->back == NIL ? "" : "&");
  put_expression(p, s->a, 1);
  if (s->kind == STATEMENT_CAS) {
    put(p, ", ");
    put_expression(p, s->b, 1);
  }
  put(p, ")");
}

static void put_if(struct printer *p, const struct statement *s) {
  put(p, "if (");
  put_expression(p, s->a, 1);
  put(p, ") ");
  put_braces(p, s->body);
  if (s->otherwise != NIL) {
    put(p, " else ");
    put_braces(p, s->otherwise);
  }
}

static void put_loop(struct printer *p, const struct statement *s) {
  if (s->kind == STATEMENT_WHILE) {
    put(p, "while (");
    put_expression(p, s->a, 1);
    put(p, ") max %u ", s->count);
  } else {
    put(p, "repeat %u ", s->count);
  }
  put_braces(p, s->body);
}

static void put_statement(struct printer *p, const struct statement *s) {
  put(p, "%s", s->kind == STATEMENT_AWAIT ? "await " : "");
  put(p, "%s", s->relaxed ? "relaxed " : "");
  if (s->to != NIL) {
    put_name(p, p->g->locals.at[p->process->first_local + s->to]);
    put(p, " = ");
  }
  switch ((enum statement_kind)s->kind) {
  case STATEMENT_ASSIGN:
    put_expression(p, s->a, 1);
    break;
  case STATEMENT_ASSERT:
    put(p, "assert ");
    put_expression(p, s->a, 1);
    break;
  case STATEMENT_IF:
    put_if(p, s);
    break;
  case STATEMENT_REPEAT:
  case STATEMENT_WHILE:
    put_loop(p, s);
    break;
  case STATEMENT_BREAK:
    put(p, "break");
    break;
  case STATEMENT_LOOP:
    put(p, "loop ");
    put_braces(p, s->body);
    break;
  case STATEMENT_ATOMIC:
    put(p, "atomic ");
    put_braces(p, s->body);
    break;
  case STATEMENT_READ:
    put_object(p, s);
    break;
  case STATEMENT_AWAIT:
    put_object(p, s);
    put(p, " while (");
    put_expression(p, s->a, 1);
    put(p, ")");
    break;
  case STATEMENT_WRITE:
    put_object(p, s);
    put(p, " = ");
    put_expression(p, s->a, 1);
    break;
  case STATEMENT_ADD:
  case STATEMENT_EXCHANGE:
  case STATEMENT_CAS:
    put_update(p, s);
    break;
  case STATEMENT_CREATE:
  case STATEMENT_JOIN:
    put(p, s->kind == STATEMENT_CREATE ? "create " : "join ");
    put_name(p, p->g->processes.at[s->symbol].name);
    break;
  case STATEMENT_TASK:
    put(p, "task");
    break;
  case STATEMENT_CHOOSE:
    put(p, "choose(%u)", s->count);
    break;
  default:
    put_word(p, s);
  }
}

static void put_list(struct printer *p, uint32_t first) {
  bool any = false;
  for (uint32_t i = first; i != NIL; i = p->g->statements.at[i].next) {
    if (p->g->statements.at[i].kind == STATEMENT_NOTHING)
      continue;
    if (any)
      put(p, "; ");
    put_statement(p, &p->g->statements.at[i]);
    any = true;
  }
}

/* ---- the program ----------------------------------------------------------
 */

static void put_initial(struct printer *p, const struct symbol *s) {
  const int64_t *value = &p->g->values.at[s->initial];
  bool same = true;
  for (uint32_t i = 1; i < s->extent; i++)
    same = same && value[i] == value[0];
  if (same && (!s->array || value[0])) {
    put(p, " = %" PRId64, value[0]);
  } else if (!same) {
    for (uint32_t i = 0; i < s->extent; i++)
      put(p, "%s%" PRId64, i ? ", " : " = {", value[i]);
    put(p, "}");
  }
}

/* One line for each kind, neighbours of one kind together. */
static void put_symbols(struct printer *p) {
  static const char *const kinds[SYMBOL_KINDS] = {"var", "mutex", "rwlock",
                                                  "sem", "cond",  "data"};
  for (size_t i = 0; i < p->g->symbols.size; i++) {
    const struct symbol *s = &p->g->symbols.at[i];
    bool starts = !i || s[-1].kind != s->kind;
    if (starts && i)
      put(p, "\n");
    put(p, "%s", starts ? kinds[s->kind] : ",");
    put(p, " ");
    put_name(p, s->name);
    if (s->array)
      put(p, "[%u]", s->extent);
    if (symbol_has_value(s->kind) || s->kind == SYMBOL_SEM)
      put_initial(p, s);
  }
  if (p->g->symbols.size)
    put(p, "\n");
}

static bool has_task(const struct program *g, uint32_t actor) {
  for (size_t i = 0; i < g->processes.size; i++)
    if (g->processes.at[i].actor == actor && !g->processes.at[i].removed)
      return true;
  return false;
}

static void put_actors(struct printer *p) {
  for (uint32_t i = 0; i < p->g->actors.size; i++)
    if (p->g->actors.at[i].fifo && has_task(p->g, i)) {
      put(p, "fifo ");
      put_name(p, p->g->actors.at[i].name);
      put(p, "\n");
    }
}

void program_print(const struct program *g, print_sink sink, void *context) {
  struct printer p = {.g = g, .sink = sink, .context = context};
  put_symbols(&p);
  put_actors(&p);
  for (size_t i = 0; i < g->processes.size; i++) {
    p.process = &g->processes.at[i];
    if (p.process->removed)
      continue;
    put(&p, "%s", p.process->task == NIL ? "" : "task ");
    put_name(&p, p.process->name);
    if (p.process->actor != NIL) {
      put(&p, " of ");
      put_name(&p, g->actors.at[p.process->actor].name);
    }
    put(&p, ": ");
    put_list(&p, p.process->body);
    put(&p, "\n");
  }
}

void program_print_statement(const struct program *g, uint32_t process,
                             uint32_t statement, print_sink sink,
                             void *context) {
  struct printer p = {.g = g, .sink = sink, .context = context};
  p.process = &g->processes.at[process];
  put_statement(&p, &g->statements.at[statement]);
}

static void to_file(void *context, const char *text, size_t length) {
  fwrite(text, 1, length, context);
}

void program_print_file(const struct program *g, FILE *file) {
  program_print(g, to_file, file);
}

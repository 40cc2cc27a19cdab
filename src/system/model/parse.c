/* Reads the text form by recursive descent.  The first error counts: after it
 * every token is the end of the text, so that all loops end by themselves. */
#include <stdarg.h>
#include <string.h>

#include "lex.h"
#include "program.h"

#define NESTING 200          /* of statements, expressions: bounds recursion */
#define LOOP_BOUND 1000000   /* rounds of one loop */
#define EXTENT_BOUND 1000000 /* elements of one array */
#define PROCESS_BOUND 1000

/* keep.  A local as the text uses it. */
struct use {
  bool assigned;
  uint32_t line, column; /* where it was seen first */
};

/* keep.  A process that is named before it is known. */
struct mention {
  uint32_t statement;
  const char *text;
  size_t length;
};

struct parser {
  struct lexer l;
  struct program *g;
  uint32_t process; /* being read */
  uint32_t nesting;
  bool failed;
  struct model_error *error;
  VEC(struct use) uses; /* beside program.locals */
  VEC(struct mention) mentions;
};

static const char *const kind_words[SYMBOL_KINDS] = {
    [SYMBOL_VAR] = "var", [SYMBOL_MUTEX] = "mutex", [SYMBOL_RWLOCK] = "rwlock",
    [SYMBOL_SEM] = "sem", [SYMBOL_COND] = "cond",   [SYMBOL_DATA] = "data"};

static const char *const reserved[] = {
    "if",     "else",   "repeat", "while", "max",  "atomic",  "loop",
    "break",  "assert", "cas",    "fadd",  "xchg", "create",  "join",
    "choose", "await",  "task",   "of",    "fifo", "relaxed",
#define WORD(word, statement, kind, result) word,
#include "words.def"
#undef WORD
};

/* ---- errors ---------------------------------------------------------------
 */

static void complain_at(struct parser *p, uint32_t line, uint32_t column,
                        const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void complain_at(struct parser *p, uint32_t line, uint32_t column,
                        const char *format, ...) {
  if (!p->failed) {
    va_list list;
    va_start(list, format);
    vsnprintf(p->error->message, sizeof p->error->message, format, list);
    va_end(list);
    p->error->line = line;
    p->error->column = column;
  }
  p->failed = true;
  p->l.at = p->l.end;
  p->l.token.kind = TOKEN_END;
}

#define complain(p, ...) \
  complain_at(p, (p)->l.token.line, (p)->l.token.column, __VA_ARGS__)

static void expected(struct parser *p, const char *what) {
  const struct token *t = &p->l.token;
  if (t->kind == TOKEN_END)
    complain(p, "%s expected, the file ends here", what);
  else if (t->kind == TOKEN_NEWLINE || (t->length && *t->text == '\n'))
    complain(p, "%s expected, the line ends here", what);
  else
    complain(p, "%s expected, not '%.*s'", what,
             t->length > 40 ? 40 : (int)t->length, t->text);
}

/* ---- words ----------------------------------------------------------------
 */

static bool is(const struct parser *p, const char *text) {
  return token_is(&p->l.token, text);
}

static void next(struct parser *p) {
  if (!p->failed)
    lexer_next(&p->l);
}

static bool accept(struct parser *p, const char *text) {
  if (!is(p, text))
    return false;
  next(p);
  return true;
}

static void expect(struct parser *p, const char *text) {
  char what[16];
  snprintf(what, sizeof what, "'%s'", text);
  if (!accept(p, text))
    expected(p, what);
}

static bool is_reserved(const struct token *t) {
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (token_is(t, reserved[i]))
      return true;
  for (size_t i = 0; i < SYMBOL_KINDS; i++)
    if (token_is(t, kind_words[i]))
      return true;
  return false;
}

static struct token take_name(struct parser *p, const char *what) {
  struct token t = p->l.token;
  if (t.kind != TOKEN_NAME)
    expected(p, what);
  else if (is_reserved(&t))
    complain(p, "'%.*s' is a word of the language", (int)t.length, t.text);
  else
    next(p);
  return t;
}

static int64_t take_signed(struct parser *p) {
  bool negative = accept(p, "-");
  int64_t value = p->l.token.number;
  if (p->l.token.kind != TOKEN_NUMBER) {
    expected(p, "a number");
    return 0;
  }
  next(p);
  return negative ? -value : value;
}

static uint32_t take_count(struct parser *p, uint32_t least, uint32_t most) {
  struct token t = p->l.token;
  if (t.kind != TOKEN_NUMBER)
    expected(p, "a number");
  else if (t.number < least || t.number > most)
    complain(p, "a number from %u to %u is possible here", least, most);
  else
    next(p);
  return p->failed ? 1 : (uint32_t)t.number;
}

static bool same_name(const struct parser *p, uint32_t name,
                      const struct token *t) {
  return token_is(t, program_name(p->g, name));
}

static uint32_t find_symbol(const struct parser *p, const struct token *t) {
  for (uint32_t i = 0; i < p->g->symbols.size; i++)
    if (same_name(p, p->g->symbols.at[i].name, t))
      return i;
  return NIL;
}

static uint32_t find_process(const struct parser *p, const struct token *t) {
  for (uint32_t i = 0; i < p->g->processes.size; i++)
    if (same_name(p, p->g->processes.at[i].name, t))
      return i;
  return NIL;
}

/* The index of a local in its process; a new one at its first use. */
static uint32_t take_local(struct parser *p, const struct token *t,
                           bool assigned) {
  struct process *process = &p->g->processes.at[p->process];
  for (uint32_t i = 0; i < process->locals; i++) {
    uint32_t local = process->first_local + i;
    if (same_name(p, p->g->locals.at[local], t)) {
      p->uses.at[local].assigned |= assigned;
      return i;
    }
  }
  VEC_PUSH(p->g->locals, program_add_name(p->g, t->text, t->length));
  VEC_PUSH(p->uses, (struct use){assigned, t->line, t->column});
  return process->locals++;
}

/* ---- expressions ----------------------------------------------------------
 */

static uint32_t parse_expression(struct parser *p, unsigned level);

static bool deeper(struct parser *p) {
  if (++p->nesting > NESTING)
    complain(p, "nested more than %d deep", NESTING);
  return !p->failed;
}

static uint32_t parse_variable(struct parser *p) {
  struct token t = take_name(p, "a value");
  if (p->failed)
    return 0;
  uint32_t symbol = find_symbol(p, &t);
  if (symbol != NIL)
    complain_at(p, t.line, t.column,
                "'%.*s' is shared: read it into a local first", (int)t.length,
                t.text);
  return p->failed ? 0 : program_add_local(p->g, take_local(p, &t, false));
}

static uint32_t parse_primary(struct parser *p) {
  uint32_t e = 0;
  if (!deeper(p))
    return 0;
  if (accept(p, "(")) {
    e = parse_expression(p, 1);
    expect(p, ")");
  } else if (accept(p, "!")) {
    e = program_add_expression(p->g, EXPRESSION_NOT, parse_primary(p), NIL);
  } else if (accept(p, "-")) {
    if (p->l.token.kind == TOKEN_NUMBER) {
      e = program_add_number(p->g, -p->l.token.number);
      next(p);
    } else {
      uint32_t a = parse_primary(p);
      e = program_add_expression(p->g, EXPRESSION_NEGATE, a, NIL);
    }
  } else if (p->l.token.kind == TOKEN_NUMBER) {
    e = program_add_number(p->g, p->l.token.number);
    next(p);
  } else {
    e = parse_variable(p);
  }
  p->nesting--;
  return e;
}

static const struct {
  const char *text;
  unsigned level;
  enum expression_kind kind;
} binaries[] = {
#define BINARY(id, text, level) {text, level, EXPRESSION_##id},
#include "binary.def"
#undef BINARY
};

/* Operators of this level and tighter ones, from the left. */
static uint32_t parse_expression(struct parser *p, unsigned level) {
  if (!deeper(p))
    return 0;
  uint32_t left = parse_primary(p);
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    if (binaries[i].level >= level && is(p, binaries[i].text)) {
      next(p);
      uint32_t right = parse_expression(p, binaries[i].level + 1);
      left = program_add_expression(p->g, binaries[i].kind, left, right);
      i = (size_t)-1; /* from the first operator again */
    }
  p->nesting--;
  return left;
}

/* ---- statements -----------------------------------------------------------
 */

static uint32_t parse_list(struct parser *p);

static struct statement *at(struct parser *p, uint32_t i) {
  return &p->g->statements.at[i];
}

static uint32_t parse_index(struct parser *p, uint32_t symbol) {
  const struct symbol *s = &p->g->symbols.at[symbol];
  const char *name = program_name(p->g, s->name);
  bool array = s->array;
  if (!is(p, "[")) {
    if (array)
      complain(p, "'%s' is an array: which element?", name);
    return NIL;
  }
  if (!array)
    complain(p, "'%s' is no array", name);
  next(p);
  uint32_t e = parse_expression(p, 1);
  expect(p, "]");
  return e;
}

/* An optional ".lo" or ".hi" behind a variable. */
static void parse_part(struct parser *p, uint32_t s) {
  if (!accept(p, "."))
    return;
  if (!is(p, "lo") && !is(p, "hi"))
    expected(p, "'lo' or 'hi'");
  at(p, s)->part = is(p, "lo") ? PART_LOW : PART_HIGH;
  next(p);
}

/* A declared name of this kind, with its index. */
static uint32_t parse_object(struct parser *p, enum symbol_kind kind,
                             uint32_t *index) {
  struct token t = take_name(p, "the name of an object");
  uint32_t symbol = p->failed ? NIL : find_symbol(p, &t);
  if (!p->failed && symbol == NIL)
    complain_at(p, t.line, t.column, "'%.*s' is not declared", (int)t.length,
                t.text);
  else if (!p->failed && p->g->symbols.at[symbol].kind != kind)
    complain_at(p, t.line, t.column, "'%.*s' is a %s, not a %s", (int)t.length,
                t.text, kind_words[p->g->symbols.at[symbol].kind],
                kind_words[kind]);
  *index = p->failed ? NIL : parse_index(p, symbol);
  return symbol;
}

/* The kind of the object that follows, to tell the two "wait" apart. */
static int kind_ahead(const struct parser *p) {
  struct lexer ahead = p->l;
  lexer_next(&ahead);
  uint32_t symbol = find_symbol(p, &ahead.token);
  return symbol == NIL ? -1 : p->g->symbols.at[symbol].kind;
}

static const struct {
  const char *text;
  enum statement_kind statement;
  enum symbol_kind kind;
  bool result;
} words[] = {
#define WORD(text, statement, kind, result) \
  {text, STATEMENT_##statement, SYMBOL_##kind, result},
#include "words.def"
#undef WORD
};

/* The row of words.def for the current word, or -1. */
static int find_word(const struct parser *p) {
  int ahead = kind_ahead(p), found = -1;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is(p, words[i].text) && (found < 0 || (int)words[i].kind == ahead))
      found = (int)i;
  return found;
}

static void parse_word(struct parser *p, uint32_t s, int word) {
  uint32_t index;
  if (at(p, s)->to != NIL && !words[word].result)
    complain(p, "'%s' gives no value", words[word].text);
  next(p);
  at(p, s)->kind = (uint8_t)words[word].statement;
  uint32_t symbol = parse_object(p, words[word].kind, &index);
  at(p, s)->symbol = symbol;
  at(p, s)->index = index;
  if (words[word].statement == STATEMENT_COND_WAIT) {
    symbol = parse_object(p, SYMBOL_MUTEX, &index);
    at(p, s)->other = symbol;
    at(p, s)->other_index = index;
  }
}

/* The first operand.  A compare-and-swap may have "&local" there. */
static uint32_t parse_expected(struct parser *p, uint32_t s,
                               enum statement_kind kind) {
  if (kind != STATEMENT_CAS || !accept(p, "&"))
    return parse_expression(p, 1);
  struct token t = take_name(p, "a local");
  if (p->failed)
    return NIL;
  if (find_symbol(p, &t) != NIL)
    complain_at(p, t.line, t.column, "'%.*s' is shared, not a local",
                (int)t.length, t.text);
  uint32_t local = take_local(p, &t, true);
  at(p, s)->back = local;
  return program_add_local(p->g, local);
}

/* fadd(x, e), xchg(x, e), cas(x, e, e), cas(x, &local, e) */
static void parse_update(struct parser *p, uint32_t s,
                         enum statement_kind kind) {
  uint32_t index, e;
  next(p);
  expect(p, "(");
  at(p, s)->kind = (uint8_t)kind;
  uint32_t symbol = parse_object(p, SYMBOL_VAR, &index);
  at(p, s)->symbol = symbol;
  at(p, s)->index = index;
  parse_part(p, s);
  expect(p, ",");
  e = parse_expected(p, s, kind);
  at(p, s)->a = e;
  if (kind == STATEMENT_CAS) {
    expect(p, ",");
    e = parse_expression(p, 1);
    at(p, s)->b = e;
  }
  expect(p, ")");
}

/* Statements that may have "local =" before them.  False: none of them. */
static bool parse_operation(struct parser *p, uint32_t s) {
  int word = find_word(p);
  if (word >= 0) {
    parse_word(p, s, word);
  } else if (is(p, "fadd")) {
    parse_update(p, s, STATEMENT_ADD);
  } else if (is(p, "xchg")) {
    parse_update(p, s, STATEMENT_EXCHANGE);
  } else if (is(p, "cas")) {
    parse_update(p, s, STATEMENT_CAS);
  } else if (accept(p, "choose")) {
    expect(p, "(");
    at(p, s)->kind = STATEMENT_CHOOSE;
    at(p, s)->count = take_count(p, 1, UINT16_MAX);
    expect(p, ")");
  } else {
    return false;
  }
  return true;
}

static void parse_read(struct parser *p, uint32_t s, uint32_t symbol) {
  if (!symbol_has_value(p->g->symbols.at[symbol].kind))
    complain(p, "a %s cannot be read",
             kind_words[p->g->symbols.at[symbol].kind]);
  next(p);
  uint32_t index = parse_index(p, symbol);
  at(p, s)->kind = STATEMENT_READ;
  at(p, s)->symbol = symbol;
  at(p, s)->index = index;
  parse_part(p, s);
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    if (is(p, binaries[i].text))
      complain(p, "'%s' is shared: read it into a local first",
               program_name(p->g, p->g->symbols.at[symbol].name));
}

static void parse_write(struct parser *p, uint32_t s, uint32_t symbol) {
  if (!symbol_has_value(p->g->symbols.at[symbol].kind))
    complain(p, "a %s cannot be written",
             kind_words[p->g->symbols.at[symbol].kind]);
  next(p);
  uint32_t index = parse_index(p, symbol);
  parse_part(p, s);
  expect(p, "=");
  uint32_t value = parse_expression(p, 1);
  at(p, s)->kind = STATEMENT_WRITE;
  at(p, s)->symbol = symbol;
  at(p, s)->index = index;
  at(p, s)->a = value;
}

static void parse_assignment(struct parser *p, uint32_t s) {
  struct token t = take_name(p, "a statement");
  expect(p, "=");
  if (p->failed)
    return;
  uint32_t local = take_local(p, &t, true);
  at(p, s)->to = local;
  uint32_t symbol = find_symbol(p, &p->l.token);
  if (p->l.token.kind == TOKEN_NAME && symbol != NIL) {
    parse_read(p, s, symbol);
  } else if (!parse_operation(p, s)) {
    uint32_t value = parse_expression(p, 1);
    at(p, s)->a = value;
  }
}

static uint32_t parse_braces(struct parser *p) {
  uint32_t first = NIL;
  expect(p, "{");
  if (deeper(p))
    first = parse_list(p);
  p->nesting--;
  expect(p, "}");
  return first;
}

/* "else" may stand on a line of its own. */
static bool accept_else(struct parser *p) {
  struct lexer back = p->l;
  while (is(p, ";"))
    next(p);
  if (accept(p, "else"))
    return true;
  if (!p->failed)
    p->l = back;
  return false;
}

static void parse_if(struct parser *p, uint32_t s) {
  at(p, s)->kind = STATEMENT_IF;
  uint32_t condition = parse_expression(p, 1);
  at(p, s)->a = condition;
  uint32_t body = parse_braces(p);
  at(p, s)->body = body;
  if (accept_else(p)) {
    body = parse_braces(p);
    at(p, s)->otherwise = body;
  }
}

static void parse_loop(struct parser *p, uint32_t s, bool condition) {
  at(p, s)->kind = condition ? STATEMENT_WHILE : STATEMENT_REPEAT;
  if (condition) {
    uint32_t e = parse_expression(p, 1);
    at(p, s)->a = e;
    expect(p, "max");
  }
  at(p, s)->count = take_count(p, 0, LOOP_BOUND);
  uint32_t body = parse_braces(p);
  at(p, s)->body = body;
}

static void parse_process_word(struct parser *p, uint32_t s,
                               enum statement_kind kind) {
  struct token t = take_name(p, "the name of a process");
  at(p, s)->kind = (uint8_t)kind;
  if (!p->failed)
    VEC_PUSH(p->mentions, (struct mention){s, t.text, t.length});
}

/* await local = variable while expression */
static void parse_await(struct parser *p, uint32_t s) {
  uint32_t index;
  struct token t = take_name(p, "a local");
  expect(p, "=");
  if (p->failed)
    return;
  uint32_t local = take_local(p, &t, true);
  uint32_t symbol = parse_object(p, SYMBOL_VAR, &index);
  parse_part(p, s);
  expect(p, "while");
  uint32_t condition = parse_expression(p, 1);
  at(p, s)->kind = STATEMENT_AWAIT;
  at(p, s)->to = local;
  at(p, s)->symbol = symbol;
  at(p, s)->index = index;
  at(p, s)->a = condition;
}

/* relaxed r = x, relaxed x = e, relaxed r = fadd(x, e), ... */
static void check_relaxed(struct parser *p, uint32_t s) {
  const struct statement *x = at(p, s);
  bool access = x->kind >= STATEMENT_READ && x->kind <= STATEMENT_CAS;
  if (!p->failed && (!access || p->g->symbols.at[x->symbol].kind != SYMBOL_VAR))
    complain_at(p, x->line, x->column,
                "only an access to a variable may be relaxed");
}

static void parse_statement(struct parser *p, uint32_t s) {
  uint32_t symbol, inside;
  bool relaxed = accept(p, "relaxed");
  at(p, s)->relaxed = relaxed;
  if (accept(p, "if")) {
    parse_if(p, s);
  } else if (accept(p, "repeat")) {
    parse_loop(p, s, false);
  } else if (accept(p, "while")) {
    parse_loop(p, s, true);
  } else if (accept(p, "break")) {
    at(p, s)->kind = STATEMENT_BREAK;
  } else if (accept(p, "loop")) {
    at(p, s)->kind = STATEMENT_LOOP;
    inside = parse_braces(p);
    at(p, s)->body = inside;
  } else if (accept(p, "atomic")) {
    at(p, s)->kind = STATEMENT_ATOMIC;
    inside = parse_braces(p);
    at(p, s)->body = inside;
  } else if (accept(p, "assert")) {
    at(p, s)->kind = STATEMENT_ASSERT;
    inside = parse_expression(p, 1);
    at(p, s)->a = inside;
  } else if (accept(p, "await")) {
    parse_await(p, s);
  } else if (accept(p, "create")) {
    parse_process_word(p, s, STATEMENT_CREATE);
  } else if (accept(p, "join")) {
    parse_process_word(p, s, STATEMENT_JOIN);
  } else if (!parse_operation(p, s)) {
    symbol = find_symbol(p, &p->l.token);
    if (p->l.token.kind == TOKEN_NAME && symbol != NIL)
      parse_write(p, s, symbol);
    else
      parse_assignment(p, s);
  }
  if (relaxed)
    check_relaxed(p, s);
}

static bool list_ends(const struct parser *p) {
  return p->l.token.kind == TOKEN_END || p->l.token.kind == TOKEN_NEWLINE ||
         is(p, "}");
}

static uint32_t parse_list(struct parser *p) {
  uint32_t first = NIL, last = NIL;
  while (accept(p, ";"))
    ;
  while (!list_ends(p)) {
    uint32_t s = program_add_statement(p->g, STATEMENT_ASSIGN);
    at(p, s)->line = p->l.token.line;
    at(p, s)->column = p->l.token.column;
    if (last == NIL)
      first = s;
    else
      at(p, last)->next = s;
    last = s;
    parse_statement(p, s);
    if (!list_ends(p) && !is(p, ";"))
      expected(p, "';'");
    while (accept(p, ";"))
      ;
  }
  return first;
}

/* ---- the file -------------------------------------------------------------
 */

static void parse_initial(struct parser *p, uint32_t symbol) {
  struct symbol *s = &p->g->symbols.at[symbol];
  int64_t *value = &p->g->values.at[s->initial];
  if (!symbol_has_value(s->kind) && s->kind != SYMBOL_SEM)
    complain(p, "a %s has no initial value", kind_words[s->kind]);
  if (s->array && accept(p, "{")) {
    for (uint32_t i = 0; i < s->extent; i++) {
      value[i] = take_signed(p);
      if (i + 1 < s->extent)
        expect(p, ",");
    }
    expect(p, "}");
  } else {
    int64_t all = take_signed(p);
    for (uint32_t i = 0; i < s->extent; i++)
      value[i] = all;
  }
  for (uint32_t i = 0; s->kind == SYMBOL_SEM && i < s->extent; i++)
    if (value[i] < 0)
      complain(p, "a semaphore starts at 0 or more");
}

static void check_new_name(struct parser *p, const struct token *t) {
  if (find_symbol(p, t) != NIL)
    complain_at(p, t->line, t->column, "'%.*s' is declared already",
                (int)t->length, t->text);
  for (size_t i = 0; i < p->g->locals.size; i++)
    if (!p->failed && same_name(p, p->g->locals.at[i], t))
      complain_at(p, t->line, t->column,
                  "'%.*s' is a local further up: declare it before its use",
                  (int)t->length, t->text);
}

static void parse_declaration(struct parser *p, enum symbol_kind kind) {
  do {
    struct token t = take_name(p, "a name");
    if (p->failed)
      return;
    check_new_name(p, &t);
    uint32_t extent = 1;
    bool array = accept(p, "[");
    if (array) {
      extent = take_count(p, 1, EXTENT_BOUND);
      expect(p, "]");
    }
    uint32_t name = program_add_name(p->g, t.text, t.length);
    uint32_t symbol = program_add_symbol(p->g, kind, name, extent, array);
    if (accept(p, "="))
      parse_initial(p, symbol);
  } while (accept(p, ","));
}

/* fifo a: messages to the actor `a` are not reordered. */
static void parse_fifo(struct parser *p) {
  do {
    struct token t = take_name(p, "an actor");
    if (p->failed)
      return;
    uint32_t actor = program_actor(p->g, t.text, t.length);
    p->g->actors.at[actor].fifo = true;
  } while (accept(p, ","));
}

static void parse_actor(struct parser *p, uint32_t *actor) {
  struct token t = take_name(p, "an actor");
  if (!p->failed)
    *actor = program_actor(p->g, t.text, t.length);
}

static void parse_process(struct parser *p) {
  uint32_t actor = NIL;
  bool task = accept(p, "task");
  struct token t = take_name(p, "a declaration or a process");
  if (!p->failed && find_process(p, &t) != NIL)
    complain_at(p, t.line, t.column, "there is a process '%.*s' already",
                (int)t.length, t.text);
  if (p->g->processes.size == PROCESS_BOUND)
    complain(p, "more than %d processes", PROCESS_BOUND);
  if (task && accept(p, "of"))
    parse_actor(p, &actor);
  expect(p, ":");
  if (p->failed)
    return;
  uint32_t name = program_add_name(p->g, t.text, t.length);
  p->process = program_add_process(p->g, name, t.line);
  if (task)
    program_make_task(p->g, p->process);
  p->g->processes.at[p->process].actor = actor;
  uint32_t body = is(p, "{") ? parse_braces(p) : parse_list(p);
  p->g->processes.at[p->process].body = body;
}

static void parse_line(struct parser *p) {
  for (size_t kind = 0; kind < SYMBOL_KINDS; kind++)
    if (accept(p, kind_words[kind])) {
      parse_declaration(p, (enum symbol_kind)kind);
      return;
    }
  if (accept(p, "fifo"))
    parse_fifo(p);
  else
    parse_process(p);
}

static void resolve_mentions(struct parser *p) {
  for (size_t i = 0; i < p->mentions.size && !p->failed; i++) {
    const struct mention *m = &p->mentions.at[i];
    struct statement *s = at(p, m->statement);
    struct token t = {.kind = TOKEN_NAME, .text = m->text, .length = m->length};
    s->symbol = find_process(p, &t);
    if (s->symbol == NIL)
      complain_at(p, s->line, s->column, "there is no process '%.*s'",
                  (int)m->length, m->text);
  }
}

static void check_locals(struct parser *p) {
  for (size_t i = 0; i < p->uses.size; i++)
    if (!p->uses.at[i].assigned)
      complain_at(p, p->uses.at[i].line, p->uses.at[i].column,
                  "'%s' is neither declared nor assigned in its process",
                  program_name(p->g, p->g->locals.at[i]));
}

static void parse_file(struct parser *p) {
  while (p->l.token.kind != TOKEN_END) {
    if (p->l.token.kind == TOKEN_NEWLINE) {
      next(p);
      continue;
    }
    parse_line(p);
    if (p->l.token.kind != TOKEN_NEWLINE && p->l.token.kind != TOKEN_END)
      expected(p, "the end of the line");
  }
  if (!p->failed && !p->g->processes.size)
    complain(p, "there is no process");
  resolve_mentions(p);
  check_locals(p);
}

bool program_parse(struct program *g, const char *name, const char *text,
                   size_t length, struct model_error *error) {
  struct parser p = {.g = g, .error = error};
  program_clear(g);
  snprintf(g->file, sizeof g->file, "%s", name);
  lexer_start(&p.l, text, length);
  parse_file(&p);
  VEC_FREE(p.uses);
  VEC_FREE(p.mentions);
  return !p.failed && program_compile(g, error);
}

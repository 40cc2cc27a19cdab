#include "emit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Prefixes keep the program's names apart from each other and from C's: s_ is a
 * shared variable or object, l_ a local; of a process: p_ its function, t_ its
 * thread, r_ what it leaves behind at its end; c_ and d_ are semaphores that
 * say that it was created and is done, a_ one that is never awaited; w_ says
 * that it holds a read-write lock for writing. */
struct emitter {
  const struct program *g;
  struct emitted *out;
  uint32_t process;
  uint32_t statement; /* the statement of this line, or NIL */
  unsigned depth;     /* of indentation */
};

/* ---- text -----------------------------------------------------------------
 */

static void put_bytes(struct emitter *e, const char *text, size_t length) {
  VEC_RESERVE(e->out->text, length);
  for (size_t i = 0; i < length; i++) {
    e->out->text.at[e->out->text.size++] = text[i];
    if (text[i] == '\n')
      VEC_PUSH(e->out->statement, e->statement);
  }
}

/* %N is a name of the program, given by its offset; %s, %u and %% are as in
 * printf. */
static void put(struct emitter *e, const char *format, ...) {
  va_list list;
  va_start(list, format);
  for (const char *at = format; *at; at++) {
    char digits[16];
    const char *text = digits;
    if (at[0] == '%' && at[1] == 'N')
      text = program_name(e->g, va_arg(list, uint32_t)), at++;
    else if (at[0] == '%' && at[1] == 's')
      text = va_arg(list, const char *), at++;
    else if (at[0] == '%' && at[1] == 'u')
      snprintf(digits, sizeof digits, "%u", va_arg(list, uint32_t)), at++;
    else if (at[0] == '%' && at[1] == '%')
      text = "%", at++;
    else
      digits[0] = *at, digits[1] = 0;
    put_bytes(e, text, strlen(text));
  }
  va_end(list);
}

static void indent(struct emitter *e) {
  for (unsigned i = 0; i < e->depth; i++)
    put(e, "  ");
}

static const struct process *process_at(const struct emitter *e, uint32_t p) {
  return &e->g->processes.at[p];
}

static uint32_t process_name(const struct emitter *e, uint32_t p) {
  return process_at(e, p)->name;
}

static uint32_t local_name(const struct emitter *e, uint32_t p,
                           uint32_t local) {
  return e->g->locals.at[process_at(e, p)->first_local + local];
}

static bool is_task(const struct emitter *e, uint32_t p) {
  return process_at(e, p)->task != NIL;
}

static bool has_tasks(const struct emitter *e) {
  for (uint32_t p = 0; p < e->g->processes.size; p++)
    if (is_task(e, p) && !process_at(e, p)->removed)
      return true;
  return false;
}

/* Where there are no lines, two actors share the tasks. */
static uint32_t actor_count(const struct emitter *e) {
  size_t all = e->g->actors.size + e->g->processes.size;
  return program_has_lines(e->g) ? (uint32_t)all : 2;
}

static uint32_t actor_of(const struct emitter *e, uint32_t p) {
  uint32_t actor = process_at(e, p)->actor;
  if (!program_has_lines(e->g))
    return p % 2;
  return actor == NIL ? (uint32_t)e->g->actors.size + p : actor;
}

/* ---- which processes meet -------------------------------------------------
 */

static bool exists(const struct emitter *e, uint32_t p) {
  return !process_at(e, p)->removed;
}

/* Does a statement of this kind about this object stand in the list? */
static bool list_has(const struct program *g, uint32_t first,
                     enum statement_kind kind, uint32_t symbol) {
  for (uint32_t i = first; i != NIL; i = g->statements.at[i].next) {
    const struct statement *s = &g->statements.at[i];
    if ((s->kind == kind && s->symbol == symbol) ||
        list_has(g, s->body, kind, symbol) ||
        list_has(g, s->otherwise, kind, symbol))
      return true;
  }
  return false;
}

static bool does(const struct emitter *e, uint32_t p, enum statement_kind kind,
                 uint32_t symbol) {
  return exists(e, p) && list_has(e->g, process_at(e, p)->body, kind, symbol);
}

static bool joins(const struct emitter *e, uint32_t p, uint32_t target) {
  return p != target && does(e, p, STATEMENT_JOIN, target);
}

static unsigned joiners(const struct emitter *e, uint32_t target) {
  unsigned count = 0;
  for (uint32_t p = 0; p < e->g->processes.size; p++)
    count += joins(e, p, target);
  return count;
}

/* Has the process a local w_ for this symbol? */
static bool writes_lock(const struct emitter *e, uint32_t p, uint32_t symbol) {
  return e->g->symbols.at[symbol].kind == SYMBOL_RWLOCK &&
         (does(e, p, STATEMENT_LOCK, symbol) ||
          does(e, p, STATEMENT_TRYLOCK, symbol));
}

/* ---- expressions ----------------------------------------------------------
 */

static void put_number(struct emitter *e, int64_t value) {
  char digits[64];
  if (value >= INT32_MIN + 1 && value <= INT32_MAX)
    snprintf(digits, sizeof digits, value < 0 ? "(%" PRId64 ")" : "%" PRId64,
             value);
  else if (value == INT64_MIN)
    snprintf(digits, sizeof digits, "INT64_MIN");
  else
    snprintf(digits, sizeof digits, "INT64_C(%" PRId64 ")", value);
  put(e, "%s", digits);
}

static const char *const operators[] = {
#define BINARY(id, text, level) [EXPRESSION_##id] = " " text " ",
#include "system/model/binary.def"
#undef BINARY
};

static void put_expression(struct emitter *e, uint32_t index);

static void put_operands(struct emitter *e, const struct expression *x,
                         const char *between) {
  put_expression(e, x->a);
  put(e, "%s", between);
  put_expression(e, x->b);
}

static void put_expression(struct emitter *e, uint32_t index) {
  const struct expression *x = &e->g->expressions.at[index];
  const char *macro = emit_macro(x->kind);
  switch (x->kind) {
  case EXPRESSION_NUMBER:
    put_number(e, x->value);
    return;
  case EXPRESSION_LOCAL:
    put(e, "l_%N", local_name(e, e->process, (uint32_t)x->value));
    return;
  case EXPRESSION_NOT:
    put(e, "!");
    put_expression(e, x->a);
    return;
  case EXPRESSION_NEGATE:
    put(e, "%s0, ", macro);
    put_expression(e, x->a);
    put(e, ")");
    return;
  }
  put(e, "%s", macro ? macro : "(");
  put_operands(e, x, macro ? ", " : operators[x->kind]);
  put(e, ")");
}

/* Where C has parentheses: compilers warn of two pairs around "==". */
static void put_condition(struct emitter *e, uint32_t index) {
  const struct expression *x = &e->g->expressions.at[index];
  if (x->kind <= EXPRESSION_NEGATE || emit_macro(x->kind))
    put_expression(e, index);
  else
    put_operands(e, x, operators[x->kind]);
}

/* ---- statements -----------------------------------------------------------
 */

/* "s_x", or "s_a[AT(l_i, 3)]". */
static void put_object(struct emitter *e, const char *prefix, uint32_t symbol,
                       uint32_t index) {
  const struct symbol *s = &e->g->symbols.at[symbol];
  put(e, "%s%N", prefix, s->name);
  if (index != NIL) {
    put(e, "[AT(");
    put_expression(e, index);
    put(e, ", %u)]", s->extent);
  }
}

/* Of some variables halves are accessed: these are unions. */
static bool has_parts(const struct emitter *e, uint32_t symbol) {
  for (size_t i = 0; i < e->g->statements.size; i++)
    if (e->g->statements.at[i].symbol == symbol && e->g->statements.at[i].part)
      return true;
  return false;
}

/* The variable of an access, or the part of it. */
static void put_variable(struct emitter *e, const struct statement *s) {
  static const char *const parts[] = {".whole", ".half[0]", ".half[1]"};
  put_object(e, "s_", s->symbol, s->index);
  if (has_parts(e, s->symbol))
    put(e, "%s", parts[s->part]);
}

static void put_call(struct emitter *e, const char *function,
                     const struct statement *s) {
  put(e, "%s(&", function);
  put_object(e, "s_", s->symbol, s->index);
  put(e, ")");
}

static void put_plain(struct emitter *e, const struct statement *s) {
  put_variable(e, s);
  if (s->kind == STATEMENT_WRITE) {
    put(e, " = ");
    put_expression(e, s->a);
  }
  put(e, ";");
}

static void put_access(struct emitter *e, const struct statement *s) {
  if (e->g->symbols.at[s->symbol].kind == SYMBOL_DATA) {
    put_plain(e, s);
    return;
  }
  put(e, "%s%s(&", s->relaxed ? "RELAXED_" : "", emit_access(s));
  put_variable(e, s);
  if (s->kind != STATEMENT_READ) {
    put(e, s->back == NIL ? ", " : ", &");
    put_expression(e, s->a);
  }
  if (s->kind == STATEMENT_CAS) {
    put(e, ", ");
    put_expression(e, s->b);
  }
  put(e, ");");
}

/* A process that locks what it holds for writing waits for ever here;
 * pthread_rwlock_wrlock() would say EDEADLK. */
static void put_before_lock(struct emitter *e, const struct statement *s) {
  if ((s->kind != STATEMENT_LOCK && s->kind != STATEMENT_RDLOCK) ||
      !writes_lock(e, e->process, s->symbol))
    return;
  put(e, "if (");
  put_object(e, "w_", s->symbol, s->index);
  put(e, ") sem_wait(&never); ");
}

static void put_after_lock(struct emitter *e, const struct statement *s) {
  if ((s->kind != STATEMENT_LOCK && s->kind != STATEMENT_UNLOCK) ||
      !writes_lock(e, e->process, s->symbol))
    return;
  put(e, " ");
  put_object(e, "w_", s->symbol, s->index);
  put(e, s->kind == STATEMENT_LOCK ? " = 1;" : " = 0;");
}

static void put_to(struct emitter *e, const struct statement *s) {
  if (s->to != NIL)
    put(e, "l_%N = ", local_name(e, e->process, s->to));
}

static void put_operation(struct emitter *e, const struct statement *s) {
  bool rwlock = e->g->symbols.at[s->symbol].kind == SYMBOL_RWLOCK;
  put_before_lock(e, s);
  put_to(e, s);
  if (rwlock && s->kind == STATEMENT_TRYLOCK) {
    put(e, "HELD(");
    put_object(e, "w_", s->symbol, s->index);
    put(e, ", ");
    put_call(e, emit_call(s, rwlock), s);
    put(e, ");");
    return;
  }
  put_call(e, emit_call(s, rwlock), s);
  put(e, ";");
  put_after_lock(e, s);
}

static void put_wait(struct emitter *e, const struct statement *s) {
  put(e, "pthread_cond_wait(&");
  put_object(e, "s_", s->symbol, s->index);
  put(e, ", &");
  put_object(e, "s_", s->other, s->other_index);
  put(e, ");");
}

/* Processes that join p must know that there is a thread to join. */
static void put_create(struct emitter *e, uint32_t p) {
  uint32_t name = process_name(e, p);
  if (is_task(e, p)) {
    put(e, "heddle_ask(actor[%u], p_%N, NULL, 0);", actor_of(e, p), name);
    return;
  }
  put(e, "pthread_create(&t_%N, NULL, p_%N, NULL);", name, name);
  if (joiners(e, p) == 1)
    put(e, " sem_post(&c_%N);", name);
}

/* A thread is joined once, but a process can be joined again, and by several:
 * then each of them has a semaphore of its own. */
static void put_join(struct emitter *e, uint32_t p) {
  uint32_t name = process_name(e, p);
  if (is_task(e, p))
    put(e, "heddle_await(f_%N);", name);
  else if (p == e->process)
    put(e, "sem_wait(&never);");
  else if (joiners(e, p) == 1)
    put(e,
        "if (!joined_%u) { sem_wait(&c_%N); pthread_join(t_%N, NULL); "
        "joined_%u = 1; }",
        p, name, name, p);
  else
    put(e, "if (!joined_%u) { sem_wait(&d_%u_%u); joined_%u = 1; }", p, p,
        e->process, p);
}

static void put_list(struct emitter *e, uint32_t first);

static void put_body(struct emitter *e, uint32_t first) {
  e->depth++;
  put_list(e, first);
  e->depth--;
  indent(e);
}

static void put_if(struct emitter *e, const struct statement *s) {
  put(e, "if (");
  put_condition(e, s->a);
  put(e, ") {\n");
  put_body(e, s->body);
  if (s->otherwise != NIL) {
    put(e, "} else {\n");
    put_body(e, s->otherwise);
  }
  put(e, "}");
}

static void put_loop(struct emitter *e, const struct statement *s) {
  put(e, "for (int n%u = %u; ", e->depth, s->count);
  if (s->kind == STATEMENT_WHILE) {
    put_expression(e, s->a);
    put(e, " && ");
  }
  put(e, "n%u; n%u--) {\n", e->depth, e->depth);
  put_body(e, s->body);
  put(e, "}");
}

/* In a model the second look is the one that waits.  The native system finds a
 * loop when the thread comes back with the same stack and registers, and sooner
 * after a write.  So there is a write first, and the registers that the
 * compiler may keep what was seen in are cleared before each look. */
static void put_await(struct emitter *e, const struct statement *s) {
  put(e, "sem_post(&a_%N); ", process_name(e, e->process));
  put_to(e, s);
  put(e, "await_%u(", (uint32_t)(s - e->g->statements.at));
  for (uint32_t i = 0; i < process_at(e, e->process)->locals; i++)
    put(e, "%sl_%N", i ? ", " : "", local_name(e, e->process, i));
  put(e, ");");
}

static void put_statement(struct emitter *e, const struct statement *s) {
  switch ((enum statement_kind)s->kind) {
  case STATEMENT_ASSIGN:
    put_to(e, s);
    put_expression(e, s->a);
    put(e, ";");
    break;
  case STATEMENT_ASSERT:
    put(e, "assert(");
    put_condition(e, s->a);
    put(e, ");");
    break;
  case STATEMENT_IF:
    put_if(e, s);
    break;
  case STATEMENT_REPEAT:
  case STATEMENT_WHILE:
    put_loop(e, s);
    break;
  case STATEMENT_LOOP:
    put(e, "for (;;) {\n");
    put_body(e, s->body);
    put(e, "}");
    break;
  case STATEMENT_BREAK:
    put(e, "break;");
    break;
  case STATEMENT_ATOMIC:
    put(e, "heddle_atomic_begin();\n");
    put_body(e, s->body);
    put(e, "heddle_atomic_end();");
    break;
  case STATEMENT_READ:
  case STATEMENT_WRITE:
  case STATEMENT_ADD:
  case STATEMENT_EXCHANGE:
  case STATEMENT_CAS:
    put_to(e, s);
    put_access(e, s);
    break;
  case STATEMENT_AWAIT:
    put_await(e, s);
    break;
  case STATEMENT_COND_WAIT:
    put_wait(e, s);
    break;
  case STATEMENT_CREATE:
    if (is_task(e, s->symbol))
      put(e, "f_%N = ", process_name(e, s->symbol));
    put_create(e, s->symbol);
    if (!is_task(e, s->symbol))
      put(e, " created_%u = 1;", s->symbol);
    break;
  case STATEMENT_JOIN:
    put_join(e, s->symbol);
    break;
  case STATEMENT_CHOOSE:
    put_to(e, s);
    put(e, "heddle_choose(%u);", s->count);
    break;
  default:
    put_operation(e, s);
  }
}

static void put_list(struct emitter *e, uint32_t first) {
  uint32_t outer = e->statement;
  for (uint32_t i = first; i != NIL; i = e->g->statements.at[i].next) {
    if (e->g->statements.at[i].kind == STATEMENT_NOTHING)
      continue;
    e->statement = i;
    indent(e);
    put_statement(e, &e->g->statements.at[i]);
    put(e, "\n");
  }
  e->statement = outer;
}

/* ---- processes ------------------------------------------------------------
 */

static void put_await_functions(struct emitter *e, uint32_t first) {
  for (uint32_t i = first; i != NIL; i = e->g->statements.at[i].next) {
    const struct statement *s = &e->g->statements.at[i];
    put_await_functions(e, s->body);
    put_await_functions(e, s->otherwise);
    if (s->kind != STATEMENT_AWAIT)
      continue;
    e->statement = i;
    put(e, "static int64_t await_%u(", i);
    for (uint32_t k = 0; k < process_at(e, e->process)->locals; k++)
      put(e, "%sint64_t l_%N", k ? ", " : "", local_name(e, e->process, k));
    put(e, ") {\n  do {\n    FORGET();\n    l_%N = atomic_load(&",
        local_name(e, e->process, s->to));
    put_variable(e, s);
    put(e, ");\n  } while (");
    put_condition(e, s->a);
    put(e, ");\n  return l_%N;\n}\n\n", local_name(e, e->process, s->to));
    e->statement = NIL;
  }
}

/* Locals, and what the process knows about others. */
static void put_locals(struct emitter *e, uint32_t p) {
  for (uint32_t i = 0; i < process_at(e, p)->locals; i++)
    put(e, "  int64_t l_%N = 0;\n", local_name(e, p, i));
  for (uint32_t q = 0; q < e->g->processes.size; q++) {
    if (does(e, p, STATEMENT_CREATE, q) && !is_task(e, q))
      put(e, "  int created_%u = 0;\n", q);
    if (does(e, p, STATEMENT_CREATE, q) && is_task(e, q))
      put(e, "  struct heddle_future *f_%N = NULL;\n", process_name(e, q));
    if (joins(e, p, q) && !is_task(e, q))
      put(e, "  int joined_%u = 0;\n", q);
  }
  for (uint32_t i = 0; i < e->g->symbols.size; i++) {
    const struct symbol *s = &e->g->symbols.at[i];
    if (writes_lock(e, p, i) && s->array)
      put(e, "  int w_%N[%u] = {0};\n", s->name, s->extent);
    else if (writes_lock(e, p, i))
      put(e, "  int w_%N = 0;\n", s->name);
  }
}

/* What main reads when the process is done.  A task leaves it in its last step,
 * and adds to 0: a second write there that depends on nothing would hide from
 * observers that the first one is such. */
static void put_remains(struct emitter *e, uint32_t p) {
  uint32_t name = process_name(e, p);
  for (uint32_t i = 0; i < process_at(e, p)->locals; i++)
    put(e, "  r_%N.l_%N %s l_%N;\n", name, local_name(e, p, i),
        is_task(e, p) ? "+=" : "=", local_name(e, p, i));
  if (is_task(e, p))
    return;
  for (uint32_t q = 0; q < e->g->processes.size; q++)
    if (does(e, p, STATEMENT_CREATE, q))
      put(e, "  r_%N.created_%u = created_%u;\n", name, q, q);
  for (uint32_t q = 0; q < e->g->processes.size; q++)
    if (joins(e, q, p) && joiners(e, p) > 1)
      put(e, "  sem_post(&d_%u_%u);\n", p, q);
  if (joiners(e, p))
    put(e, "  sem_post(&d_%N);\n", name);
}

/* What fails before the first step fails within the step that creates the
 * thread.  Here that is one of main's, which must not seem to fail: all others
 * come after it. */
static void put_first_step(struct emitter *e, uint32_t p) {
  if (!process_at(e, p)->created && !is_task(e, p))
    put(e, "  sem_post(&a_%N);\n", process_name(e, p));
}

/* Then errno is set in advance, so that no failed try changes it. */
static bool tries_semaphore(const struct emitter *e, uint32_t first) {
  for (uint32_t i = 0; i < e->g->symbols.size; i++)
    if (list_has(e->g, first, STATEMENT_TRYWAIT, i))
      return true;
  return false;
}

static void put_process(struct emitter *e, uint32_t p) {
  e->process = p;
  put_await_functions(e, process_at(e, p)->body);
  put(e,
      is_task(e, p) ? "static void p_%N(void *unused, void *message) {\n"
                    : "static void *p_%N(void *unused) {\n",
      process_name(e, p));
  put_locals(e, p);
  if (tries_semaphore(e, process_at(e, p)->body))
    put(e, "  errno = EAGAIN;\n");
  put_first_step(e, p);
  e->depth = 1;
  put_list(e, process_at(e, p)->body);
  e->depth = 0;
  put_remains(e, p);
  put(e, is_task(e, p) ? "  (void)unused, (void)message;\n}\n\n"
                       : "  return unused;\n}\n\n");
}

/* Threads call each other's names: all are declared first. */
static void put_declarations(struct emitter *e, uint32_t p) {
  uint32_t name = process_name(e, p);
  if (is_task(e, p))
    put(e, "static void p_%N(void *, void *);\n", name);
  else
    put(e,
        "static void *p_%N(void *);\nstatic pthread_t t_%N;\n"
        "static sem_t a_%N, c_%N, d_%N;\n",
        name, name, name, name, name);
  for (uint32_t q = 0; q < e->g->processes.size; q++)
    if (joins(e, q, p) && joiners(e, p) > 1 && !is_task(e, p))
      put(e, "static sem_t d_%u_%u;\n", p, q);
  put(e, "static struct {\n  char empty;\n");
  for (uint32_t i = 0; i < process_at(e, p)->locals; i++)
    put(e, "  int64_t l_%N;\n", local_name(e, p, i));
  for (uint32_t q = 0; q < e->g->processes.size; q++)
    if (does(e, p, STATEMENT_CREATE, q))
      put(e, "  int created_%u;\n", q);
  put(e, "} r_%N;\n\n", name);
}

/* ---- main -----------------------------------------------------------------
 */

/* See emit_head.c for what is called. */
static void put_preparation(struct emitter *e, const struct symbol *s) {
  bool sem = s->kind == SYMBOL_SEM;
  for (uint32_t k = 0; (sem || s->kind == SYMBOL_RWLOCK) && k < s->extent;
       k++) {
    put(e, sem ? "  PREPARE_SEM(s_%N" : "  PREPARE_RWLOCK(s_%N", s->name);
    if (s->array)
      put(e, "[%u]", k);
    put(e, ", %u);\n", sem ? (uint32_t)e->g->values.at[s->initial + k] : 0);
  }
}

static void put_objects(struct emitter *e) {
  put(e, "  sem_init(&never, 0, 0);\n");
  for (size_t i = 0; i < e->g->symbols.size; i++)
    put_preparation(e, &e->g->symbols.at[i]);
  for (uint32_t p = 0; p < e->g->processes.size; p++) {
    uint32_t name = process_name(e, p);
    if (is_task(e, p))
      continue;
    if (exists(e, p))
      put(e,
          "  sem_init(&a_%N, 0, 0);\n"
          "  sem_init(&c_%N, 0, 0);\n"
          "  sem_init(&d_%N, 0, 0);\n",
          name, name, name);
    for (uint32_t q = 0; q < e->g->processes.size; q++)
      if (joins(e, q, p) && joiners(e, p) > 1)
        put(e, "  sem_init(&d_%u_%u, 0, 0);\n", p, q);
  }
}

/* Waits for p, then for those that it has created. */
static void put_end(struct emitter *e, uint32_t p) {
  uint32_t name = process_name(e, p);
  indent(e);
  put(e, joiners(e, p) ? "sem_wait(&d_%N);\n" : "pthread_join(t_%N, NULL);\n",
      name);
  for (uint32_t q = 0; q < e->g->processes.size; q++) {
    if (!does(e, p, STATEMENT_CREATE, q) || !exists(e, q))
      continue;
    indent(e);
    put(e, "if (r_%N.created_%u) {\n", name, q);
    e->depth++;
    put_end(e, q);
    e->depth--;
    indent(e);
    put(e, "}\n");
  }
}

static void print_variable(struct emitter *e, uint32_t symbol, uint32_t element,
                           bool first) {
  const struct symbol *s = &e->g->symbols.at[symbol];
  put(e, "  printf(\"%s%N", first ? "" : " ", s->name);
  if (s->array)
    put(e, "[%u]", element);
  put(e, "=%%\" PRId64, s_%N", s->name);
  if (s->array)
    put(e, "[%u]", element);
  put(e, has_parts(e, symbol) ? ".whole);\n" : ");\n");
}

static void print_locals(struct emitter *e, uint32_t p, bool first) {
  uint32_t name = process_name(e, p);
  put(e, "  printf(\"%s%N:\");\n", first ? "" : " | ", name);
  for (uint32_t i = 0; i < process_at(e, p)->locals; i++)
    put(e, "  printf(\" %N=%%\" PRId64, r_%N.l_%N);\n", local_name(e, p, i),
        name, local_name(e, p, i));
}

/* In the words of outcome_output(). */
static void put_outcome(struct emitter *e) {
  bool first = true;
  for (uint32_t i = 0; i < e->g->symbols.size; i++) {
    const struct symbol *s = &e->g->symbols.at[i];
    for (uint32_t k = 0; symbol_has_value(s->kind) && k < s->extent; k++) {
      print_variable(e, i, k, first);
      first = false;
    }
  }
  for (uint32_t p = 0; p < e->g->processes.size; p++)
    if (exists(e, p) && process_at(e, p)->locals) {
      print_locals(e, p, first);
      first = false;
    }
  put(e, "  printf(\"\\n\");\n");
}

static void put_actors(struct emitter *e) {
  put(e,
      "  for (int i = 0; i < %u; i++)\n"
      "    actor[i] = heddle_spawn(&actor_type[0], NULL);\n",
      actor_count(e));
  for (uint32_t i = 0; program_has_lines(e->g) && i < e->g->actors.size; i++)
    if (e->g->actors.at[i].fifo)
      put(e, "  actor[%u] = heddle_spawn(&actor_type[1], NULL);\n", i);
}

static void put_main(struct emitter *e) {
  put(e, "int main(void) {\n");
  put_objects(e);
  if (has_tasks(e))
    put_actors(e);
  for (uint32_t p = 0; p < e->g->processes.size; p++)
    if (exists(e, p) && !process_at(e, p)->created) {
      put(e, "  ");
      put_create(e, p);
      put(e, "\n");
    }
  if (has_tasks(e))
    put(e, "  heddle_run();\n");
  e->depth = 1;
  for (uint32_t p = 0; p < e->g->processes.size; p++)
    if (exists(e, p) && !process_at(e, p)->created && !is_task(e, p))
      put_end(e, p);
  put_outcome(e);
  put(e, "  return 0;\n}\n");
}

/* ---- the program ----------------------------------------------------------
 */

static void sink(void *context, const char *text, size_t length) {
  struct emitter *e = context;
  for (size_t i = 0; i < length; i++) {
    bool starts = VEC_TOP(e->out->text) == '\n';
    put(e, "%s", starts ? " *     " : "");
    put_bytes(e, &text[i], 1);
  }
}

static void put_values(struct emitter *e, uint32_t symbol) {
  const struct symbol *s = &e->g->symbols.at[symbol];
  bool parts = has_parts(e, symbol);
  put(e, s->array ? " = {" : " = ");
  for (uint32_t k = 0; k < s->extent; k++) {
    put(e, k ? ", " : "");
    put(e, parts ? "{" : "");
    put_number(e, e->g->values.at[s->initial + k]);
    put(e, parts ? "}" : "");
  }
  put(e, s->array ? "}" : "");
}

static void put_symbol(struct emitter *e, uint32_t symbol) {
  static const struct {
    const char *type, *initial, *parts;
  } kinds[SYMBOL_KINDS] = {
      [SYMBOL_VAR] = {"_Atomic int64_t", NULL, "_Atomic int32_t"},
      [SYMBOL_MUTEX] = {"pthread_mutex_t", "PTHREAD_MUTEX_INITIALIZER", NULL},
      [SYMBOL_RWLOCK] = {"pthread_rwlock_t", "PTHREAD_RWLOCK_INITIALIZER",
                         NULL},
      [SYMBOL_SEM] = {"sem_t", NULL, NULL},
      [SYMBOL_COND] = {"pthread_cond_t", "PTHREAD_COND_INITIALIZER", NULL},
      [SYMBOL_DATA] = {"int64_t", NULL, "int32_t"}};
  const struct symbol *s = &e->g->symbols.at[symbol];
  const char *initial = kinds[s->kind].initial;
  if (symbol_has_value(s->kind) && has_parts(e, symbol))
    put(e, "static union { %s whole; %s half[2]; } s_%N", kinds[s->kind].type,
        kinds[s->kind].parts, s->name);
  else
    put(e, "static %s s_%N", kinds[s->kind].type, s->name);
  if (s->array)
    put(e, "[%u]", s->extent);
  if (symbol_has_value(s->kind))
    put_values(e, symbol);
  else if (initial && s->array)
    put(e, " = {[0 ... %u] = %s}", s->extent - 1, initial);
  else if (initial)
    put(e, " = %s", initial);
  put(e, ";\n");
}

void program_emit(const struct program *g, struct emitted *out) {
  struct emitter e = {.g = g, .out = out, .statement = NIL};
  out->text.size = out->statement.size = 0;
  VEC_PUSH(out->statement, NIL); /* lines begin with 1 */
  put(&e, "/* The model\n *\n");
  program_print(g, sink, &e);
  put_bytes(&e, emit_head, strlen(emit_head));
  for (uint32_t i = 0; i < g->symbols.size; i++)
    put_symbol(&e, i);
  if (has_tasks(&e))
    put(&e,
        "static const struct heddle_actor_type actor_type[2] = {\n"
        "    {.flags = 0}, {.flags = HEDDLE_FIFO}};\n"
        "static struct heddle_actor *actor[%u];\n",
        actor_count(&e));
  put(&e, "\n");
  for (uint32_t p = 0; p < g->processes.size; p++)
    if (exists(&e, p))
      put_declarations(&e, p);
  for (uint32_t p = 0; p < g->processes.size; p++)
    if (exists(&e, p))
      put_process(&e, p);
  put_main(&e);
}

void emitted_free(struct emitted *out) {
  VEC_FREE(out->text);
  VEC_FREE(out->statement);
}

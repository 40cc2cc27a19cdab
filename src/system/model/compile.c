/* Compiles the tree to flat code, and checks the rules that a grammar cannot
 * express. */
#include <stdarg.h>
#include <stdio.h>

#include "program.h"

/* keep.  One process being compiled. */
struct compiler {
  struct program *g;
  uint32_t process;
  uint32_t counters; /* loop counters in use */
  uint32_t most;     /* ... at most */
  uint32_t loops;    /* nesting */
  uint32_t blocks;   /* nesting of atomic blocks: 0 or 1 */
  uint32_t waits;    /* nesting of STATEMENT_LOOP */
  bool leaves;       /* the innermost loop of any kind is such a one */
  bool task;         /* all of it is blocks: see compile_task */
  bool failed;
  struct model_error *error;
  VEC(uint32_t) sent;   /* the tasks that it has created here */
  VEC(uint32_t) breaks; /* jumps to the end of a loop, to be found */
};

static void complain(struct compiler *c, const struct statement *s,
                     const char *format, ...) {
  if (c->failed)
    return;
  va_list list;
  va_start(list, format);
  vsnprintf(c->error->message, sizeof c->error->message, format, list);
  va_end(list);
  c->error->line = s->line;
  c->error->column = s->column;
  c->failed = true;
}

static uint32_t emit(struct compiler *c, enum instruction_code code,
                     uint32_t statement) {
  VEC_PUSH(c->g->code, (struct instruction){.code = (uint8_t)code,
                                            .reg = NIL,
                                            .expression = NIL,
                                            .target = 0,
                                            .statement = statement});
  return (uint32_t)c->g->code.size - 1;
}

static struct instruction *at(struct compiler *c, uint32_t i) {
  return &c->g->code.at[i];
}

static uint32_t here(const struct compiler *c) {
  return (uint32_t)c->g->code.size;
}

/* Counters follow the locals; a nested loop takes the next one. */
static uint32_t counter_take(struct compiler *c) {
  uint32_t taken = c->g->processes.at[c->process].locals + c->counters++;
  if (c->counters > c->most)
    c->most = c->counters;
  return taken;
}

static void compile_list(struct compiler *c, uint32_t first);

/* A process created in a branch may not exist after it. */
static void compile_branch(struct compiler *c, uint32_t first) {
  size_t sent = c->sent.size;
  compile_list(c, first);
  c->sent.size = sent;
}

static void compile_if(struct compiler *c, uint32_t i) {
  struct statement s = c->g->statements.at[i];
  uint32_t unless = emit(c, CODE_UNLESS, i);
  at(c, unless)->expression = s.a;
  compile_branch(c, s.body);
  if (s.otherwise != NIL) {
    uint32_t jump = emit(c, CODE_JUMP, i);
    at(c, unless)->target = here(c);
    compile_branch(c, s.otherwise);
    at(c, jump)->target = here(c);
  } else {
    at(c, unless)->target = here(c);
  }
}

/* The counter is 0 outside of its loop, so that equal states look equal. */
static void compile_loop(struct compiler *c, uint32_t i) {
  struct statement s = c->g->statements.at[i];
  uint32_t counter = counter_take(c), unless = NIL;
  uint32_t set = emit(c, CODE_SET, i);
  at(c, set)->reg = counter;
  at(c, set)->target = s.count;
  uint32_t top = here(c);
  if (s.kind == STATEMENT_WHILE) {
    unless = emit(c, CODE_UNLESS, i);
    at(c, unless)->expression = s.a;
  }
  uint32_t count = emit(c, CODE_COUNT, i);
  at(c, count)->reg = counter;
  bool leaves = c->leaves;
  c->leaves = false;
  c->loops++;
  compile_list(c, s.body);
  c->loops--;
  c->leaves = leaves;
  at(c, emit(c, CODE_JUMP, i))->target = top;
  if (unless != NIL) {
    at(c, unless)->target = here(c);
    at(c, emit(c, CODE_SET, i))->reg = counter;
  }
  at(c, count)->target = here(c);
  c->counters--;
}

/* ---- loops that wait ------------------------------------------------------
 */

/* Every round begins with a step: so a process does not go round for ever
 * between two steps, and the head of the loop is the state before that one. */
static void compile_rounds(struct compiler *c, uint32_t i) {
  struct statement s = c->g->statements.at[i];
  size_t outer = c->breaks.size;
  bool leaves = c->leaves;
  uint32_t top = here(c);
  if (c->blocks)
    complain(c, &s, "a loop inside %s", c->task ? "a task" : "an atomic block");
  c->leaves = true;
  c->loops++;
  c->waits++;
  compile_list(c, s.body);
  c->waits--;
  c->loops--;
  c->leaves = leaves;
  at(c, emit(c, CODE_JUMP, i))->target = top;
  if (at(c, top)->code != CODE_VISIBLE)
    complain(c, &s, "a loop begins with an operation on a shared object");
  at(c, top)->head = c->g->loops = true;
  while (c->breaks.size > outer)
    at(c, VEC_POP(c->breaks))->target = here(c);
}

static void compile_break(struct compiler *c, uint32_t i) {
  if (!c->leaves)
    complain(c, &c->g->statements.at[i],
             "'break' leaves a 'loop', and no other statement");
  VEC_PUSH(c->breaks, emit(c, CODE_JUMP, i));
}

/* What only reads one object, or writes; the rest does neither. */
static void check_in_loop(struct compiler *c, const struct statement *s) {
  switch ((enum statement_kind)s->kind) {
  case STATEMENT_COND_WAIT:
  case STATEMENT_SIGNAL:
  case STATEMENT_BROADCAST:
  case STATEMENT_CREATE:
  case STATEMENT_JOIN:
  case STATEMENT_CHOOSE:
  case STATEMENT_AWAIT:
  case STATEMENT_ATOMIC:
    if (c->waits)
      complain(c, s,
               "in a loop there are only accesses, locks, tries, "
               "semaphores and other loops");
    break;
  default:
    break;
  }
}

/* Places that are written in parts have no one order of writes, and accesses
 * to data may be no steps: no look at them could be made to wait.  With data,
 * no look is: only explorers that store states come to an end. */
static void check_places(struct compiler *c) {
  for (size_t i = 0; i < c->g->statements.size; i++) {
    const struct statement *s = &c->g->statements.at[i];
    if (s->kind != STATEMENT_NOTHING && s->part != PART_WHOLE)
      complain(c, s, "a program with a loop has no accesses to halves");
    if (s->kind >= STATEMENT_READ && s->kind <= STATEMENT_WRITE &&
        c->g->symbols.at[s->symbol].kind == SYMBOL_DATA)
      c->g->endless = true;
  }
}

/* ---- blocks ---------------------------------------------------------------
 */

static void compile_atomic(struct compiler *c, uint32_t i) {
  struct statement s = c->g->statements.at[i];
  if (c->blocks)
    complain(c, &s, "an atomic block inside %s",
             c->task ? "a task" : "an atomic block");
  emit(c, CODE_BLOCK, i);
  c->blocks++;
  compile_list(c, s.body);
  c->blocks--;
  emit(c, CODE_BLOCK_END, i);
}

/* ---- tasks ----------------------------------------------------------------
 */

static bool is_task(const struct compiler *c, uint32_t process) {
  return c->g->processes.at[process].task != NIL;
}

/* A block up to the task's end, or to a join of a task that it created; the
 * next block goes on when that task has ended. */
static void compile_task(struct compiler *c, uint32_t process) {
  uint32_t begin = c->g->processes.at[process].task;
  if (lines_has(c->g, process))
    emit(c, CODE_VISIBLE, begin); /* waits for its turn, unless it is first */
  emit(c, CODE_BLOCK, begin);
  c->sent.size = 0;
  c->blocks++;
  c->task = true;
  compile_list(c, c->g->processes.at[process].body);
  c->task = false;
  c->blocks--;
  emit(c, CODE_BLOCK_END, begin);
}

static void compile_task_join(struct compiler *c, uint32_t i) {
  const struct statement *s = &c->g->statements.at[i];
  bool sent = false;
  for (size_t k = 0; k < c->sent.size; k++)
    sent |= c->sent.at[k] == s->symbol;
  if (!sent)
    complain(c, s, "a task joins '%s', which it has not created before",
             program_name(c->g, c->g->processes.at[s->symbol].name));
  emit(c, CODE_BLOCK_END, i);
  emit(c, CODE_BLOCK, i);
}

static void check_kinds(struct compiler *c, const struct statement *s) {
  bool process = s->kind == STATEMENT_CREATE || s->kind == STATEMENT_JOIN;
  if (process && is_task(c, s->symbol) != c->task)
    complain(c, s, "only a task creates or joins tasks, and nothing else");
}

static bool is_access(enum statement_kind kind) {
  return kind >= STATEMENT_READ && kind <= STATEMENT_CAS;
}

/* A process is created at most once: its name stands for one process. */
static void check_create(struct compiler *c, const struct statement *s) {
  struct process *child = &c->g->processes.at[s->symbol];
  const char *name = program_name(c->g, child->name);
  if (child->created)
    complain(c, s, "process '%s' is created in two places", name);
  else if (c->loops)
    complain(c, s, "process '%s' is created in a loop", name);
  child->created = true;
}

static void compile_visible(struct compiler *c, uint32_t i) {
  const struct statement *s = &c->g->statements.at[i];
  check_kinds(c, s);
  if (c->task && s->kind == STATEMENT_JOIN) {
    compile_task_join(c, i);
    return;
  }
  if (c->blocks && !is_access(s->kind) &&
      !(c->task && s->kind == STATEMENT_CREATE))
    complain(c, s, "only accesses of variables can be in %s",
             c->task ? "a task" : "an atomic block");
  if (s->kind == STATEMENT_CREATE)
    check_create(c, s);
  if (s->kind == STATEMENT_CREATE && c->task)
    VEC_PUSH(c->sent, s->symbol);
  emit(c, c->blocks ? CODE_ACCESS : CODE_VISIBLE, i);
}

/* A first look, then as many as there are changes of the variable. */
static void compile_await(struct compiler *c, uint32_t i) {
  struct statement s = c->g->statements.at[i];
  if (c->blocks)
    complain(c, &s, "only accesses of variables can be in %s",
             c->task ? "a task" : "an atomic block");
  emit(c, CODE_VISIBLE, i);
  uint32_t unless = emit(c, CODE_UNLESS, i);
  at(c, unless)->expression = s.a;
  emit(c, CODE_AWAIT, i);
  at(c, emit(c, CODE_JUMP, i))->target = unless;
  at(c, unless)->target = here(c);
  c->g->awaits = true;
}

static void compile_local(struct compiler *c, uint32_t i) {
  const struct statement *s = &c->g->statements.at[i];
  uint32_t code =
      emit(c, s->kind == STATEMENT_ASSERT ? CODE_ASSERT : CODE_ASSIGN, i);
  at(c, code)->expression = s->a;
  at(c, code)->reg = s->to;
}

static void compile_statement(struct compiler *c, uint32_t i) {
  check_in_loop(c, &c->g->statements.at[i]);
  switch ((enum statement_kind)c->g->statements.at[i].kind) {
  case STATEMENT_NOTHING:
    break;
  case STATEMENT_ASSIGN:
  case STATEMENT_ASSERT:
    compile_local(c, i);
    break;
  case STATEMENT_IF:
    compile_if(c, i);
    break;
  case STATEMENT_REPEAT:
  case STATEMENT_WHILE:
    compile_loop(c, i);
    break;
  case STATEMENT_LOOP:
    compile_rounds(c, i);
    break;
  case STATEMENT_BREAK:
    compile_break(c, i);
    break;
  case STATEMENT_ATOMIC:
    compile_atomic(c, i);
    break;
  case STATEMENT_AWAIT:
    compile_await(c, i);
    break;
  default:
    compile_visible(c, i);
  }
}

static void compile_list(struct compiler *c, uint32_t first) {
  for (uint32_t i = first; i != NIL; i = c->g->statements.at[i].next)
    compile_statement(c, i);
}

/* Gives the symbols their slots.  A condition variable is a queue of processes,
 * with its length first.  A read-write lock is its writer, the number of its
 * readers, and for each process how often it holds the lock for reading. */
static void place_symbols(struct program *g) {
  static const uint8_t fixed[SYMBOL_KINDS] = {
      [SYMBOL_VAR] = 1,    [SYMBOL_MUTEX] = 1, [SYMBOL_SEM] = 1,
      [SYMBOL_RWLOCK] = 2, [SYMBOL_COND] = 1,  [SYMBOL_DATA] = 1};
  g->slots = 0;
  g->has_data = false;
  for (size_t i = 0; i < g->symbols.size; i++) {
    struct symbol *s = &g->symbols.at[i];
    bool queue = s->kind == SYMBOL_COND || s->kind == SYMBOL_RWLOCK;
    s->slot = g->slots;
    s->stride = fixed[s->kind] + (queue ? (uint32_t)g->processes.size : 0);
    g->slots += s->extent * s->stride;
    g->has_data |= s->kind == SYMBOL_DATA;
  }
}

bool program_compile(struct program *g, struct model_error *error) {
  struct compiler c = {.g = g, .error = error};
  place_symbols(g);
  lines_place(g);
  g->code.size = 0;
  g->awaits = g->loops = g->endless = false;
  for (size_t p = 0; p < g->processes.size; p++)
    g->processes.at[p].created = false;
  for (uint32_t p = 0; p < g->processes.size; p++) {
    c.process = p;
    c.counters = c.most = 0;
    g->processes.at[p].entry = here(&c);
    if (!g->processes.at[p].removed && is_task(&c, p))
      compile_task(&c, p);
    else if (!g->processes.at[p].removed)
      compile_list(&c, g->processes.at[p].body);
    emit(&c, CODE_END, NIL);
    g->processes.at[p].registers = g->processes.at[p].locals + c.most;
  }
  if (g->loops)
    check_places(&c);
  live_find(g);
  retry_find(g);
  VEC_FREE(c.sent);
  VEC_FREE(c.breaks);
  return !c.failed;
}

/* Inside the generator: what its files build programs with. */
#ifndef FUZZ_MODEL_GENERATOR_H
#define FUZZ_MODEL_GENERATOR_H

#include <string.h>

#include "generate.h"

/* ---- pieces ---------------------------------------------------------------
 */

#define LOCALS 4 /* of one process at most */
#define ARRAY 3  /* elements of an array */
#define FEW 3    /* values of a program that has few */

struct generator {
  struct program *g;
  const struct knobs *k;
  struct rng *r;
  uint32_t process;
  uint32_t steps;   /* left for this process */
  uint32_t total;   /* left for all */
  uint32_t last;    /* statement to which the next is linked, or NIL */
  uint32_t nesting; /* of branches and loops */
  uint32_t held;    /* mutexes held here: a bit for each symbol */
  bool atomic;
  bool task;
  uint32_t few; /* how many values the program has; 0: as the dials say */
  int64_t few_values[FEW];
  uint32_t holder; /* where the list being built begins: statement or NIL */
  enum { LIST_PROCESS, LIST_BODY, LIST_OTHERWISE } list;
};

static inline bool chance(struct generator *n, uint32_t percent) {
  return rng_percent(n->r, percent);
}

static inline struct statement *at(struct generator *n, uint32_t s) {
  return &n->g->statements.at[s];
}

/* A dial that most profiles leave at 0: then nothing is drawn, and their
 * programs stay what they were. */
static inline bool chance_if_set(struct generator *n, uint32_t percent) {
  return percent && chance(n, percent);
}

/* Appends a statement to the list being built. */
static inline uint32_t append(struct generator *n, enum statement_kind kind) {
  uint32_t s = program_add_statement(n->g, kind);
  if (n->last != NIL)
    at(n, n->last)->next = s;
  else if (n->list == LIST_PROCESS)
    n->g->processes.at[n->process].body = s;
  else if (n->list == LIST_BODY)
    at(n, n->holder)->body = s;
  else
    at(n, n->holder)->otherwise = s;
  n->last = s;
  return s;
}

/* The same, for what is a step of its own. */
static inline uint32_t append_step(struct generator *n,
                                   enum statement_kind kind) {
  if (!n->atomic) {
    n->steps -= n->steps > 0;
    n->total -= n->total > 0;
  }
  return append(n, kind);
}

/* One of the values that a program with few of them is made of. */
static inline int64_t few_value(struct generator *n) {
  return n->few_values[rng_below(n->r, n->few)];
}

/* The i-th symbol of a kind, declared when it is first used. */
static inline uint32_t symbol(struct generator *n, enum symbol_kind kind,
                              bool array, uint32_t i) {
  static const char *const names[SYMBOL_KINDS] = {"xyzw", "mkno", "lhjq",
                                                  "stuv", "efgi", "XYZW"};
  char name[2] = {array ? 'a' : names[kind][i], array ? 'r' : 0};
  size_t length = array ? 2 : 1;
  for (uint32_t s = 0; s < n->g->symbols.size; s++) {
    const char *known = program_name(n->g, n->g->symbols.at[s].name);
    if (n->g->symbols.at[s].kind == kind && strlen(known) == length &&
        !memcmp(known, name, length))
      return s;
  }
  uint32_t text = program_add_name(n->g, name, length);
  uint32_t s = program_add_symbol(n->g, kind, text, array ? ARRAY : 1, array);
  if (kind == SYMBOL_SEM || (kind == SYMBOL_VAR && chance(n, 15)))
    n->g->values.at[n->g->symbols.at[s].initial] = rng_below(n->r, 2);
  if (kind == SYMBOL_VAR && n->few && chance(n, 20))
    n->g->values.at[n->g->symbols.at[s].initial] = few_value(n);
  return s;
}

static inline uint32_t some_variable(struct generator *n) {
  return symbol(n, SYMBOL_VAR, false, rng_below(n->r, n->k->variables));
}

static inline uint32_t some_object(struct generator *n, enum symbol_kind kind) {
  return symbol(n, kind, false, rng_below(n->r, n->k->objects));
}

static inline uint32_t locals(const struct generator *n) {
  return n->g->processes.at[n->process].locals;
}

/* A local to assign: a new one, if there is room. */
static inline uint32_t target(struct generator *n) {
  struct process *p = &n->g->processes.at[n->process];
  if (p->locals == LOCALS || (p->locals && chance(n, 20)))
    return rng_below(n->r, p->locals);
  char name[2] = {(char)('a' + p->locals), 0};
  VEC_PUSH(n->g->locals, program_add_name(n->g, name, 1));
  return p->locals++;
}

static inline uint32_t number(struct generator *n) {
  if (n->few)
    return program_add_number(n->g, few_value(n));
  int64_t value = 1 + rng_below(n->r, n->k->values);
  return program_add_number(n->g, chance(n, n->k->equal_chance) ? 1 : value);
}

static inline uint32_t some_local(struct generator *n) {
  return program_add_local(n->g, rng_below(n->r, locals(n)));
}

/* What is written: a number, what was read, or that and something. */
static inline uint32_t value(struct generator *n) {
  if (!locals(n) || !chance(n, n->k->copy_chance))
    return number(n);
  uint32_t local = some_local(n);
  return chance(n, 50)
             ? local
             : program_add_expression(n->g, EXPRESSION_PLUS, local, number(n));
}

/* What a variable may hold, or nearly: what values are compared with. */
static inline uint32_t near(struct generator *n) {
  if (n->few && chance(n, 80)) {
    int64_t value = few_value(n);
    return program_add_number(n->g, chance(n, 25) ? value + 1 : value);
  }
  return program_add_number(n->g, rng_below(n->r, 1 + n->k->values));
}

static inline uint32_t test_of(struct generator *n, uint32_t local) {
  static const uint8_t kinds[] = {EXPRESSION_EQUAL, EXPRESSION_UNEQUAL,
                                  EXPRESSION_LESS, EXPRESSION_EQUAL};
  uint32_t a = program_add_local(n->g, local);
  uint32_t b = near(n);
  return program_add_expression(n->g, kinds[rng_below(n->r, 4)], a, b);
}

static inline uint32_t condition(struct generator *n) {
  return test_of(n, rng_below(n->r, locals(n)));
}

/* What comes next goes into the body (or the other branch) of statement s; the
 * generator as it was, for leave(). */
static inline struct generator enter(struct generator *n, uint32_t s,
                                     bool otherwise) {
  struct generator saved = *n;
  n->last = NIL;
  n->holder = s;
  n->list = otherwise ? LIST_OTHERWISE : LIST_BODY;
  n->nesting++;
  return saved;
}

static inline void leave(struct generator *n, const struct generator *saved) {
  n->nesting--;
  n->last = saved->last;
  n->holder = saved->holder;
  n->list = saved->list;
}

static inline void assign(struct generator *n, uint32_t to,
                          uint32_t expression) {
  uint32_t s = append(n, STATEMENT_ASSIGN);
  at(n, s)->to = to;
  at(n, s)->a = expression;
}

static inline uint32_t add_object(struct generator *n, enum statement_kind kind,
                                  uint32_t object) {
  uint32_t s = append_step(n, kind);
  at(n, s)->symbol = object;
  return s;
}

static inline void read_into(struct generator *n, uint32_t variable,
                             uint32_t to) {
  uint32_t s = append_step(n, STATEMENT_READ);
  at(n, s)->symbol = variable;
  at(n, s)->to = to;
}

static inline void write_from(struct generator *n, uint32_t variable,
                              uint32_t index, uint32_t expression) {
  uint32_t s = append_step(n, STATEMENT_WRITE);
  at(n, s)->symbol = variable;
  at(n, s)->index = index;
  at(n, s)->a = expression;
}

/* generate_rounds.c: a loop that waits. */
void generate_round(struct generator *);

/* generate_endless.c: a process that goes round for ever. */
void generate_endless(struct generator *);

#endif

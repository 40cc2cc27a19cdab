/* Loops that wait: random ones, and those that programs are made of.
 *
 * No round writes and comes back: it would have no last round.  So a
 * compare-and-swap or try that succeeds is followed by a break, and other
 * writes stand before one.
 */
#include "generator.h"

static void add_break(struct generator *n, uint32_t condition) {
  uint32_t s = append(n, STATEMENT_IF);
  at(n, s)->a = condition;
  struct generator saved = enter(n, s, false);
  if (chance(n, 15)) {
    uint32_t variable = some_variable(n);
    write_from(n, variable, NIL, value(n));
  }
  append(n, STATEMENT_BREAK);
  leave(n, &saved);
}

static void break_if(struct generator *n, uint32_t local) {
  add_break(n, program_add_local(n->g, local));
}

static struct generator begin_loop(struct generator *n) {
  return enter(n, append(n, STATEMENT_LOOP), false);
}

static void end_loop(struct generator *n, const struct generator *saved) {
  leave(n, saved);
}

/* A local other than this one. */
static uint32_t target_but(struct generator *n, uint32_t local) {
  uint32_t to = target(n);
  while (to == local)
    to = target(n);
  return to;
}

/* to = cas(variable, expected, new) */
static uint32_t add_cas(struct generator *n, uint32_t variable, uint32_t to,
                        uint32_t expected, uint32_t new) {
  uint32_t s = append_step(n, STATEMENT_CAS);
  at(n, s)->symbol = variable;
  at(n, s)->to = to;
  at(n, s)->a = expected;
  at(n, s)->b = new;
  return s;
}

static uint32_t local_plus(struct generator *n, uint32_t local) {
  uint32_t a = program_add_local(n->g, local);
  return program_add_expression(n->g, EXPRESSION_PLUS, a,
                                program_add_number(n->g, 1));
}

/* ---- looks of random rounds -----------------------------------------------
 */

static void look_read(struct generator *n) {
  uint32_t variable = some_variable(n), to = target(n);
  read_into(n, variable, to);
  if (chance(n, 70))
    add_break(n, test_of(n, to));
  else if (chance(n, 20))
    assign(n, to, test_of(n, to));
}

static void look_cas(struct generator *n) {
  uint32_t variable = some_variable(n);
  uint32_t expected = locals(n) && chance(n, 50) ? some_local(n) : near(n);
  uint32_t new = value(n), to = target(n);
  add_cas(n, variable, to, expected, new);
  break_if(n, to);
}

/* c = cas(x, &a, 1); if (c) { break } */
static void look_back(struct generator *n) {
  uint32_t variable = some_variable(n), back = target(n);
  uint32_t to = target_but(n, back), new = value(n);
  uint32_t s = add_cas(n, variable, to, program_add_local(n->g, back), new);
  at(n, s)->back = back;
  break_if(n, to);
}

static void look_try(struct generator *n) {
  static const uint8_t kinds[] = {STATEMENT_TRYLOCK, STATEMENT_TRYLOCK,
                                  STATEMENT_TRYRDLOCK, STATEMENT_TRYWAIT};
  static const uint8_t objects[] = {SYMBOL_MUTEX, SYMBOL_RWLOCK, SYMBOL_RWLOCK,
                                    SYMBOL_SEM};
  uint32_t kind = rng_below(n->r, n->k->lock_share ? 4 : 1);
  uint32_t object = some_object(n, (enum symbol_kind)objects[kind]);
  uint32_t to = target(n);
  uint32_t s = add_object(n, (enum statement_kind)kinds[kind], object);
  at(n, s)->to = to;
  uint32_t condition = program_add_local(n->g, to);
  s = append(n, STATEMENT_IF);
  at(n, s)->a = condition;
  struct generator saved = enter(n, s, false);
  if (chance(n, 80))
    add_object(
        n, kinds[kind] == STATEMENT_TRYWAIT ? STATEMENT_POST : STATEMENT_UNLOCK,
        object);
  append(n, STATEMENT_BREAK);
  leave(n, &saved);
}

static void add_random(struct generator *n);

static void look_inside(struct generator *n) {
  if (n->nesting < 2)
    add_random(n);
  else
    look_read(n);
}

static void count_rounds(struct generator *n) {
  uint32_t local = target(n);
  assign(n, local, local_plus(n, local));
  uint32_t a = program_add_local(n->g, local);
  uint32_t b = program_add_number(n->g, 2);
  add_break(n, program_add_expression(n->g, EXPRESSION_AT_LEAST, a, b));
}

static void add_random(struct generator *n) {
  static void (*const looks[])(struct generator *) = {
      look_read, look_read, look_read, look_read, look_read,  look_read,
      look_cas,  look_cas,  look_back, look_try,  look_inside};
  uint32_t count = 1 + rng_below(n->r, 3);
  struct generator saved = begin_loop(n);
  for (uint32_t i = 0; i < count; i++)
    looks[rng_below(n->r, sizeof looks / sizeof *looks)](n);
  if (chance(n, 10))
    count_rounds(n);
  else if (chance(n, 30) && locals(n))
    add_break(n, condition(n));
  end_loop(n, &saved);
}

/* ---- loops of real programs -----------------------------------------------
 */

static void equal_break(struct generator *n, uint32_t a, uint32_t b) {
  uint32_t x = program_add_local(n->g, a), y = program_add_local(n->g, b);
  uint32_t s = append(n, STATEMENT_IF);
  uint32_t test = program_add_expression(n->g, EXPRESSION_EQUAL, x, y);
  at(n, s)->a = test;
  struct generator saved = enter(n, s, false);
  append(n, STATEMENT_BREAK);
  leave(n, &saved);
}

/* What is done under a lock made of x, and its end. */
static void add_section(struct generator *n, uint32_t x) {
  uint32_t y = some_variable(n);
  if (chance(n, 60))
    write_from(n, y, NIL, value(n));
  else
    read_into(n, y, target(n));
  if (chance(n, 85))
    write_from(n, x, NIL, program_add_number(n->g, 0));
}

static void take_lock(struct generator *n, uint32_t x, uint32_t to) {
  uint32_t free = program_add_number(n->g, 0);
  add_cas(n, x, to, free, program_add_number(n->g, 1));
  uint32_t condition = program_add_local(n->g, to);
  uint32_t s = append(n, STATEMENT_IF);
  at(n, s)->a = condition;
  struct generator saved = enter(n, s, false);
  append(n, STATEMENT_BREAK);
  leave(n, &saved);
}

static void add_cas_lock(struct generator *n) {
  uint32_t x = some_variable(n);
  struct generator saved = begin_loop(n);
  take_lock(n, x, target(n));
  end_loop(n, &saved);
  add_section(n, x);
}

static void add_test_and_test(struct generator *n) {
  uint32_t x = some_variable(n), seen = target(n);
  struct generator outer = begin_loop(n), inner = begin_loop(n);
  read_into(n, x, seen);
  uint32_t a = program_add_local(n->g, seen);
  add_break(n, program_add_expression(n->g, EXPRESSION_NOT, a, NIL));
  end_loop(n, &inner);
  take_lock(n, x, target(n));
  end_loop(n, &outer);
  add_section(n, x);
}

/* loop { a = x; c = cas(x, a, a + 1); if (c) { break } }, or with another
 * variable in the second place. */
static void add_retry(struct generator *n) {
  uint32_t x = some_variable(n), a = target(n), to = target_but(n, a);
  uint32_t y = chance(n, 80) ? x : some_variable(n);
  struct generator saved = begin_loop(n);
  read_into(n, x, a);
  uint32_t expected = program_add_local(n->g, a);
  add_cas(n, y, to, expected, local_plus(n, a));
  break_if(n, to);
  end_loop(n, &saved);
}

/* The same as C11 has it: a = x; loop { c = cas(x, &a, a + 1); ... } */
static void add_written_back(struct generator *n) {
  uint32_t x = some_variable(n), a = target(n), to = target_but(n, a);
  if (chance(n, 85))
    read_into(n, x, a);
  struct generator saved = begin_loop(n);
  uint32_t expected = program_add_local(n->g, a);
  uint32_t s = add_cas(n, x, to, expected, local_plus(n, a));
  at(n, s)->back = a;
  break_if(n, to);
  end_loop(n, &saved);
}

/* a = fadd(x, 1); loop { b = y; if (a == b) { break } }; ... fadd(y, 1) */
static void add_ticket(struct generator *n) {
  uint32_t x = some_variable(n), y = some_variable(n);
  uint32_t a = target(n), b = target_but(n, a);
  uint32_t s = append_step(n, STATEMENT_ADD);
  uint32_t one = program_add_number(n->g, 1);
  at(n, s)->symbol = x;
  at(n, s)->to = a;
  at(n, s)->a = one;
  struct generator saved = begin_loop(n);
  read_into(n, y, b);
  equal_break(n, a, b);
  end_loop(n, &saved);
  s = append_step(n, STATEMENT_ADD);
  at(n, s)->symbol = y;
  at(n, s)->a = one;
}

/* loop { a = x; b = y; c = x; if (a == c) { break } } */
static void add_reader(struct generator *n) {
  uint32_t x = some_variable(n), y = some_variable(n);
  uint32_t a = target(n), c = target_but(n, a);
  struct generator saved = begin_loop(n);
  read_into(n, x, a);
  if (chance(n, 30))
    add_break(n, test_of(n, a));
  read_into(n, y, target_but(n, a));
  read_into(n, x, c);
  equal_break(n, a, c);
  end_loop(n, &saved);
}

/* ---- reads that are tried again, or nearly --------------------------------
 */

/* What may stand between the read into a and the swap, or behind a failure. */
static void look_at_found(struct generator *n, uint32_t a) {
  if (chance(n, 20))
    add_break(n, test_of(n, a));
  if (chance(n, 15))
    assign(n, target_but(n, a), local_plus(n, a));
  if (chance(n, 10))
    assign(n, a, test_of(n, a));
}

/* c = cas(x, a, ...), with a constant instead of a, with &a, or with &b. */
static void try_swap(struct generator *n, uint32_t x, uint32_t a) {
  uint32_t expected = a, to = target_but(n, a);
  bool back = chance(n, 50), constant = !back && chance(n, 35);
  if (back && chance(n, 15))
    expected = target(n);
  uint32_t old = constant ? near(n) : program_add_local(n->g, expected);
  uint32_t variable = chance(n, 92) ? x : some_variable(n);
  uint32_t new = chance(n, 60) ? local_plus(n, a) : value(n);
  uint32_t s = add_cas(n, variable, to, old, new);
  if (back)
    at(n, s)->back = expected;
  break_if(n, to);
}

static void behind_failure(struct generator *n, uint32_t x, uint32_t a,
                           bool reads) {
  if (chance(n, 25))
    look_at_found(n, a);
  if (reads) {
    uint32_t variable = chance(n, 85) ? x : some_variable(n);
    read_into(n, variable, chance(n, 80) ? a : target(n));
  }
  if (chance(n, 8))
    look_read(n);
  if (chance(n, 8))
    count_rounds(n);
  if (chance(n, 8))
    append(n, STATEMENT_BREAK); /* no loop, then */
}

/* loop { a = x; try; ... } */
static void retry_inside(struct generator *n, uint32_t x, uint32_t a) {
  struct generator saved = begin_loop(n);
  read_into(n, x, a);
  look_at_found(n, a);
  try_swap(n, x, a);
  behind_failure(n, x, a, false);
  end_loop(n, &saved);
}

/* a = x; loop { try; ...; a = x }, or the loop behind a test. */
static void retry_outside(struct generator *n, uint32_t x, uint32_t a) {
  bool tested = chance(n, 20);
  struct generator outer = *n;
  if (chance(n, 90))
    read_into(n, x, a);
  else
    assign(n, a, number(n));
  if (tested) {
    uint32_t s = append(n, STATEMENT_IF);
    uint32_t test = test_of(n, a);
    at(n, s)->a = test;
    outer = enter(n, s, false);
  }
  struct generator saved = begin_loop(n);
  try_swap(n, x, a);
  behind_failure(n, x, a, chance(n, 30));
  end_loop(n, &saved);
  if (tested)
    leave(n, &outer);
}

/* loop { a = x; if (a == 0) { c = cas(x, a, 1); if (c) { break } } } */
static void retry_behind_test(struct generator *n, uint32_t x, uint32_t a) {
  struct generator loop = begin_loop(n);
  read_into(n, x, a);
  uint32_t s = append(n, STATEMENT_IF);
  uint32_t test = test_of(n, a);
  at(n, s)->a = test;
  struct generator saved = enter(n, s, false);
  try_swap(n, x, a);
  leave(n, &saved);
  if (chance(n, 15))
    look_at_found(n, a);
  end_loop(n, &loop);
}

static void add_retrying(struct generator *n) {
  uint32_t x = some_variable(n), a = target(n);
  if (chance(n, 20))
    retry_behind_test(n, x, a);
  else if (chance(n, 55))
    retry_inside(n, x, a);
  else
    retry_outside(n, x, a);
}

void generate_round(struct generator *n) {
  static void (*const kinds[])(struct generator *) = {
      add_random,        add_random,       add_random,   add_random, add_random,
      add_random,        add_random,       add_cas_lock, add_retry,  add_retry,
      add_test_and_test, add_written_back, add_ticket,   add_reader};
  if (chance_if_set(n, n->k->retry_chance))
    add_retrying(n);
  else
    kinds[rng_below(n->r, sizeof kinds / sizeof *kinds)](n);
}

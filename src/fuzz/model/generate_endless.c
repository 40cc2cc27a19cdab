/* Programs without end: servers, protocols, rings.  Their processes go round
 * for ever, touch data, and hand it on by flags, locks and semaphores, or by
 * nothing.  All values are small constants, so that there are few states. */
#include "generator.h"

enum { VALUES = 2 };

static uint32_t constant(struct generator *n) {
  return program_add_number(n->g, rng_below(n->r, VALUES));
}

static void relax(struct generator *n, uint32_t percent) {
  at(n, n->last)->relaxed = chance(n, percent);
}

static void touch_data(struct generator *n) {
  uint32_t data = symbol(n, SYMBOL_DATA, false, rng_below(n->r, 2));
  if (chance(n, 40))
    read_into(n, data, chance(n, 70) ? 0 : 1);
  else
    write_from(n, data, NIL, constant(n));
}

static void touch_some(struct generator *n) {
  for (uint32_t i = rng_between(n->r, 1, 2); i; i--)
    touch_data(n);
}

static uint32_t some_flag(struct generator *n) {
  return symbol(n, SYMBOL_VAR, false, rng_below(n->r, 2));
}

static void read_flag(struct generator *n) {
  read_into(n, some_flag(n), 2);
  relax(n, 25);
}

static void write_flag(struct generator *n) {
  uint32_t flag = some_flag(n), value = constant(n);
  if (chance(n, 75)) {
    write_from(n, flag, NIL, value);
  } else {
    bool swaps = chance(n, 50);
    uint32_t s = append_step(n, swaps ? STATEMENT_CAS : STATEMENT_EXCHANGE);
    uint32_t new = constant(n);
    at(n, s)->symbol = flag;
    at(n, s)->to = 2;
    at(n, s)->a = value;
    at(n, s)->b = swaps ? new : NIL;
  }
  relax(n, 30);
}

static void add_section(struct generator *n) {
  uint32_t m = some_object(n, SYMBOL_MUTEX);
  add_object(n, STATEMENT_LOCK, m);
  touch_some(n);
  add_object(n, STATEMENT_UNLOCK, m);
}

/* r = x; if (r == 1) { data; x = 0 } */
static void hand_on(struct generator *n) {
  read_flag(n);
  uint32_t s = append(n, STATEMENT_IF);
  uint32_t a = program_add_local(n->g, 2), b = constant(n);
  uint32_t test = program_add_expression(n->g, EXPRESSION_EQUAL, a, b);
  at(n, s)->a = test;
  struct generator saved = enter(n, s, false);
  if (chance_if_set(n, n->k->guard_chance))
    add_section(n);
  else if (chance(n, 85))
    touch_some(n);
  if (chance(n, 75))
    write_flag(n);
  if (n->nesting > 1 && chance(n, 12))
    append(n, STATEMENT_BREAK);
  leave(n, &saved);
}

static void add_read_write(struct generator *n) {
  uint32_t l = symbol(n, SYMBOL_RWLOCK, false, 0);
  add_object(n, chance(n, 50) ? STATEMENT_RDLOCK : STATEMENT_LOCK, l);
  touch_data(n);
  add_object(n, STATEMENT_UNLOCK, l);
}

static void add_message(struct generator *n) {
  uint32_t s = symbol(n, SYMBOL_SEM, false, rng_below(n->r, 2));
  uint32_t t = symbol(n, SYMBOL_SEM, false, rng_below(n->r, 2));
  add_object(n, STATEMENT_SEM_WAIT, s);
  touch_some(n);
  add_object(n, STATEMENT_POST, t);
}

/* Loops have no blocks. */
static void add_block(struct generator *n) {
  struct generator saved = enter(n, append_step(n, STATEMENT_ATOMIC), false);
  for (uint32_t i = rng_between(n->r, 1, 2); i; i--) {
    if (chance(n, 50))
      touch_data(n);
    else if (chance(n, 50))
      read_into(n, some_flag(n), 2);
    else
      write_from(n, some_flag(n), NIL, constant(n));
  }
  leave(n, &saved);
}

static void add_other(struct generator *n) {
  if (chance(n, 60))
    touch_data(n);
  else
    read_flag(n);
}

static void add_piece(struct generator *n) {
  const struct knobs *k = n->k;
  const struct {
    uint8_t share;
    void (*add)(struct generator *);
  } pieces[] = {{k->spin_share, hand_on},
                {k->write_share, write_flag},
                {k->lock_share, add_section},
                {k->rwlock_share, add_read_write},
                {k->sem_share, add_message},
                {k->read_share, add_other},
                {n->nesting ? 0 : k->atomic_share, add_block}};
  uint32_t all = 0, i = 0;
  for (i = 0; i < sizeof pieces / sizeof *pieces; i++)
    all += pieces[i].share;
  uint32_t drawn = rng_below(n->r, all);
  for (i = 0; drawn >= pieces[i].share; i++)
    drawn -= pieces[i].share;
  pieces[i].add(n);
}

static void add_pieces(struct generator *n, uint32_t least, uint32_t most) {
  for (uint32_t i = rng_between(n->r, least, most); i; i--)
    add_piece(n);
}

/* The locals: two for data, one for flags. */
static void add_locals(struct generator *n) {
  static const char *const names[] = {"a", "b", "c"};
  n->g->processes.at[n->process].first_local = (uint32_t)n->g->locals.size;
  for (unsigned i = 0; i < 3; i++)
    VEC_PUSH(n->g->locals, program_add_name(n->g, names[i], 1));
  n->g->processes.at[n->process].locals = 3;
}

void generate_endless(struct generator *n) {
  n->last = NIL;
  n->list = LIST_PROCESS;
  add_locals(n);
  if (chance(n, 50))
    add_pieces(n, 1, 3);
  if (chance(n, 75)) {
    struct generator saved = enter(n, append(n, STATEMENT_LOOP), false);
    add_pieces(n, 1, chance(n, 60) ? 1 : 2);
    leave(n, &saved);
  }
  if (chance(n, 15))
    add_piece(n);
}

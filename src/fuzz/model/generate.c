#include "generate.h"

#include "generator.h"

#include "util/ensure.h"

/* ---- statements -----------------------------------------------------------
 */

static void add_some(struct generator *n, uint32_t most);

static void fill(struct generator *n, uint32_t s, bool otherwise,
                 uint32_t most) {
  struct generator saved = enter(n, s, otherwise);
  add_some(n, most);
  leave(n, &saved);
}

/* Different values that were read become the same local state. */
static void add_test(struct generator *n, uint32_t local) {
  if (local != NIL && chance_if_set(n, n->k->test_chance))
    assign(n, local, test_of(n, local));
}

static void forget(struct generator *n, uint32_t local) {
  if (chance_if_set(n, n->k->forget_chance))
    assign(n, local, program_add_number(n->g, 0));
}

static void add_data_access(struct generator *n, uint32_t variable) {
  bool write = chance(n, 55);
  uint32_t a = write ? value(n) : NIL, to = write ? NIL : target(n);
  uint32_t s = append_step(n, write ? STATEMENT_WRITE : STATEMENT_READ);
  at(n, s)->symbol = variable;
  at(n, s)->a = a;
  at(n, s)->to = to;
}

static void add_access(struct generator *n, enum statement_kind kind) {
  bool plain = kind == STATEMENT_READ || kind == STATEMENT_WRITE;
  if (plain && chance_if_set(n, n->k->data_chance)) {
    add_data_access(n, symbol(n, SYMBOL_DATA, false, 0));
    return;
  }
  uint32_t variable = some_variable(n);
  uint32_t a = kind == STATEMENT_READ ? NIL : value(n);
  if (kind == STATEMENT_CAS)
    a = near(n);
  uint32_t b = kind == STATEMENT_CAS ? value(n) : NIL;
  uint32_t to = NIL;
  if (kind == STATEMENT_READ ||
      (kind != STATEMENT_WRITE && chance(n, n->k->keep_chance)))
    to = target(n);
  uint32_t s = append_step(n, kind);
  at(n, s)->symbol = variable;
  at(n, s)->a = a;
  at(n, s)->b = b;
  at(n, s)->to = to;
  at(n, s)->relaxed = !n->atomic && chance_if_set(n, n->k->relaxed_chance);
  if (kind != STATEMENT_CAS)
    add_test(n, to);
}

static void add_array(struct generator *n) {
  bool write = chance(n, 50);
  uint32_t array = symbol(n, SYMBOL_VAR, true, 0);
  uint32_t index = locals(n) && chance(n, 60)
                       ? some_local(n)
                       : program_add_number(n->g, rng_below(n->r, ARRAY));
  uint32_t a = write ? value(n) : NIL;
  uint32_t to = write ? NIL : target(n);
  uint32_t s = append_step(n, write ? STATEMENT_WRITE : STATEMENT_READ);
  at(n, s)->symbol = array;
  at(n, s)->index = index;
  at(n, s)->a = a;
  at(n, s)->to = to;
  add_test(n, to);
}

/* Data, under the mutex that all take for it unless they forget to. */
static void add_data(struct generator *n) {
  uint32_t i = rng_below(n->r, n->k->variables);
  uint32_t variable = symbol(n, SYMBOL_DATA, false, i);
  uint32_t mutex = symbol(n, SYMBOL_MUTEX, false, i % n->k->objects);
  bool locks =
      !(n->held >> mutex & 1) && !n->atomic && chance(n, n->k->protect_chance);
  if (locks)
    add_object(n, STATEMENT_LOCK, mutex);
  do
    add_data_access(n, variable);
  while (chance(n, 40));
  if (locks)
    add_object(n, STATEMENT_UNLOCK, mutex);
}

static void add_unlock(struct generator *n, uint32_t object) {
  if (chance(n, n->k->unlock_chance))
    add_object(n, STATEMENT_UNLOCK, object);
}

static void add_lock(struct generator *n) {
  uint32_t mutex = some_object(n, SYMBOL_MUTEX);
  uint32_t held = n->held;
  add_object(n, STATEMENT_LOCK, mutex);
  n->held |= 1u << mutex;
  add_some(n, 2);
  n->held = held;
  add_unlock(n, mutex);
}

/* t = trylock m; if (t) { ...; unlock m } */
static void add_trylock(struct generator *n) {
  bool rw = n->k->rwlock_share && chance(n, n->k->lock_share ? 30 : 100);
  uint32_t object = some_object(n, rw ? SYMBOL_RWLOCK : SYMBOL_MUTEX);
  uint32_t to = target(n);
  uint32_t s = add_object(
      n, rw && chance(n, 50) ? STATEMENT_TRYRDLOCK : STATEMENT_TRYLOCK, object);
  at(n, s)->to = to;
  if (chance(n, 15))
    return;
  uint32_t condition_local = program_add_local(n->g, to);
  uint32_t branch = append(n, STATEMENT_IF);
  at(n, branch)->a = condition_local;
  struct generator saved = enter(n, branch, false);
  add_some(n, 1);
  add_unlock(n, object);
  if (n->last == NIL)
    append(n, STATEMENT_NOTHING);
  leave(n, &saved);
  forget(n, to);
}

static void add_rwlock(struct generator *n) {
  if (chance(n, 20)) {
    add_trylock(n);
    return;
  }
  uint32_t lock = some_object(n, SYMBOL_RWLOCK);
  add_object(n, chance(n, 60) ? STATEMENT_RDLOCK : STATEMENT_LOCK, lock);
  add_some(n, 1);
  add_unlock(n, lock);
}

static void add_sem(struct generator *n) {
  static const uint8_t kinds[] = {STATEMENT_SEM_WAIT, STATEMENT_SEM_WAIT,
                                  STATEMENT_POST, STATEMENT_POST,
                                  STATEMENT_TRYWAIT};
  uint8_t kind = kinds[rng_below(n->r, 5)];
  uint32_t object = some_object(n, SYMBOL_SEM);
  uint32_t to = kind == STATEMENT_TRYWAIT ? target(n) : NIL;
  uint32_t s = add_object(n, kind, object);
  at(n, s)->to = to;
}

static void add_wait(struct generator *n, uint32_t mutex) {
  uint32_t cond = some_object(n, SYMBOL_COND);
  uint32_t s = add_object(n, STATEMENT_COND_WAIT, cond);
  at(n, s)->other = mutex;
}

/* A wait with its mutex, a signal with or without one. */
static void add_cond(struct generator *n) {
  uint32_t mutex = some_object(n, SYMBOL_MUTEX);
  bool waits = chance(n, 55), locks = waits || chance(n, 40);
  uint32_t held = n->held;
  if (locks)
    add_object(n, STATEMENT_LOCK, mutex);
  if (locks)
    n->held |= 1u << mutex;
  if (chance(n, 20))
    add_some(n, 1);
  if (waits)
    add_wait(n, mutex);
  else
    add_object(n, chance(n, 75) ? STATEMENT_SIGNAL : STATEMENT_BROADCAST,
               some_object(n, SYMBOL_COND));
  if (waits && chance_if_set(n, n->k->protect_chance))
    add_some(n, 1);
  n->held = held;
  if (locks)
    add_unlock(n, mutex);
}

static void add_branch(struct generator *n) {
  uint32_t local = rng_below(n->r, locals(n)), test = test_of(n, local);
  uint32_t s = append(n, STATEMENT_IF);
  at(n, s)->a = test;
  fill(n, s, false, 2);
  if (chance(n, 40))
    fill(n, s, true, 2);
  forget(n, local);
}

static void add_loop(struct generator *n) {
  bool test = locals(n) && chance(n, 50);
  uint32_t condition_now = test ? condition(n) : NIL;
  uint32_t s = append(n, test ? STATEMENT_WHILE : STATEMENT_REPEAT);
  at(n, s)->a = condition_now;
  at(n, s)->count = 2;
  uint32_t before = n->steps;
  fill(n, s, false, 1);
  n->steps -= before - n->steps <= n->steps ? before - n->steps : n->steps;
}

/* await a = x while (a == 0), or another condition on a alone. */
static void add_spin(struct generator *n) {
  uint32_t variable = some_variable(n), to = target(n);
  uint32_t local = program_add_local(n->g, to);
  uint32_t other = program_add_number(n->g, rng_below(n->r, n->k->values));
  uint32_t test = program_add_expression(
      n->g, chance(n, 75) ? EXPRESSION_EQUAL : EXPRESSION_UNEQUAL, local,
      other);
  uint32_t s = append_step(n, STATEMENT_AWAIT);
  at(n, s)->symbol = variable;
  at(n, s)->to = to;
  at(n, s)->a = test;
}

static void add_atomic(struct generator *n) {
  uint32_t s = append_step(n, STATEMENT_ATOMIC);
  n->atomic = true;
  fill(n, s, false, 3);
  n->atomic = false;
}

static void add_assert(struct generator *n) {
  uint32_t test = condition(n);
  uint32_t s = append(n, STATEMENT_ASSERT);
  at(n, s)->a = test;
}

static void add_choose(struct generator *n) {
  uint32_t to = target(n);
  uint32_t s = append_step(n, STATEMENT_CHOOSE);
  at(n, s)->to = to;
  at(n, s)->count = 2;
}

/* ---- what commutes with itself, or nearly ---------------------------------
 */

/* variable = local + number, or another operation that commutes with itself
 * but not with the others. */
static void write_sum(struct generator *n, uint32_t variable, uint32_t local) {
  static const uint8_t kinds[] = {EXPRESSION_PLUS, EXPRESSION_PLUS,
                                  EXPRESSION_PLUS, EXPRESSION_MINUS,
                                  EXPRESSION_TIMES};
  uint8_t kind = kinds[rng_below(n->r, 5)];
  uint32_t a = program_add_local(n->g, local), b = number(n);
  write_from(n, variable, NIL, program_add_expression(n->g, kind, a, b));
}

/* variable = local + 1, or - 1 */
static void write_next(struct generator *n, uint32_t variable, uint32_t local,
                       enum expression_kind kind) {
  uint32_t a = program_add_local(n->g, local);
  uint32_t b = program_add_number(n->g, 1);
  write_from(n, variable, NIL, program_add_expression(n->g, kind, a, b));
}

/* if (local KIND constant) { ... leave() */
static struct generator enter_if(struct generator *n, uint32_t local,
                                 enum expression_kind kind, uint32_t constant) {
  uint32_t a = program_add_local(n->g, local);
  uint32_t test = program_add_expression(n->g, kind, a, constant);
  uint32_t s = append(n, STATEMENT_IF);
  at(n, s)->a = test;
  return enter(n, s, false);
}

/* t = x; x = t + 1 */
static void add_sum(struct generator *n, uint32_t x, uint32_t t) {
  read_into(n, x, t);
  write_sum(n, x, t);
}

/* t = x; if (t < 2) { x = 2 } */
static void add_maximum(struct generator *n, uint32_t x, uint32_t t) {
  uint32_t limit = number(n);
  read_into(n, x, t);
  struct generator saved = enter_if(n, t, EXPRESSION_LESS, limit);
  write_from(n, x, NIL, limit);
  leave(n, &saved);
}

/* t = y; if (t == 1) { t = x; x = t + 1 } */
static void add_conditional(struct generator *n, uint32_t x, uint32_t t) {
  read_into(n, some_variable(n), t);
  uint32_t constant = near(n);
  struct generator saved = enter_if(
      n, t, chance(n, 70) ? EXPRESSION_EQUAL : EXPRESSION_LESS, constant);
  if (chance(n, 70))
    add_sum(n, x, t);
  else
    write_from(n, x, NIL, number(n));
  leave(n, &saved);
}

/* A bounded buffer: t = x; if (t < 2) { ar[t] = 1; x = t + 1 } */
static void add_put(struct generator *n, uint32_t x, uint32_t t) {
  read_into(n, x, t);
  struct generator saved =
      enter_if(n, t, EXPRESSION_LESS, program_add_number(n->g, 2));
  if (chance(n, 40)) {
    uint32_t array = symbol(n, SYMBOL_VAR, true, 0), item = number(n);
    write_from(n, array, program_add_local(n->g, t), item);
  }
  write_next(n, x, t, EXPRESSION_PLUS);
  leave(n, &saved);
}

/* t = x; if (t > 0) { x = t - 1 } */
static void add_take(struct generator *n, uint32_t x, uint32_t t) {
  read_into(n, x, t);
  struct generator saved =
      enter_if(n, t, EXPRESSION_GREATER, program_add_number(n->g, 0));
  write_next(n, x, t, EXPRESSION_MINUS);
  leave(n, &saved);
}

/* t = x; y = 1 : a look that is forgotten, and a store */
static void add_look(struct generator *n, uint32_t x, uint32_t t) {
  read_into(n, x, t);
  uint32_t other = some_variable(n), stored = number(n);
  write_from(n, other, NIL, stored);
}

static void add_one_update(struct generator *n, uint32_t t) {
  static void (*const kinds[])(struct generator *, uint32_t, uint32_t) = {
      add_sum, add_sum, add_maximum, add_conditional,
      add_put, add_put, add_take,    add_look};
  uint32_t kind = rng_below(n->r, 8), variable = some_variable(n);
  kinds[kind](n, variable, t);
  if (chance(n, 75))
    assign(n, t, program_add_number(n->g, 0));
  else if (chance(n, 70))
    assign(n, t, test_of(n, t));
}

/* One step, or a section under a lock, after which nothing is remembered. */
static void add_update(struct generator *n) {
  uint32_t t = target(n);
  if (n->task) {
    add_one_update(n, t);
    return;
  }
  if (n->k->lock_share && chance(n, 40)) {
    uint32_t mutex = some_object(n, SYMBOL_MUTEX);
    add_object(n, STATEMENT_LOCK, mutex);
    add_one_update(n, t);
    add_unlock(n, mutex);
    return;
  }
  struct generator saved = enter(n, append_step(n, STATEMENT_ATOMIC), false);
  n->atomic = true;
  add_one_update(n, t);
  n->atomic = false;
  leave(n, &saved);
}

/* ---- lists ----------------------------------------------------------------
 */

/* Kinds of piece, with their share here and now. */
enum piece {
  PIECE_READ,
  PIECE_WRITE,
  PIECE_ADD,
  PIECE_EXCHANGE,
  PIECE_CAS,
  PIECE_ARRAY,
  PIECE_LOCK,
  PIECE_TRYLOCK,
  PIECE_RWLOCK,
  PIECE_SEM,
  PIECE_COND,
  PIECE_BRANCH,
  PIECE_LOOP,
  PIECE_ATOMIC,
  PIECE_ASSERT,
  PIECE_CHOOSE,
  PIECE_SPIN,
  PIECE_UPDATE,
  PIECE_ROUND,
  PIECES
};

static void shares(const struct generator *n, uint32_t share[PIECES]) {
  const struct knobs *k = n->k;
  bool known = locals(n) > 0, flat = n->nesting < 2, own = !n->atomic;
  share[PIECE_READ] = k->read_share;
  share[PIECE_WRITE] = k->write_share;
  share[PIECE_ADD] = k->add_share;
  share[PIECE_EXCHANGE] = k->exchange_share;
  share[PIECE_CAS] = k->cas_share;
  share[PIECE_ARRAY] = k->array_share;
  share[PIECE_LOCK] = own ? k->lock_share : 0;
  share[PIECE_TRYLOCK] = own ? k->trylock_share : 0;
  share[PIECE_RWLOCK] = own ? k->rwlock_share : 0;
  share[PIECE_SEM] = own ? k->sem_share : 0;
  share[PIECE_COND] = own ? k->cond_share : 0;
  share[PIECE_BRANCH] = known && flat ? k->branch_share : 0;
  share[PIECE_LOOP] = flat && own ? k->loop_share : 0;
  share[PIECE_ATOMIC] = own ? k->atomic_share : 0;
  share[PIECE_ASSERT] = known ? k->assert_share : 0;
  share[PIECE_CHOOSE] = own ? k->choose_share : 0;
  share[PIECE_SPIN] = own ? k->spin_share : 0;
  share[PIECE_UPDATE] = own || n->task ? k->update_share : 0;
  share[PIECE_ROUND] = flat && own ? k->round_share : 0;
}

static enum piece some_piece(struct generator *n) {
  uint32_t share[PIECES], sum = 0;
  shares(n, share);
  for (int i = 0; i < PIECES; i++)
    sum += share[i];
  uint32_t at_share = rng_below(n->r, sum);
  int i = 0;
  while (at_share >= share[i])
    at_share -= share[i++];
  return (enum piece)i;
}

static void add_piece(struct generator *n) {
  static const uint8_t accesses[] = {STATEMENT_READ, STATEMENT_WRITE,
                                     STATEMENT_ADD, STATEMENT_EXCHANGE,
                                     STATEMENT_CAS};
  static void (*const others[PIECES])(struct generator *) = {
      [PIECE_ARRAY] = add_array,     [PIECE_LOCK] = add_lock,
      [PIECE_TRYLOCK] = add_trylock, [PIECE_RWLOCK] = add_rwlock,
      [PIECE_SEM] = add_sem,         [PIECE_COND] = add_cond,
      [PIECE_BRANCH] = add_branch,   [PIECE_LOOP] = add_loop,
      [PIECE_ATOMIC] = add_atomic,   [PIECE_ASSERT] = add_assert,
      [PIECE_CHOOSE] = add_choose,   [PIECE_SPIN] = add_spin,
      [PIECE_UPDATE] = add_update,   [PIECE_ROUND] = generate_round};
  enum piece piece = some_piece(n);
  if (piece <= PIECE_WRITE && n->k->protect_chance)
    add_data(n);
  else if (piece <= PIECE_CAS)
    add_access(n, accesses[piece]);
  else
    others[piece](n);
}

/* At least one piece, unless the budget is used up. */
static void add_some(struct generator *n, uint32_t most) {
  uint32_t count = 1 + rng_below(n->r, most);
  for (uint32_t i = 0; i < count && (n->atomic || (n->steps && n->total)); i++)
    add_piece(n);
}

/* ---- processes ------------------------------------------------------------
 */

/* Some processes are created, and perhaps joined, by one before them.  The
 * create comes after a random part of the creator, the join after the rest. */
static void add_creations(struct generator *n, bool *created, bool *joined) {
  uint32_t count = (uint32_t)n->g->processes.size;
  for (uint32_t p = n->process + 1; p < count; p++)
    if (!created[p] && chance(n, n->k->create_chance)) {
      at(n, append(n, STATEMENT_CREATE))->symbol = p;
      created[p] = true;
      joined[p] = chance(n, n->k->join_chance);
    } else {
      joined[p] = false;
    }
}

static void make_process(struct generator *n, bool *created) {
  bool joined[8];
  n->last = NIL;
  n->list = LIST_PROCESS;
  n->g->processes.at[n->process].first_local = (uint32_t)n->g->locals.size;
  n->steps = 1 + rng_below(n->r, n->k->steps_most);
  if (chance(n, 30) && n->total)
    add_piece(n);
  add_creations(n, created, joined);
  while (n->steps && n->total)
    add_piece(n);
  for (uint32_t p = n->process + 1; p < n->g->processes.size; p++)
    if (joined[p])
      at(n, append(n, STATEMENT_JOIN))->symbol = p;
  if (chance(n, 10) && n->total && n->k->join_chance && n->process)
    at(n, append(n, STATEMENT_JOIN))->symbol = rng_below(n->r, n->process);
  if (n->last != NIL && chance(n, 10) && n->k->join_chance) {
    if (n->k->protect_chance)
      add_data(n);
    else
      add_access(n, STATEMENT_READ);
  }
}

/* Two actors have most of the tasks. */
static void choose_actor(struct generator *n) {
  static const char *const names[] = {"one", "two"};
  if (!n->k->fifo_chance)
    return;
  uint32_t which = rng_below(n->r, 2);
  uint32_t actor = program_actor(n->g, names[which], 3);
  if (chance(n, n->k->fifo_chance))
    n->g->actors.at[actor].fifo = true;
  if (chance(n, 90))
    n->g->processes.at[n->process].actor = actor;
}

/* A task sends messages to some tasks that have none yet, and awaits some of
 * these. */
static void make_task(struct generator *n, bool *created) {
  bool joined[8];
  n->last = NIL;
  n->list = LIST_PROCESS;
  n->g->processes.at[n->process].first_local = (uint32_t)n->g->locals.size;
  program_make_task(n->g, n->process);
  choose_actor(n);
  n->atomic = n->task = true;
  if (chance(n, 60))
    add_some(n, n->k->tasks);
  add_creations(n, created, joined);
  if (n->last == NIL || chance(n, 60))
    add_some(n, n->k->tasks);
  for (uint32_t p = n->process + 1; p < n->g->processes.size; p++)
    if (joined[p]) {
      at(n, append(n, STATEMENT_JOIN))->symbol = p;
      if (chance(n, 75))
        add_some(n, n->k->tasks);
    }
  n->atomic = n->task = false;
}

/* The last process waits for most of the others and looks at what they left. */
static void make_reader(struct generator *n) {
  n->last = NIL;
  n->list = LIST_PROCESS;
  n->g->processes.at[n->process].first_local = (uint32_t)n->g->locals.size;
  bool all = chance_if_set(n, n->k->join_all_chance);
  for (uint32_t p = 0; p < n->process; p++)
    if (all || chance(n, 80))
      at(n, append(n, STATEMENT_JOIN))->symbol = p;
  uint32_t count = rng_between(n->r, 1, 3);
  for (uint32_t i = 0; i < count; i++)
    add_access(n, chance(n, 85) ? STATEMENT_READ : STATEMENT_CAS);
}

/* A dial that a profile leaves alone. */
static void set_default(uint8_t *dial, uint8_t value) {
  if (!*dial)
    *dial = value;
}

static struct knobs with_defaults(const struct knobs *k) {
  struct knobs full = *k;
  set_default(&full.processes_least, 2);
  set_default(&full.processes_most, 4);
  set_default(&full.steps_most, 4);
  set_default(&full.total_most, 9);
  set_default(&full.variables, 3);
  set_default(&full.values, 3);
  set_default(&full.objects, 2);
  set_default(&full.copy_chance, 15);
  set_default(&full.unlock_chance, 95);
  set_default(&full.keep_chance, 60);
  return full;
}

/* Equal values are written, and compare-and-swaps succeed, only where there
 * are few values: one to three different ones out of 0 to 3. */
static void choose_values(struct generator *n) {
  if (!chance_if_set(n, n->k->few_chance))
    return;
  n->few = rng_between(n->r, 1, FEW);
  for (uint32_t i = 0; i < n->few; i++)
    n->few_values[i] = rng_below(n->r, 4);
}

void generate(struct program *g, const struct knobs *k, struct rng *r) {
  struct knobs full = with_defaults(k);
  struct generator n = {.g = g, .k = &full, .r = r, .total = full.total_most};
  static const char names[] = "pqrstuvw";
  bool created[8] = {false};
  struct model_error error;
  program_clear(g);
  choose_values(&n);
  uint32_t count = rng_between(r, full.processes_least, full.processes_most);
  bool reader = full.reader_chance && chance(&n, full.reader_chance);
  for (uint32_t p = 0; p < count + reader; p++)
    program_add_process(g, program_add_name(g, &names[p], 1), 0);
  if (reader)
    created[count] = true; /* it is there from the start */
  for (n.process = 0; n.process < count; n.process++)
    if (full.endless)
      generate_endless(&n);
    else if (full.tasks)
      make_task(&n, created);
    else
      make_process(&n, created);
  if (reader)
    make_reader(&n);
  if (full.half_chance)
    generate_halves(g, full.half_chance, r);
  ensure(program_compile(g, &error));
}

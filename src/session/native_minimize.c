/* Searching for a small schedule that leads to a finding which is known.
 *
 * The command asks in two ways, each in a process of its own.
 *
 * WIRE_SEEK explores within a bound on preemptions.  Every schedule that leads
 * to the finding and is shorter than those before is sent, and longer
 * executions are cut from then on.  `naive` is asked as well, since it alone
 * keeps a bound exactly; its steps are those of the other algorithms.
 *
 * WIRE_REGROUP takes a given schedule, and then the same events in other
 * orders that lead to the same finding: events that the finding does not
 * follow from are left out, and each thread goes on as long as it can.  Of
 * several orders the one with the fewest preemptions is sent, and of those the
 * shortest. */
#include "session/native_minimize.h"

#include <string.h>

#include "core/target.h"
#include "explore/algorithms.h"
#include "system/native/engine/engine.h"
#include "util/ensure.h"

/* ---- is it the finding? ---------------------------------------------------
 */

/* As the command's run_offset(). */
static uint64_t offset_in_file(uint64_t pc) {
  uint64_t bias = 0;
  for (size_t i = 0; i < modules()->size; i++)
    if (modules()->at[i].bias <= pc && modules()->at[i].bias > bias)
      bias = modules()->at[i].bias;
  return pc - bias;
}

static bool is_target(const struct session *s, const struct finding *f) {
  struct wire_target found = {.kind = f->kind,
                              .line = f->line,
                              .pc = offset_in_file(f->pc),
                              .other_pc = offset_in_file(f->other_pc),
                              .texts =
                                  target_texts(f->kind, f->file, f->message)};
  return target_same(&s->control->target, &found);
}

/* ---- seeking --------------------------------------------------------------
 */

/* keep */
static struct {
  uint64_t shortest; /* moves of the last schedule sent; 0: none */
  uint64_t budget;   /* steps at which the search ends */
} seek;

/* A schedule in hand, so many steps more are spent on a shorter one. */
enum { FEWEST_MORE = 20000 };

static void spend_no_more(const struct explorer *x) {
  uint64_t more = x->counters->steps;
  if (more < FEWEST_MORE)
    more = FEWEST_MORE;
  if (seek.budget > x->counters->steps + more)
    seek.budget = x->counters->steps + more;
}

static void cut_longer(struct session *s) {
  size_t length = trace_length(&s->x->trace);
  s->control->options.max_steps = length > 1 ? length - 1 : 1;
}

static void seek_finding(void *context, const struct explorer *x,
                         const struct finding *f, bool warning) {
  struct session *s = context;
  if (!is_target(s, f))
    return;
  uint32_t moves = session_write_schedule(s, &x->trace, f);
  if (seek.shortest && moves >= seek.shortest)
    return;
  session_send_finding(s, f, warning, 0);
  if (!seek.shortest)
    spend_no_more(x);
  cut_longer(s);
  seek.shortest = moves;
}

static bool seek_stop(void *context) {
  const struct session *s = context;
  return __atomic_load_n(&s->control->stop, __ATOMIC_RELAXED) ||
         s->x->counters->steps >= seek.budget;
}

static void seek_begin(struct session *s) {
  static struct algorithm coarse;
  seek.budget = s->control->budget;
  s->control->options.keep_going = 1;
  s->x->listener.finding = seek_finding;
  s->x->listener.stop = seek_stop;
  if (s->x->algorithm && s->x->algorithm->finest) {
    coarse = *s->x->algorithm;
    coarse.finest = false;
    s->x->algorithm = &coarse;
  }
}

/* ---- regrouping: which orders ---------------------------------------------
 */

/* Which thread goes on where the one at hand cannot. */
enum next_thread {
  NEXT_AS_BEFORE, /* the one that was first in the given schedule */
  NEXT_LONGEST,   /* the one that can take the most steps */
  NEXT_LAST,      /* the one with the highest number */
  NEXT_THREADS
};

/* keep.  Moves with MOVE_LOCAL, as in a given schedule. */
struct order {
  VEC(struct move) moves;
};

/* keep */
static struct {
  struct session *s;
  VEC(struct order) orders;
  size_t turn; /* the order that is being run */
  size_t at;   /* its next move */
  bool found;  /* it leads to the finding */
  uint32_t preemptions;
  size_t best;        /* the best order so far ... */
  uint32_t fewest;    /* ... and its preemptions */
  bool telling;       /* the best order is run once more, to be sent */
  VEC(uint32_t) done; /* by thread: events that the new order has */
  VEC(uint32_t) ends; /* by thread: events that it is to have */
} regroup;

static const struct trace *the_trace(void) {
  return &regroup.s->x->trace;
}

/* The next event of the thread in the new order, or NULL if there is none. */
static const struct event *next_event(uint32_t p, uint32_t done) {
  const struct trace *t = the_trace();
  if (done >= regroup.ends.at[p])
    return NULL;
  return &t->events.at[process_event(t, p, done + 1)];
}

/* Do all events that happen before it come before it in the new order? */
static bool is_ready(const struct event *e) {
  for (uint32_t q = 0; e && q < regroup.done.size; q++)
    if (q != e->proc && events_before(the_trace(), e, q) > regroup.done.at[q])
      return false;
  return e;
}

/* How many events the thread could take now. */
static uint32_t run_length(uint32_t p) {
  uint32_t done = regroup.done.at[p];
  while (is_ready(next_event(p, done)))
    done++;
  return done - regroup.done.at[p];
}

/* Is it better to go on with p than with the thread chosen so far? */
static bool is_better(enum next_thread rule, uint32_t p, uint32_t chosen) {
  const struct event *e = next_event(p, regroup.done.at[p]);
  if (!is_ready(e))
    return false;
  if (chosen == NOWHERE || rule == NEXT_LAST)
    return true;
  if (rule == NEXT_LONGEST)
    return run_length(p) > run_length(chosen);
  return e < next_event(chosen, regroup.done.at[chosen]);
}

static uint32_t next_thread(enum next_thread rule, uint32_t last) {
  uint32_t chosen = NOWHERE;
  if (last != NOWHERE && is_ready(next_event(last, regroup.done.at[last])))
    return last;
  for (uint32_t p = 0; p < regroup.done.size; p++)
    if (is_better(rule, p, chosen))
      chosen = p;
  return chosen;
}

static struct move move_of(const struct event *e) {
  size_t position = (size_t)(e - the_trace()->events.at);
  return (struct move){e->proc, e->choice | regroup.s->local.at[position]};
}

static void add_order(enum next_thread rule) {
  struct order order = {0};
  for (size_t p = 0; p < regroup.done.size; p++)
    regroup.done.at[p] = 0;
  for (uint32_t p = NOWHERE; (p = next_thread(rule, p)) != NOWHERE;)
    VEC_PUSH(order.moves, move_of(next_event(p, regroup.done.at[p]++)));
  VEC_PUSH(regroup.orders, order);
}

static void add_orders(void) {
  for (int rule = 0; rule < NEXT_THREADS; rule++)
    add_order((enum next_thread)rule);
}

/* Events that the newest event does not follow from are not needed. */
static void add_orders_of_cone(void) {
  const struct trace *t = the_trace();
  for (uint32_t p = 0; p < regroup.ends.size; p++)
    regroup.ends.at[p] = events_before(t, &VEC_TOP(t->events), p);
  add_orders();
}

static bool is_stuck(uint32_t kind) {
  return kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK;
}

/* The given schedule has led to the finding: its trace is at hand. */
static void find_orders(void) {
  const struct trace *t = the_trace();
  uint32_t processes = regroup.s->x->system->processes;
  for (uint32_t p = 0; p < processes; p++) {
    VEC_PUSH(regroup.done, 0);
    VEC_PUSH(regroup.ends, process_length(t, p));
  }
  add_orders();
  if (!is_stuck(regroup.s->control->kind))
    add_orders_of_cone();
}

/* ---- regrouping: running them ---------------------------------------------
 */

static void begin_order(size_t turn) {
  struct explorer *x = regroup.s->x;
  memset(x->known_races, 0xff, sizeof x->known_races); /* to be told again */
  regroup.turn = turn;
  regroup.at = 0;
  regroup.found = false;
  regroup.preemptions = 0;
  regroup.s->local.size = 0;
}

static void *regroup_create(struct explorer *x) {
  regroup.s = x->listener.context;
  struct order given = {0};
  for (uint64_t i = 0; i < regroup.s->control->moves; i++)
    VEC_PUSH(given.moves, session_moves(regroup.s)[i]);
  VEC_PUSH(regroup.orders, given);
  begin_order(0);
  return &regroup;
}

static void regroup_destroy(void *state) {
  (void)state;
  for (size_t i = 0; i < regroup.orders.size; i++)
    VEC_FREE(regroup.orders.at[i].moves);
  VEC_FREE(regroup.orders);
  VEC_FREE(regroup.done);
  VEC_FREE(regroup.ends);
}

static bool is_enabled(uint32_t p) {
  struct system *system = regroup.s->x->system;
  return p < system->processes && system->ops->enabled(system, p);
}

/* The order is at its end.  A deadlock is one if no thread can go on. */
static enum pick regroup_end(void) {
  for (uint32_t p = 0; p < regroup.s->x->system->processes; p++)
    if (is_enabled(p))
      return PICK_CUT;
  return PICK_END;
}

static enum pick regroup_pick(void *state, struct move *move) {
  (void)state;
  const struct order *order = &regroup.orders.at[regroup.turn];
  if (regroup.at == order->moves.size)
    return regroup_end();
  *move = order->moves.at[regroup.at++];
  VEC_PUSH(regroup.s->local, move->choice & MOVE_LOCAL);
  move->choice &= ~MOVE_FLAGS;
  if (!is_enabled(move->proc))
    return PICK_CUT;
  regroup.preemptions += session_preempts(regroup.s->x, move->proc);
  return PICK_MOVE;
}

static void regroup_stepped(void *state) {
  (void)state;
}

static void regroup_ended(void *state, enum pick why) {
  (void)state;
  (void)why;
}

/* What comes after the finding is not needed. */
static void regroup_finding(void *context, const struct explorer *x,
                            const struct finding *f, bool warning) {
  struct session *s = context;
  if (regroup.found || !is_target(s, f))
    return;
  regroup.found = true;
  regroup.orders.at[regroup.turn].moves.size = regroup.at;
  if (!regroup.telling)
    return;
  session_write_schedule(s, &x->trace, f);
  session_send_finding(s, f, warning, regroup.preemptions);
}

static void keep_best(void) {
  size_t length = regroup.orders.at[regroup.turn].moves.size;
  if (regroup.turn && (regroup.preemptions > regroup.fewest ||
                       (regroup.preemptions == regroup.fewest &&
                        length >= regroup.orders.at[regroup.best].moves.size)))
    return;
  regroup.best = regroup.turn;
  regroup.fewest = regroup.preemptions;
}

/* All orders by turns, then the best again. */
static bool regroup_retreat(void *state, size_t *length) {
  (void)state;
  *length = 0;
  if (regroup.telling || (!regroup.turn && !regroup.found))
    return false;
  if (regroup.found)
    keep_best();
  if (!regroup.turn)
    find_orders();
  regroup.telling = regroup.turn + 1 == regroup.orders.size;
  begin_order(regroup.telling ? regroup.best : regroup.turn + 1);
  return true;
}

static const struct algorithm regroup_algorithm = {.name = "regroup",
                                                   .finest = true,
                                                   .follows = true,
                                                   .create = regroup_create,
                                                   .destroy = regroup_destroy,
                                                   .pick = regroup_pick,
                                                   .stepped = regroup_stepped,
                                                   .ended = regroup_ended,
                                                   .retreat = regroup_retreat};

/* ---- the way in -----------------------------------------------------------
 */

void minimize_begin(struct session *s) {
  if (s->control->mode == WIRE_SEEK) {
    seek_begin(s);
    return;
  }
  s->x->algorithm = &regroup_algorithm;
  s->x->listener.finding = regroup_finding;
}

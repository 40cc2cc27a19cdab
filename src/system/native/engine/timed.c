/* Loops around timed waits.
 *
 *   while (!ready)
 *     pthread_cond_timedwait(&changed, &mutex, &deadline);
 *
 * Each wait may end by time.  If the thread then only looks and waits again,
 * nothing is different, but that it was not in the queue for a while: a signal
 * in between has missed it.  So from the moment on that such a round was seen
 * (engine.misses)
 *
 *   - the end of a wait by time and the lock of the mutex behind it are one
 *     step, a look under a lock (polling.c).  It is not enabled as long as the
 *     thread would only wait again;
 *   - a signal may miss the threads in the queue if all of them are in such
 *     waits, and a broadcast any of them.  Their waits have ended by time then,
 *     and each of them locks the mutex, whatever it finds (sync_cond.c).
 *
 * Why nothing is lost: take any execution.  The end of a wait by time has an
 * effect on others only if a signal finds no thread in the queue, or comes to
 * all that are there.  Move it behind all other steps, up to the lock behind it
 * or to just before the first such signal.  Then leave out the rounds in vain
 * in which no signal was missed: as for other looks under a lock, no thread can
 * tell that the mutex was held in them, or polling.c makes the lock an ordinary
 * one.  What is left is an execution of the program with the rules above, with
 * the same outcome.  All its executions are real: a signal that misses a thread
 * is one that comes just behind the end of its wait.
 *
 * Everything is in the order of operations on the mutex: a signal looks at
 * the mutex of the waiting threads, too.
 *
 * A thread waits again as it did before if it has come to the head of a loop in
 * the same state, its own memory included, and has read the same since then.
 */
#include "timed.h"

#include <string.h>

#include "learnt.h"
#include "own.h"
#include "polling.h"
#include "round.h"

/* ---- the same state? ----------------------------------------------------- */

static const struct record *step_at(uint32_t one_more) {
  return one_more ? &engine.steps.at[one_more - 1] : NULL;
}

static const struct round *round_at(uint32_t one_more) {
  return one_more ? &engine.rounds.at[one_more - 1] : NULL;
}

/* The thread's first fields before the step. */
static const struct thread *before(const struct record *r) {
  return (const struct thread *)(const void *)r->saved;
}

static bool only_looks(const struct record *r) {
  return round_goes_on(r) && r->op != OP_CHOOSE && r->op != OP_INPUT;
}

/* The step with which a wait by time ended, `step` being the thread's last. */
static uint32_t lock_before(uint32_t step) {
  while (step && only_looks(step_at(step)))
    step = step_at(step)->previous;
  return step && step_at(step)->op == OP_LOCK ? step : 0;
}

/* The step with which that wait began. */
static uint32_t wait_before(uint32_t lock) {
  uint64_t pc = step_at(lock)->pc;
  uint32_t step = step_at(lock)->previous;
  bool told = step_at(lock)->signal;
  if (step && step_at(step)->op == OP_TIMEOUT) {
    told = step_at(step)->signal;
    step = step_at(step)->previous;
  }
  if (told)
    return 0;
  return step && step_at(step)->op == OP_WAIT && step_at(step)->pc == pc ? step
                                                                         : 0;
}

static bool same_bytes(uint32_t a, uint32_t b, const struct access *access) {
  for (uint32_t done = 0; done < access->size;) {
    unsigned char then[64], now[64];
    uint32_t part = access->size - done;
    if (part > sizeof now)
      part = sizeof now;
    undo_bytes_before(a - 1, access->addr + done, then, part);
    undo_bytes_before(b - 1, access->addr + done, now, part);
    if (memcmp(then, now, part) != 0)
      return false;
    done += part;
  }
  return true;
}

/* Of what was once on a stack the log tells only what hooks wrote.  In a replay
 * accesses of a thread to its own stack are steps; own_was_same() compares
 * them. */
static bool is_local_in_replay(const struct record *r, const struct access *a) {
  const struct thread *t = thread_get(r->thread);
  return engine.following && a->addr >= (uintptr_t)t->stack_low &&
         a->addr < (uintptr_t)t->stack_base;
}

/* Two steps that look: have they read the same?  Writes are of memory of the
 * thread's own: see round_goes_on(). */
static bool same_look(uint32_t a, uint32_t b) {
  const struct record *x = step_at(a), *y = step_at(b);
  if (x->op != y->op || x->pc != y->pc || x->accesses != y->accesses)
    return false;
  for (uint32_t i = 0; i < x->accesses && x->op != OP_WRITE; i++) {
    const struct access *p = &engine.accesses.at[x->first + i],
                        *q = &engine.accesses.at[y->first + i];
    if (p->addr != q->addr || p->size != q->size ||
        (!is_local_in_replay(x, p) && !same_bytes(a, b, p)))
      return false;
  }
  return true;
}

/* The looks up to a, and those up to b. */
static bool same_looks(uint32_t a, uint32_t since_a, uint32_t b,
                       uint32_t since_b) {
  while (a > since_a && b > since_b) {
    if (!same_look(a, b))
      return false;
    a = step_at(a)->previous;
    b = step_at(b)->previous;
  }
  return a <= since_a && b <= since_b;
}

static bool is_same_loop(const struct round *a, const struct round *b) {
  return a->pc == b->pc && a->frame == b->frame;
}

static bool same_values(const struct round *a, const struct round *b) {
  return !a->counts && a->values == b->values &&
         memcmp(a->value, b->value, a->values * sizeof *a->value) == 0;
}

/* Was this loop entered in one of these rounds? */
static bool entered(const struct round *loop, uint32_t rounds) {
  for (const struct round *r = round_at(rounds); r; r = round_at(r->older))
    if (is_same_loop(r, loop) && r->enters)
      return true;
  return false;
}

static const struct round *latest(const struct round *loop, uint32_t rounds) {
  const struct round *r = round_at(rounds);
  while (r && !is_same_loop(r, loop))
    r = round_at(r->older);
  return r;
}

/* Is there a loop around both waits whose head the thread passed with the same
 * values before each of them, and read the same behind it? */
static bool same_way(const struct thread *t, const struct thread *at,
                     const struct record *wait) {
  const struct access *objects = &engine.accesses.at[wait->first];
  const struct thread *then = before(wait);
  for (const struct round *now = round_at(at->rounds); now;
       now = round_at(now->older)) {
    const struct round *old = latest(now, then->rounds);
    if (old && !entered(now, at->rounds) && latest(now, at->rounds) == now &&
        same_values(now, old) &&
        same_looks(wait->previous, old->step, at->last_step, now->step) &&
        own_was_same(t, old, now, objects, wait->accesses))
      return true;
  }
  return false;
}

bool timed_goes_round(const struct thread *t, const struct thread *at) {
  uint32_t lock = lock_before(at->last_step);
  uint32_t wait = lock ? wait_before(lock) : 0;
  if (!wait || at->changed >= lock)
    return false;
  const struct record *w = step_at(wait);
  return before(w)->sp == at->sp &&
         before(w)->error_number == at->error_number && same_way(t, at, w);
}

/* No other thread takes a step in a trial, so no signal comes. */
bool timed_is_part(const struct record *r) {
  return engine.following && (r->op == OP_WAIT || r->op == OP_TIMEOUT);
}

bool timed_went_round(const struct thread *t, const struct record *r) {
  return timed_is_part(r) && r->op == OP_WAIT && timed_goes_round(t, before(r));
}

/* ---- what is known ------------------------------------------------------- */

/* keep */
struct timed_condition {
  uint64_t condition;
  uint64_t mutex;
};

static VEC(struct timed_condition) conditions;
static bool given_up; /* keep: a condition variable has had two mutexes, or its
                         mutex is an ordinary lock */

/* Some algorithms leave writes without an order. */
static void order(const void *mutex) {
  struct access a = {(uintptr_t)mutex, OBJECT_SIZE, 0};
  if (engine.unordered && !blind_never(&a))
    blind_never_again(&a);
}

/* The mutex is in the footprint of a wait, too. */
static void *mutex_of(const struct record *wait) {
  return (void *)(uintptr_t)engine.accesses.at[wait->first + 1].addr;
}

static bool may_be_left_out(const struct record *wait) {
  return engine.holding && engine.joins && !engine.parts && !engine.apart &&
         !engine.trying && !engine.following && !engine.misses && !given_up &&
         !engine.writes_decide &&
         !polling_is_ordinary((uintptr_t)mutex_of(wait));
}

void timed_begins(void) {
  const struct record *r = &VEC_TOP(engine.steps);
  if (engine.mode != MODE_EXPLORE || self->atomic_depth ||
      !may_be_left_out(r) || !timed_goes_round(self, before(r)))
    return;
  engine.misses = engine.stale = true;
  order(mutex_of(r));
}

static struct timed_condition *find(const void *condition) {
  for (size_t i = 0; i < conditions.size; i++)
    if (conditions.at[i].condition == (uintptr_t)condition)
      return &conditions.at[i];
  return NULL;
}

void *timed_mutex(const void *condition) {
  const struct timed_condition *c = engine.misses ? find(condition) : NULL;
  return c ? (void *)(uintptr_t)c->mutex : NULL;
}

static void give_up(void) {
  engine.stale = engine.stale || engine.misses;
  given_up = true;
  engine.misses = false;
}

/* When a schedule is followed the order of steps is given. */
void timed_use(const void *condition, const void *mutex) {
  const struct timed_condition *c = find(condition);
  if (engine.following || !engine.holding)
    return;
  if (engine.misses)
    order(mutex);
  if (c && c->mutex == (uintptr_t)mutex)
    return;
  engine.stale = engine.stale || engine.misses;
  if (!c) {
    VEC_PUSH(conditions,
             (struct timed_condition){(uintptr_t)condition, (uintptr_t)mutex});
  } else {
    give_up();
  }
}

void timed_lock_is_ordinary(uint64_t mutex) {
  for (size_t i = 0; i < conditions.size && engine.misses; i++)
    if (conditions.at[i].mutex == mutex)
      give_up();
}

void timed_learnt(struct packed *p) {
  PACKED(p, engine.misses);
  PACKED(p, given_up);
  PACKED_VEC(p, conditions);
}

/* Joins that follow each other, as one step.
 *
 *   for (i = 0; i < N; i++)
 *     pthread_join(threads[i], 0);
 *
 * Such joins are at the end of almost every execution, and would be most of
 * its steps.  A join touches nothing and commutes with all that other threads
 * do, as long as no other thread joins or detaches the same thread.  So it can
 * wait: the first join of the chain is taken when all threads of the chain have
 * ended, and the others are part of its step.  The step has the end of each of
 * these threads as a cause.
 *
 * Whether a thread will go on with another join is not known while it waits for
 * the first.  It is learnt: when join B has followed join A without a step
 * between, it is expected to do so always.  The search begins anew with that
 * (`stale`).  If something else follows A, ever, the link is given up for good,
 * and the search begins anew.
 *
 * Why nothing is lost: take an execution in which join A is followed by
 * something other than join B, up to A.  The search explores an equivalent
 * beginning, without A, and executions that go on from there.  In such an
 * execution B's thread ends, and A is taken and found to be followed by that;
 * or it never ends, and at the end there is a thread that waits at A although
 * A's thread has ended.  Then the link is given up, too.
 *
 * Threads of a chain have rising numbers, so there are no rings.
 */
#include "join_chain.h"

#include "system/native/engine/engine.h"
#include "system/native/engine/learnt.h"
#include "system/native/engine/timekeeping.h"

enum { UNKNOWN, NONE = UINT32_MAX };

/* keep: by the number of the joined thread, that of the next one. */
static uint32_t next[NATIVE_THREADS];
static bool any; /* have any been there? */

/* keep */
static bool given_up;   /* no links any more */
static bool settled;    /* no new ones */
static bool wrong;      /* one was given up since the search began */
static bool stuck;      /* one was, in an execution that has ended */
static bool asked;      /* because of links it is to begin anew ... */
static bool only_asked; /* ... and for no other reason */

static void begin_anew(void) {
  only_asked = asked ? only_asked : !engine.stale;
  asked = engine.stale = true;
}

bool join_chain_allows(const struct thread *target, bool shows) {
  return engine.gathers && !engine.finest && !shows && target->id &&
         !self->atomic_depth && !given_up &&
         !(step_extras & (EXTRA_SIGNALS | EXTRA_CANCELS));
}

const struct thread *join_chain_next(const struct thread *t) {
  uint32_t id = next[t->id];
  return id == UNKNOWN || id == NONE ? NULL : engine.threads[id];
}

static void follow(const struct thread *target) {
  const struct thread *t = join_chain_next(target);
  engine.joined = target->id;
  engine.to_join = t ? t->id : 0;
}

/* Links are learnt in the first steps of the search, so that little was
 * explored in vain.  Later, and while others rely on what is known, they are
 * only given up. */
enum { FIRST_STEPS = 20000 };

static void learn(uint32_t before, uint32_t id) {
  if (next[before] != UNKNOWN || before >= id || engine.frozen || settled ||
      engine.entries > FIRST_STEPS)
    return;
  next[before] = id;
  any = true;
  begin_anew();
}

bool join_chain_goes_on(const struct thread *target) {
  if (engine.to_join == target->id) {
    follow(target);
    return true;
  }
  if (engine.joined && !engine.to_join)
    learn(engine.joined, target->id);
  return false;
}

void join_chain_begins(const struct thread *target) {
  follow(target);
}

static void give_up(uint32_t id) {
  next[id] = NONE;
  wrong = true;
  begin_anew();
}

void join_chain_broken(void) {
  give_up(engine.joined);
}

static bool can_be_joined(const struct thread *t) {
  return t->state == THREAD_ENDED || t->outlives;
}

/* Is it the first join of a chain of which not all threads have ended?  Gives
 * up the links that are in its way. */
static bool give_up_for(const struct operation *op) {
  const struct thread *at = op->object, *then = join_chain_next(at);
  if (!can_be_joined(at) || !then || op->ready(op))
    return false;
  for (; then && can_be_joined(at); at = then, then = join_chain_next(at))
    give_up(at->id);
  return true;
}

bool join_chain_is_stuck(void) {
  for (unsigned i = 0; any && i < engine.thread_count; i++) {
    const struct thread *t = engine.threads[i];
    if (t->state == THREAD_RUNNING && t->pending && t->pending->op == OP_JOIN)
      stuck |= give_up_for(t->pending);
  }
  return stuck;
}

bool join_chain_restart(bool finest) {
  bool coarse = finest && asked && only_asked;
  settled = settled || coarse;
  given_up = given_up || (coarse && wrong);
  asked = wrong = stuck = false;
  return coarse;
}

void join_chain_learnt(struct packed *p) {
  PACKED(p, given_up);
  for (uint32_t id = 1; id < thread_count() && !p->bad; id++)
    PACKED(p, next[id]);
  PACKED(p, any);
}

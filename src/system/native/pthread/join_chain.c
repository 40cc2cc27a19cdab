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

#include <string.h>

uint32_t join_chain_next[NATIVE_THREADS];
bool join_chain_given_up;
static bool any; /* have any links been there? */

/* keep: by the first thread of a chain, one that had not ended when that was
 * last asked, or 0. */
static uint32_t awaited[NATIVE_THREADS];

/* keep */
static bool settled;    /* no new ones */
static bool wrong;      /* one was given up since the search began */
static bool stuck;      /* one was, in an execution that has ended */
static bool asked;      /* because of links it is to begin anew ... */
static bool only_asked; /* ... and for no other reason */

static void begin_anew(void) {
  only_asked = asked ? only_asked : !engine.stale;
  asked = engine.stale = true;
}

static const struct thread *next_of(const struct thread *t) {
  uint32_t id = join_chain_next[t->id];
  return id == JOIN_UNKNOWN || id == JOIN_NONE ? NULL : engine.threads[id];
}

/* The last thread of the chain that has not ended, or 0. */
static uint32_t last_running(const struct thread *t) {
  uint32_t last = 0;
  for (; t; t = next_of(t))
    if (!thread_can_be_joined(t))
      last = t->id;
  return last;
}

/* The last threads end last, as a rule. */
bool join_chain_has_ended(const struct thread *first) {
  uint32_t *known = &awaited[first->id];
  if (*known && !thread_can_be_joined(engine.threads[*known])) {
    ensure(!HOSTILE || last_running(first));
    return false;
  }
  uint32_t last = last_running(first);
  if (last)
    *known = last;
  return !last;
}

/* Links are learnt in the first steps of the search, so that little was
 * explored in vain.  Later, and while others rely on what is known, they are
 * only given up. */
enum { FIRST_STEPS = 20000 };

void join_chain_learn(uint32_t before, uint32_t id) {
  if (join_chain_next[before] != JOIN_UNKNOWN || before >= id ||
      engine.frozen || settled || engine.entries > FIRST_STEPS)
    return;
  join_chain_next[before] = id;
  any = true;
  begin_anew();
}

static void give_up(uint32_t id) {
  join_chain_next[id] = JOIN_NONE;
  memset(awaited, 0, sizeof awaited); /* some may be in no chain now */
  wrong = true;
  begin_anew();
}

void join_chain_broken(void) {
  give_up(engine.joined);
}

/* Is it the first join of a chain of which not all threads have ended?  Gives
 * up the links that are in its way. */
static bool give_up_for(const struct operation *op) {
  const struct thread *at = op->object, *then = next_of(at);
  if (!thread_can_be_joined(at) || !then || op->ready(op))
    return false;
  for (; then && thread_can_be_joined(at); at = then, then = next_of(at))
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
  join_chain_given_up = join_chain_given_up || (coarse && wrong);
  asked = wrong = stuck = false;
  return coarse;
}

void join_chain_learnt(struct packed *p) {
  PACKED(p, join_chain_given_up);
  for (uint32_t id = 1; id < thread_count() && !p->bad; id++)
    PACKED(p, join_chain_next[id]);
  PACKED(p, any);
  memset(awaited, 0, sizeof awaited);
}

/* What is left out on purpose: limits, and preemptions beyond the number
 * allowed.  A search that leaves something out says so in its result.
 */
#include "core/search.h"

#include <string.h>

#include "core/search_parts.h"
#include "util/ensure.h"

/* ---- limits ---------------------------------------------------------------
 */

void explorer_limit(struct explorer *x, const char *which) {
  for (unsigned i = 0; i < x->limit_count; i++)
    if (!strcmp(x->limits[i], which))
      return;
  ensure(x->limit_count < EXPLORER_LIMITS);
  x->limits[x->limit_count++] = which;
}

bool explorer_out_of_budget(struct explorer *x) {
  if (x->counters->executions >= x->options->max_executions) {
    explorer_limit(x, "--max-executions");
    return true;
  }
  return x->listener.stop(x->listener.context);
}

/* Most accesses between two questions to the listener. */
enum { UNWATCHED = 1024 };

bool explorer_must_end(struct explorer *x) {
  if (!x->stopped && !x->keeps)
    x->stopped = ++x->unwatched >= UNWATCHED && explorer_asked_to_stop(x);
  return x->stopped;
}

bool explorer_asked_to_stop(struct explorer *x) {
  if (x->unwatched < UNWATCHED)
    return false;
  x->unwatched = 0;
  return x->listener.stop(x->listener.context);
}

/* ---- preemptions ----------------------------------------------------------
 */

uint32_t explorer_preemptions(const struct explorer *x, uint32_t proc) {
  if (!x->preemptions.size)
    return 0;
  uint32_t last = VEC_TOP(x->trace.events).proc;
  return VEC_TOP(x->preemptions) +
         (proc != last && x->system->ops->enabled(x->system, last));
}

bool explorer_allows(const struct explorer *x, uint32_t proc) {
  return !explorer_is_bounded(x) ||
         explorer_preemptions(x, proc) <= x->options->preemptions;
}

void explorer_leave_out(struct explorer *x, uint64_t moves) {
  if (!moves)
    return;
  x->counters->bounded += moves;
  explorer_limit(x, "--preemptions");
}

/* ---- what an algorithm cannot do ------------------------------------------
 */

const char *explorer_refuses(const struct algorithm *a,
                             const struct options *o) {
  if (!a)
    return "no algorithm of that name";
  if (o->interfere == INTERFERE_LOCKS && o->races == RACES_OFF)
    return "--interfere=locks needs data races to be looked for: it is only "
           "right if there are none; leave out --races=off";
  if (o->interfere == INTERFERE_LOCKS && a->observes)
    return "--interfere=locks: this algorithm must see every read of data; use "
           "--algo optimal";
  if (o->preemptions != UINT64_MAX && !(a->takes & TAKES_PREEMPTIONS))
    return "--preemptions: this algorithm cannot bound them; use --algo "
           "optimal, source, dpor or naive";
  if (o->skip != SKIP_DEFAULT && !(a->takes & TAKES_SKIP))
    return "--skip: this algorithm has no trees of events; use --algo unfold "
           "or quasi=K";
  if (o->jobs > 1 && (!a->give || a->alone))
    return "--jobs: this algorithm cannot share its search; use --algo pop, "
           "dc, source, dpor, naive, stateful or samples";
  if (o->jobs > MOST_JOBS)
    return "--jobs: no more than 1024";
  if (o->jobs > 1 && o->max_executions != UINT64_MAX &&
      !(a->takes & TAKES_SAMPLES))
    return "--jobs: --max-executions is counted by one process; leave one out";
  if (o->skip > SKIP_MOST)
    return "--skip: no tree is so deep; use 1000000 or less";
  return NULL;
}

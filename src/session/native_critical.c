/* The critical step: the last one before which the failure could be avoided.
 *
 * From the state after the first k steps other schedules are tried.  If one
 * ends well, the failure could still be avoided there, and for all smaller k;
 * that is certain.  If none does, it could not, nor for any larger k: that is
 * not certain, since only some schedules are tried: those with one switch away
 * from a process that could go on, and some by chance.  So the step is found by
 * bisection.
 *
 * All is counted in steps, not in seconds: the answer is always the same.
 */
#include "session/native_critical.h"

#include "util/rng.h"

enum {
  MOST_TRIES = 48,       /* by chance, from one state */
  MOST_STEPS = 800000,   /* in all */
  SOME_STEPS = 2000,     /* beyond the length of the failing execution */
  SWITCHED_STEPS = 20000 /* with one switch, from one state */
};

struct attempt {
  struct system *system;
  const struct control *control;
  const struct move *moves; /* of the failing execution */
  size_t count;
  size_t depth;   /* so many of them have been taken */
  uint64_t steps; /* taken in all attempts */
};

/* A way to choose the next process. */
struct scheduler {
  struct rng rng;
  unsigned order; /* 0: the lowest number first, 1: the highest, else random */
  uint32_t last;
  /* Not by chance: `last` takes so many steps, then it is the turn of ... */
  bool planned;
  uint64_t steps;
  uint32_t next;
};

static bool enabled(struct system *system, uint32_t p) {
  return p < system->processes && system->ops->enabled(system, p);
}

static bool random_process(struct system *system, struct scheduler *s,
                           uint32_t *p) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < system->processes; i++)
    if (enabled(system, i) && rng_below(&s->rng, ++count) == 0)
      *p = i;
  return count;
}

static bool first_process(struct system *system, const struct scheduler *s,
                          uint32_t *p) {
  for (uint32_t i = 0; i < system->processes; i++) {
    *p = s->order ? system->processes - 1 - i : i;
    if (enabled(system, *p))
      return true;
  }
  return false;
}

/* Most failures need switches in the middle: so a process usually goes on as
 * long as it can. */
static bool next_process(struct system *system, struct scheduler *s,
                         uint32_t *p) {
  *p = s->last;
  if (s->planned && !s->steps--)
    *p = s->last = s->next;
  if (enabled(system, s->last) && (s->planned || rng_below(&s->rng, 16)))
    return true;
  bool found =
      s->order < 2 ? first_process(system, s, p) : random_process(system, s, p);
  s->last = *p;
  return found;
}

/* From the state at hand on: is there no failure until the end? */
static bool ends_well(struct attempt *a, struct scheduler *s) {
  struct system *system = a->system;
  uint32_t p;
  for (size_t i = 0; i < 4 * a->count + SOME_STEPS; i++) {
    struct step step;
    if (!next_process(system, s, &p))
      return system->ops->ending(system) == ENDING_COMPLETE;
    a->steps++;
    if (system->ops->step(system, p, 0, &step) != STEP_DONE)
      return false;
  }
  return false;
}

static bool is_to_end(const struct attempt *a) {
  return a->steps >= MOST_STEPS ||
         __atomic_load_n(&a->control->stop, __ATOMIC_RELAXED);
}

/* To the state after the first `depth` moves.  False: it is not reached. */
static bool go_to(struct attempt *a, size_t depth) {
  struct system *system = a->system;
  size_t kept = depth < a->depth ? depth : a->depth;
  if (!system->ops->undo(system, kept))
    return false;
  for (a->depth = kept; a->depth < depth; a->depth++) {
    struct move move = a->moves[a->depth];
    struct step step;
    if (!enabled(system, move.proc) ||
        system->ops->step(system, move.proc, move.choice & ~MOVE_FLAGS,
                          &step) != STEP_DONE)
      return false;
  }
  return true;
}

/* Does one end well in which `first` takes so many steps, then `next` as many
 * as it can, then all others? */
static bool ends_well_switched(struct attempt *a, size_t depth, uint32_t first,
                               uint64_t steps, uint32_t next) {
  struct scheduler s = {
      .last = first, .planned = true, .steps = steps, .next = next};
  return go_to(a, depth) && ends_well(a, &s);
}

/* All that have one switch away from a process that could go on. */
static bool is_avoidable_by_switch(struct attempt *a, size_t depth) {
  uint64_t most = a->steps + SWITCHED_STEPS;
  uint32_t processes = a->system->processes;
  for (uint64_t steps = 0; steps <= a->count; steps++)
    for (uint32_t first = 0; first < processes; first++)
      for (uint32_t next = 0; next < processes; next++) {
        if (a->steps >= most || is_to_end(a))
          return false;
        if (first != next && ends_well_switched(a, depth, first, steps, next))
          return true;
      }
  return false;
}

/* Does some schedule that begins with the first `depth` moves end well? */
static bool is_avoidable(struct attempt *a, size_t depth) {
  if (is_avoidable_by_switch(a, depth))
    return true;
  for (unsigned n = 0; n < MOST_TRIES && !is_to_end(a); n++) {
    struct scheduler scheduler = {.order = n, .last = UINT32_MAX};
    rng_seed(&scheduler.rng, n);
    if (!go_to(a, depth))
      return false;
    if (ends_well(a, &scheduler))
      return true;
  }
  return false;
}

size_t critical_move(struct system *system, const struct control *control,
                     const struct move *moves, size_t count) {
  struct attempt a = {system, control, moves, count, count, 0};
  size_t low = 0, high = count; /* avoidable; not avoidable */
  if (!count || !is_avoidable(&a, 0))
    return 0;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (is_avoidable(&a, middle))
      low = middle;
    else
      high = middle;
  }
  return is_to_end(&a) ? 0 : low + 1;
}

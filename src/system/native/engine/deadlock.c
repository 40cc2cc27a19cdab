/* Threads that wait for each other, whatever the rest of the program does.
 *
 * Usually a deadlock is a state in which no thread can go on.  Where a thread
 * was stopped by --loop-bound that is not enough: the thread could go on.  And
 * where a search that stores states cuts an execution, some threads can.  But a
 * thread for which another one must act itself, by unlocking a mutex or by
 * ending, waits for ever if that thread does.  So does a thread that goes round
 * a loop without looking at anything.  And where it is known which threads ever
 * move again, all others wait for ever.  To wait for the end of a thread that
 * goes on for ever is no error.
 */
#include "engine.h"

/* Does t wait for nothing but threads of the set, or for what never comes? */
static bool depends_on(const struct thread *t, const bool *set, bool moves) {
  if (t->pending->op == OP_LOOP || (!moves && t->pending->op != OP_JOIN))
    return true;
  const struct thread *holder = operation_holder(t->pending);
  return holder && set[holder->id];
}

/* Can it take no step now, or none that leads anywhere? */
static bool waits(const struct thread *t) {
  return t->state == THREAD_RUNNING &&
         (t->pending->op == OP_LOOP || !engine_enabled(t));
}

static bool is_in(uint64_t set, unsigned i) {
  return i >= 64 || set >> i & 1;
}

void deadlock_find(bool *set, uint64_t moving) {
  for (unsigned i = 0; i < thread_count(); i++)
    set[i] = waits(thread_get(i));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < thread_count(); i++)
      if (set[i] && !depends_on(thread_get(i), set, is_in(moving, i))) {
        set[i] = false;
        changed = true;
      }
  }
}

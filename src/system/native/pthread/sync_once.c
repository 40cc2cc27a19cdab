/* pthread_once and call_once.
 *
 * The first thread runs the routine as ordinary code of the program; other
 * threads wait until it is done.  To enter is a look (engine/round.c), whose
 * result the word says: it writes before the routine has run, waits while it
 * runs, and only reads when it is done.  So entries after that are independent.
 *
 * For algorithms that know no looks which may write, entering is always a
 * write.  The reason: to find out where a blocking operation could have come
 * first, they look at the operations that offer something, and expect each of
 * them to be dependent on it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/pthread/sync.h"

/* The word: ONCE_FRESH, ONCE_DONE, or ONCE_RUNNING + number of the thread that
 * runs the routine. */
enum {
  ONCE_FRESH = PTHREAD_ONCE_INIT,
  ONCE_DONE = 2, /* as in glibc */
  ONCE_RUNNING = 0x4f4e0000,
};

_Static_assert(PTHREAD_ONCE_INIT == 0 && sizeof(pthread_once_t) == 4,
               "one word, first 0");

static bool running(int32_t state) {
  return state >= ONCE_RUNNING && state < ONCE_RUNNING + NATIVE_THREADS;
}

static uint8_t once_offers(const struct operation *op) {
  return running(*(const int32_t *)op->object) ? 0 : OFFER_ONE;
}

enum look once_look(int32_t state) {
  return running(state)       ? LOOK_HELD
         : state == ONCE_DONE ? LOOK_READS
                              : LOOK_WRITES;
}

static bool enter(int32_t *once, uint64_t pc) {
  int32_t mine = ONCE_RUNNING + (int32_t)current()->id;
  struct object_step s;
  object_operation(&s, OP_ONCE, once, once_offers, pc);
  if (*once == mine) /* only the thread's own steps change that */
    fail(FINDING_MISUSE, pc, "the routine of a pthread_once calls it again");
  object_blocking(&s, OFFER_ONE);
  s.op.carried = true;
  object_visible(&s, sizeof *once);
  if (*once == ONCE_DONE) {
    footprint_looked();
    return false;
  }
  if (*once != ONCE_FRESH)
    fail(FINDING_MISUSE, pc,
         "use of a pthread_once_t that was never "
         "initialised");
  SET(*once, mine);
  return true;
}

static void leave(int32_t *once, uint64_t pc) {
  struct object_step s;
  object_operation(&s, OP_ONCE_DONE, once, once_offers, pc);
  object_visible(&s, sizeof *once);
  SET(*once, ONCE_DONE);
}

int once_run(int32_t *once, void (*routine)(void), uint64_t pc) {
  if (enter(once, pc)) {
    routine();
    leave(once, pc);
  }
  return 0;
}

struct thread *once_holder(const struct operation *op) {
  if (op->offers != once_offers)
    return NULL;
  int32_t state = *(const int32_t *)op->object;
  return running(state) ? thread_get((unsigned)(state - ONCE_RUNNING)) : NULL;
}

INTERPOSED int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  return once_run((int32_t *)once, routine, CALLER);
}

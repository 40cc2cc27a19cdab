/* pthread_once and call_once.
 *
 * The first thread runs the routine as ordinary code of the program; other
 * threads wait until it is done.  To enter is a look (engine/round.c), whose
 * result the word says: it writes before the routine has run, waits while it
 * runs, and only reads when it is done.  So entries after that are independent.
 *
 * A thread that has entered a static pthread_once_t before knows that its
 * routine has run: for it, to enter again is no event.
 *
 * For algorithms that know no looks which may write, entering is always a
 * write.  The reason: to find out where a blocking operation could have come
 * first, they look at the operations that offer something, and expect each of
 * them to be dependent on it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/engine/engine.h"
#include "system/native/libc/heap.h"
#include "system/native/pthread/sync.h"
#include "system/native/verify/memory.h"

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

/* ---- threads that were here before --------------------------------------- */

enum { MOST_KNOWN = 64 };

/* keep: static variables; their memory does not end, and is not used again. */
static const int32_t *known[MOST_KNOWN];
static unsigned known_count;

/* A bit for each, by thread: is the thread's own entry over? */
static PROG uint64_t entered[NATIVE_THREADS];

static bool is_static(const int32_t *once) {
  return !heap_contains(once) && !coroutine_of((uintptr_t)once);
}

/* Its bit, or 0: there is no room. */
static uint64_t bit_of(const int32_t *once) {
  unsigned i = 0;
  while (i < known_count && known[i] != once)
    i++;
  if (i == MOST_KNOWN)
    return 0;
  if (i == known_count) {
    known[known_count++] = once;
    memory_exempt(once, sizeof *once); /* when done, it changes no more */
  }
  return UINT64_C(1) << i;
}

static bool has_entered(const int32_t *once) {
  return engine.mode == MODE_EXPLORE && (entered[self->id] & bit_of(once)) &&
         *once == ONCE_DONE;
}

static void note_entry(const int32_t *once) {
  if (engine.mode == MODE_EXPLORE && is_static(once))
    SET(entered[self->id], entered[self->id] | bit_of(once));
}

/* ---- entering ------------------------------------------------------------ */

int once_run(int32_t *once, void (*routine)(void), uint64_t pc) {
  if (has_entered(once))
    return 0;
  if (enter(once, pc)) {
    routine();
    leave(once, pc);
  }
  note_entry(once);
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

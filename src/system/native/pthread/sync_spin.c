/* Spin locks.  A spinning thread waits, as on a mutex: spinning has no effect
 * that could be told apart from waiting.  All of the state is one word. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/pthread/sync.h"

/* The word: SPIN_FREE, or SPIN_FREE + 1 + the holding thread's number, or
 * SPIN_OVER.  There is no static initialiser. */
enum {
  SPIN_FREE = 0x53500000,
  SPIN_LAST = SPIN_FREE + NATIVE_THREADS,
  SPIN_OVER = 0x53600000,
};

_Static_assert(sizeof(pthread_spinlock_t) == 4, "one word");

static uint32_t *word(const volatile void *lock) {
  return (uint32_t *)(uintptr_t)lock;
}

static bool usable(uint32_t state) {
  return state >= SPIN_FREE && state <= SPIN_LAST;
}

static uint8_t spin_offers(const struct operation *op) {
  uint32_t state = *word(op->object);
  return !usable(state) || state == SPIN_FREE ? OFFER_ONE : 0;
}

static void announce(struct object_step *s, const uint32_t *state) {
  object_visible(s, sizeof *state);
  life_check(*state == SPIN_OVER ? LIFE_OVER
             : usable(*state)    ? LIFE_MADE
                                 : LIFE_STATIC,
             true, "spin lock", s->op.pc);
}

static uint32_t mine(void) {
  return SPIN_FREE + 1 + current()->id;
}

INTERPOSED int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  uint32_t *state = word(lock);
  (void)shared; /* there is one process */
  struct object_step s;
  object_operation(&s, OP_INIT, state, spin_offers, CALLER);
  object_visible(&s, sizeof *state);
  SET(*state, SPIN_FREE);
  return 0;
}

INTERPOSED int pthread_spin_destroy(pthread_spinlock_t *lock) {
  uint32_t *state = word(lock);
  struct object_step s;
  object_operation(&s, OP_DESTROY, state, spin_offers, CALLER);
  announce(&s, state);
  if (*state != SPIN_FREE)
    fail(FINDING_MISUSE, CALLER, "destruction of a spin lock that T%u holds",
         *state - SPIN_FREE - 1);
  SET(*state, SPIN_OVER);
  return 0;
}

INTERPOSED int pthread_spin_lock(pthread_spinlock_t *lock) {
  uint32_t *state = word(lock);
  struct object_step s;
  object_operation(&s, OP_LOCK, state, spin_offers, CALLER);
  object_blocking(&s, OFFER_ONE);
  announce(&s, state);
  SET(*state, mine());
  return 0;
}

INTERPOSED int pthread_spin_trylock(pthread_spinlock_t *lock) {
  uint32_t *state = word(lock);
  struct object_step s;
  object_operation(&s, OP_TRYLOCK, state, spin_offers, CALLER);
  object_conditional(&s, OFFER_ONE);
  announce(&s, state);
  if (*state != SPIN_FREE) {
    footprint_only_read();
    return EBUSY;
  }
  SET(*state, mine());
  return 0;
}

INTERPOSED int pthread_spin_unlock(pthread_spinlock_t *lock) {
  uint32_t *state = word(lock);
  struct object_step s;
  object_operation(&s, OP_UNLOCK, state, spin_offers, CALLER);
  announce(&s, state);
  if (*state == SPIN_FREE)
    fail(FINDING_MISUSE, CALLER, "unlock of a spin lock that is not locked");
  if (*state != mine())
    fail(FINDING_MISUSE, CALLER, "unlock of a spin lock that T%u holds",
         *state - SPIN_FREE - 1);
  SET(*state, SPIN_FREE);
  return 0;
}

struct thread *spin_holder(const struct operation *op) {
  if (op->offers != spin_offers)
    return NULL;
  uint32_t state = *word(op->object);
  if (!usable(state) || state == SPIN_FREE)
    return NULL;
  return thread_get(state - SPIN_FREE - 1);
}

/* What the papers' programs share.
 *
 * Shared data is accessed by relaxed atomics: single accesses that may race
 * without being data races, and that order nothing else.  A group of accesses
 * that is one step is an atomic block in a function of its own: the registers a
 * callee must keep are the caller's again when it returns, so that no value
 * which is dead by then makes two equal states look different. */
#ifndef COMMON_H
#define COMMON_H

#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#define load(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define store(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define block __attribute__((noinline)) static

typedef void *body(void *);

/* Starts `count` threads; their arguments are first, first + 1, ... */
static inline void start(pthread_t *threads, int count, body *what,
                         long first) {
  for (int i = 0; i < count; i++)
    pthread_create(&threads[i], 0, what, (void *)(first + i));
}

static inline void join(pthread_t *threads, int count) {
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], 0);
}

#endif

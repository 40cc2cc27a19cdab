/* What heddle.h and SV-COMP's names mean on real threads: a choice is random, a
 * failed assumption ends the run without an outcome.  Atomic blocks exclude
 * only each other here; a mark tells the server so. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define __HEDDLE__ /* the declarations, not the substitutes */
#include "heddle.h"
#include "real/real.h"
#include "real/record.h"

static pthread_mutex_t block = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void heddle_atomic_begin(void) {
  heddle_real_mark(REAL_BLOCKS);
  pthread_mutex_lock(&block);
}

void heddle_atomic_end(void) {
  pthread_mutex_unlock(&block);
}

void heddle_assume(bool holds) {
  if (holds)
    return;
  heddle_real_mark(REAL_ASSUMED);
  _exit(0);
}

unsigned heddle_choose(unsigned n) {
  return n ? heddle_real_random(n) : 0;
}

void heddle_fail(const char *text) {
  (void)text;
  heddle_real_mark(REAL_ASSERTED);
  abort();
}

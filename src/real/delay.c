/* Delays at random instructions.
 *
 * Every thread has its own temper: how many instructions lie between two
 * pauses, and how long a pause is.  So in some runs one thread crawls while the
 * others race ahead, and in other runs all have the usual speed.  The gaps
 * grow: a long program is paused about as often as the logarithm of its length,
 * and the cost of a run stays bounded.
 *
 * The program may have a nanosleep of its own, ours among them (sleep.c).
 * Nothing here may use vector registers or change errno (see step_*.S). */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "real/real.h"
#include "util/rng.h"

enum {
  GAP_BITS = 6,    /* the first gaps are of at most 2^6 instructions */
  SLEEP_BITS = 17, /* pauses are of at most 2^17 ns */
};

enum pause { PAUSE_YIELD, PAUSE_SPIN, PAUSE_SLEEP, PAUSES };

/* The next pause comes when this is 0.  Known to step_*.S. */
_Thread_local int64_t heddle_real_countdown = 1;

static _Thread_local struct temper {
  bool drawn;
  enum pause pause;
  uint32_t gap;    /* at most so many instructions up to the next pause */
  uint32_t length; /* of a pause at most, in ns */
  struct rng rng;
} temper;

static bool wanted;
static uint64_t run_seed;
static uint32_t threads; /* threads that have drawn their temper */

void heddle_real_delay(uint64_t seed) {
  wanted = true;
  run_seed = seed;
}

static struct temper *own_temper(void) {
  struct temper *t = &temper;
  if (t->drawn)
    return t;
  uint64_t number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  rng_seed(&t->rng, run_seed + rng_mix(number));
  t->pause = (enum pause)rng_below(&t->rng, PAUSES);
  t->gap = 1u << rng_between(&t->rng, 0, GAP_BITS);
  t->length = 1u << rng_between(&t->rng, 8, SLEEP_BITS);
  t->drawn = true;
  return t;
}

uint32_t heddle_real_random(uint32_t n) {
  return rng_below(&own_temper()->rng, n);
}

static void spin(uint32_t rounds) {
  while (rounds--)
    __asm__ volatile("" ::: "memory");
}

static void wait_a_little(struct temper *t) {
  uint32_t length = rng_below(&t->rng, t->length);
  struct timespec time = {.tv_nsec = length};
  switch (t->pause) {
  case PAUSE_SPIN:
    spin(length);
    break;
  case PAUSE_SLEEP:
    syscall(SYS_nanosleep, &time, NULL);
    break;
  default:
    sched_yield();
  }
}

void heddle_real_nap(void) {
  struct timespec time = {.tv_nsec = heddle_real_random(1 << SLEEP_BITS)};
  syscall(SYS_nanosleep, &time, NULL);
}

/* The first pause of a thread only draws its temper. */
void heddle_real_pause(void) {
  int error = errno;
  if (!wanted) {
    heddle_real_countdown = INT64_MAX;
    return;
  }
  bool first = !temper.drawn;
  struct temper *t = own_temper();
  if (!first)
    wait_a_little(t);
  heddle_real_countdown = 1 + rng_below(&t->rng, t->gap);
  if (t->gap < UINT32_MAX / 2)
    t->gap += t->gap / 8 + rng_below(&t->rng, 2);
  errno = error;
}

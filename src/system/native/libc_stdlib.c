/* Random numbers and the environment.
 *
 * In libc all threads draw from one hidden sequence.  Here each thread has its
 * own, which depends on --seed and the thread alone: who draws first is nothing
 * a program may rely on, and would multiply the schedules.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/wire.h"
#include "engine.h"

/* Sequences are the outputs of a counter, well mixed. */
static uint64_t mixed(uint64_t n) {
  n = (n ^ (n >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  n = (n ^ (n >> 27)) * UINT64_C(0x94d049bb133111eb);
  return n ^ (n >> 31);
}

static uint64_t first_state(uint64_t seed) {
  uint64_t thread = self ? self->id : 0;
  return mixed(seed + 1) ^ mixed(~thread) ^ 1; /* hardly ever 0 */
}

static uint64_t seed_option(void) {
  return engine.control ? engine.control->options.seed : 0;
}

static uint64_t random_next(void) {
  struct libc_thread *mine = libc_thread();
  uint64_t state = mine->random ? mine->random : first_state(seed_option());
  SET(mine->random, state + UINT64_C(0x9e3779b97f4a7c15));
  return mixed(state);
}

static void random_seed(uint64_t seed) {
  struct libc_thread *mine = libc_thread();
  SET(mine->random, first_state(seed));
}

static int random_31(void) {
  return (int)(random_next() >> 33);
}

INTERPOSED int rand(void) {
  return random_31();
}

INTERPOSED long random(void) {
  return random_31();
}

INTERPOSED long lrand48(void) {
  return random_31();
}

INTERPOSED long mrand48(void) {
  return (int32_t)(random_next() >> 32);
}

INTERPOSED double drand48(void) {
  return (double)(random_next() >> 16) / (double)(UINT64_C(1) << 48);
}

#define SEED(name, type)            \
  INTERPOSED void name(type seed) { \
    random_seed(seed);              \
  }

SEED(srand, unsigned)
SEED(srandom, unsigned)
SEED(srand48, long)

/* The state is the caller's own variable. */
INTERPOSED int rand_r(unsigned *seed) {
  struct event e;
  event_begin(&e, OP_WRITE, CALLER);
  event_read(&e, seed, sizeof *seed); /* it is no blind store */
  event_write(&e, seed, sizeof *seed);
  event_announce(&e);
  *seed = *seed * 1103515245u + 12345;
  return (int)(mixed(*seed) >> 33);
}

/* ---- the environment ----------------------------------------------------- */

/* What tells the program that it is being checked is not shown to it. */
static char *find_variable(const char *name, size_t length) {
  if (length == sizeof WIRE_ENV - 1 &&
      !heddle_real_memcmp(name, WIRE_ENV, length))
    return NULL;
  for (char **at = environ; at && *at; at++)
    if (!heddle_real_strncmp(*at, name, length) && (*at)[length] == '=')
      return *at + length + 1;
  return NULL;
}

/* The environment never changes: setenv and its like are refused. */
static char *look_up(const char *name, uint64_t pc) {
  struct event e;
  event_begin(&e, OP_SCAN, pc);
  event_string(&e, name, SIZE_MAX);
  event_announce(&e);
  size_t length = string_length(name, SIZE_MAX);
  touched(&e, name, length + 1);
  return find_variable(name, length);
}

INTERPOSED char *getenv(const char *name) {
  return look_up(name, CALLER);
}

INTERPOSED char *secure_getenv(const char *name) {
  return look_up(name, CALLER);
}

/* Random numbers.
 *
 * As in glibc, all threads draw from one sequence, and the first thread to draw
 * gets the first number.  The numbers are glibc's own, for the seed that the
 * program sets or that --seed gives.  Bytes that the kernel gives by chance
 * (getrandom and similar functions) come from a sequence of each thread.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "system/native/engine/engine.h"
#include "system/native/hooks/hooks.h"
#include "util/rng.h"

/* The state of glibc's random_r, and its position in that state. */
enum { STATE = 128 };

/* prog */
struct random_sequence {
  struct random_data place;
  char state[STATE];
};

/* prog: rand, random and srand have one sequence, drand48 and similar functions
 * another.  glibc does not lock the latter, but it is not the program's memory:
 * no data race is reported for it. */
PROG static struct random_sequence sequence;
PROG static struct drand48_data sequence48;
PROG static bool sequence_begun, sequence48_begun;

/* As libc begins, if no seed is given. */
static unsigned first_seed(void) {
  uint64_t seed = engine.control ? engine.control->options.seed : 0;
  return seed ? (unsigned)seed : 1;
}

static void sequence_use(uint64_t pc) {
  library_state(&sequence, sizeof sequence, true, pc);
  undo_note(&sequence, sizeof sequence);
}

static void sequence_seed(unsigned seed) {
  SET(sequence_begun, true);
  heddle_real_memset(&sequence, 0, sizeof sequence);
  REAL(initstate_r)(seed, sequence.state, STATE, &sequence.place);
}

static int draw(uint64_t pc) {
  int32_t number;
  sequence_use(pc);
  if (!sequence_begun)
    sequence_seed(first_seed());
  REAL(random_r)(&sequence.place, &number);
  return number;
}

INTERPOSED int rand(void) {
  return draw(CALLER);
}

INTERPOSED long random(void) {
  return draw(CALLER);
}

#define SEED(name)                      \
  INTERPOSED void name(unsigned seed) { \
    sequence_use(CALLER);               \
    sequence_seed(seed);                \
  }

SEED(srand)
SEED(srandom)

/* The state is the caller's own variable. */
INTERPOSED int rand_r(unsigned *seed) {
  uint64_t pc = CALLER;
  plain_announce(seed, sizeof *seed, false, pc);
  unsigned state = *seed;
  int number = REAL(rand_r)(&state);
  plain_announce(seed, sizeof *seed, true, pc);
  *seed = state;
  return number;
}

/* ---- 48 bits ------------------------------------------------------------- */

static void sequence48_use(uint64_t pc) {
  library_state(&sequence48, sizeof sequence48, true, pc);
  undo_note(&sequence48, sizeof sequence48);
}

static void sequence48_seed(long seed) {
  SET(sequence48_begun, true);
  REAL(srand48_r)(seed, &sequence48);
}

/* Without a seed libc begins with zeros. */
static struct drand48_data *sequence48_next(uint64_t pc) {
  sequence48_use(pc);
  if (!sequence48_begun && first_seed() != 1)
    sequence48_seed(first_seed());
  return &sequence48;
}

INTERPOSED long lrand48(void) {
  long number;
  REAL(lrand48_r)(sequence48_next(CALLER), &number);
  return number;
}

INTERPOSED long mrand48(void) {
  long number;
  REAL(mrand48_r)(sequence48_next(CALLER), &number);
  return number;
}

INTERPOSED double drand48(void) {
  double number;
  REAL(drand48_r)(sequence48_next(CALLER), &number);
  return number;
}

INTERPOSED void srand48(long seed) {
  sequence48_use(CALLER);
  sequence48_seed(seed);
}

/* A read of the program's numbers, before those are taken as state. */
static void own48_read(const unsigned short *from, unsigned count,
                       uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_read(&e, from, count * sizeof *from);
  libcall_announce(&e);
}

/* What the state was: of one place for all threads, as in libc. */
PROG static unsigned short before48[3];

INTERPOSED unsigned short *seed48(unsigned short state[3]) {
  unsigned short fresh[3];
  own48_read(state, 3, CALLER);
  memcpy(fresh, state, sizeof fresh);
  struct drand48_data *data = sequence48_next(CALLER);
  copy_memory(before48, data->__x, sizeof before48, CALLER, NULL);
  SET(sequence48_begun, true);
  REAL(seed48_r)(fresh, data);
  return before48;
}

INTERPOSED void lcong48(unsigned short parameters[7]) {
  unsigned short fresh[7];
  own48_read(parameters, 7, CALLER);
  memcpy(fresh, parameters, sizeof fresh);
  sequence48_use(CALLER);
  SET(sequence48_begun, true);
  REAL(lcong48_r)(fresh, &sequence48);
}

/* The next number of the program's own sequence. */
static uint64_t own48_next(unsigned short state[3], uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_read(&e, state, 3 * sizeof *state);
  libcall_write(&e, state, 3 * sizeof *state);
  libcall_announce(&e);
  uint64_t x = (uint64_t)state[2] << 32 | (uint64_t)state[1] << 16 | state[0];
  x = (x * UINT64_C(0x5deece66d) + 11) & ((UINT64_C(1) << 48) - 1);
  for (unsigned i = 0; i < 3; i++)
    state[i] = (unsigned short)(x >> 16 * i);
  return x;
}

INTERPOSED long nrand48(unsigned short state[3]) {
  return (long)(own48_next(state, CALLER) >> 17);
}

INTERPOSED long jrand48(unsigned short state[3]) {
  return (int32_t)(own48_next(state, CALLER) >> 16);
}

INTERPOSED double erand48(unsigned short state[3]) {
  return (double)own48_next(state, CALLER) / (double)(UINT64_C(1) << 48);
}

/* ---- sequences of the program's own -------------------------------------- */

static void own_use(struct libcall *e, void *state, size_t size, uint64_t pc) {
  libcall_begin(e, OP_COPY, pc);
  libcall_read(e, state, size);
  libcall_write(e, state, size);
}

INTERPOSED int srand48_r(long seed, struct drand48_data *state) {
  struct libcall e;
  libcall_begin(&e, OP_SET, CALLER);
  libcall_overwrite(&e, state, sizeof *state);
  libcall_announce(&e);
  return REAL(srand48_r)(seed, state);
}

#define NEXT48(name, type)                                    \
  INTERPOSED int name(struct drand48_data *state, type *to) { \
    struct libcall e;                                         \
    own_use(&e, state, sizeof *state, CALLER);                \
    libcall_overwrite(&e, to, sizeof *to);                    \
    libcall_announce(&e);                                     \
    return REAL(name)(state, to);                             \
  }

NEXT48(drand48_r, double)
NEXT48(lrand48_r, long)
NEXT48(mrand48_r, long)

/* Announces the use of *state, and of the numbers that it leads to: those, and
 * one before them, which says where in them it is. */
static void own_announce(struct libcall *e, const struct random_data *state) {
  e->op.flags |= STEP_BLOCK; /* only the step itself may look at *state */
  libcall_announce(e);
  if (!state->state)
    return; /* it is an error, or initstate_r sets it */
  size_t size = ((size_t)state->rand_deg + 1) * sizeof *state->state;
  touched(e, state->state - 1, size);
  touches(e, state->state - 1, size);
}

INTERPOSED int initstate_r(unsigned seed, char *numbers, size_t size,
                           struct random_data *state) {
  struct libcall e;
  own_use(&e, state, sizeof *state, CALLER);
  libcall_overwrite(&e, numbers, size);
  own_announce(&e, state);
  return REAL(initstate_r)(seed, numbers, size, state);
}

INTERPOSED int srandom_r(unsigned seed, struct random_data *state) {
  struct libcall e;
  own_use(&e, state, sizeof *state, CALLER);
  own_announce(&e, state);
  return REAL(srandom_r)(seed, state);
}

INTERPOSED int random_r(struct random_data *state, int32_t *to) {
  struct libcall e;
  own_use(&e, state, sizeof *state, CALLER);
  libcall_overwrite(&e, to, sizeof *to);
  own_announce(&e, state);
  return REAL(random_r)(state, to);
}

/* ---- random bytes -------------------------------------------------------- */

/* prog: how often each thread has asked.  What others get from the kernel by
 * chance, a thread gets here from a sequence of its own. */
PROG static uint32_t asked[NATIVE_THREADS];

static struct rng begin_bytes(void) {
  struct rng rng;
  uint32_t thread = self ? self->id : 0;
  uint64_t place = (uint64_t)thread << 32 | asked[thread];
  SET(asked[thread], asked[thread] + 1);
  rng_seed(&rng, rng_mix(place) + first_seed());
  return rng;
}

static void draw_bytes(void *to, size_t size, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SET, pc);
  libcall_overwrite(&e, to, size);
  libcall_announce(&e);
  struct rng rng = begin_bytes();
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)to)[i] = (unsigned char)rng_next(&rng);
}

INTERPOSED ssize_t getrandom(void *to, size_t size, unsigned flags) {
  (void)flags;
  draw_bytes(to, size, CALLER);
  return (ssize_t)size;
}

INTERPOSED int getentropy(void *to, size_t size) {
  if (size > 256) {
    error_set(EIO);
    return -1;
  }
  draw_bytes(to, size, CALLER);
  return 0;
}

void arc4random_buf(void *, size_t);
INTERPOSED void arc4random_buf(void *to, size_t size) {
  draw_bytes(to, size, CALLER);
}

uint32_t arc4random(void);
INTERPOSED uint32_t arc4random(void) {
  struct rng rng = begin_bytes();
  return (uint32_t)rng_next(&rng);
}

uint32_t arc4random_uniform(uint32_t);
INTERPOSED uint32_t arc4random_uniform(uint32_t most) {
  struct rng rng = begin_bytes();
  return most ? rng_below(&rng, most) : 0;
}

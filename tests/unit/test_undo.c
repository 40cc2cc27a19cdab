/* The undo log and the stack snapshots of the native system, on random steps of
 * two made-up threads: going back to any depth gives the bytes of that depth. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>
#undef fail /* the runtime has a function of that name */

#include "system/native/engine/engine.h"
#include "util/rng.h"

struct engine engine;
struct thread *self;

/* The runtime's own sources, with the engine above in place of the real one. */
#include "system/native/engine/stack.c"
#include "system/native/engine/undo.c"

/* No thread sleeps here. */
bool time_is_kept_at(const void *at) {
  (void)at;
  return false;
}

/* No memory is known to be a thread's own. */
bool sharing_is_own(const struct thread *t, uint64_t addr) {
  (void)t;
  (void)addr;
  return false;
}

/* No loop waits. */
void round_undo(size_t depth) {
  (void)depth;
}

bool leftover_keeps(const void *at) {
  (void)at;
  return false;
}

bool own_is_shown(const struct thread *t, const void *at) {
  (void)t;
  (void)at;
  return false;
}

/* No variable ends. */
bool ends_keeps(const struct thread *t, const void *addr) {
  (void)t;
  (void)addr;
  return false;
}

/* And nothing is verified, and no state stored. */
void lent_undo(size_t depth) {
  (void)depth;
}

void stored_undo(size_t depth) {
  (void)depth;
}

enum { THREADS = 2, SHARED = 512, DEPTH = 60, ROUNDS = 200 };

/* Everything that steps change, as it was at some depth. */
struct picture {
  char shared[SHARED];
  char fields[THREADS][SAVED_SIZE];
  char *stack[THREADS]; /* from the stack pointer to the base */
};

static char shared[SHARED];
static struct picture pictures[DEPTH + 1];
static struct rng rng;

void stack_map_shadow(const struct thread *t) {
  engine.has_shadow[t->id] = true;
}

/* Stacks as the runtime has them: room for a shadow above. */
static void make_thread(unsigned id, size_t used) {
  size_t size = 2 * (size_t)STACK_SLOT;
  char *slot = aligned_alloc(4096, size);
  assert_non_null(slot);
  struct thread *t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->id = id;
  t->stack_low = slot;
  t->stack_base = slot + STACK_SIZE;
  t->sp = t->stack_base - used;
  memset(t->sp, 0, used);
  engine.threads[id] = t;
  engine.thread_count = id + 1;
  engine.has_shadow[id] = true; /* the test's memory is there already */
  memset(slot + SHADOW_OFFSET, 0, STACK_SIZE);
}

static size_t used_stack(const struct thread *t) {
  return (size_t)(t->stack_base - (char *)t->sp);
}

static void take_picture(struct picture *p) {
  memcpy(p->shared, shared, SHARED);
  for (unsigned i = 0; i < THREADS; i++) {
    struct thread *t = engine.threads[i];
    memcpy(p->fields[i], t, SAVED_SIZE);
    free(p->stack[i]);
    p->stack[i] = malloc(used_stack(t));
    memcpy(p->stack[i], t->sp, used_stack(t));
  }
}

static void compare(const struct picture *p) {
  assert_memory_equal(p->shared, shared, SHARED);
  for (unsigned i = 0; i < THREADS; i++) {
    struct thread *t = engine.threads[i];
    assert_memory_equal(p->fields[i], t, SAVED_SIZE);
    assert_memory_equal(p->stack[i], t->sp, used_stack(t));
  }
}

/* A thread changes its own stack as it likes, and its stack pointer. */
static void change_stack(struct thread *t, size_t most) {
  size_t used = 64 + 16 * (size_t)rng_below(&rng, (uint32_t)(most / 16 - 4));
  t->sp = t->stack_base - used;
  for (int i = 0; i < 8; i++)
    ((char *)t->sp)[rng_below(&rng, (uint32_t)used)] = (char)rng_next(&rng);
}

/* What others can see is noted before it changes. */
static void change_noted(char *at, size_t size) {
  undo_note(at, size);
  for (size_t i = 0; i < size; i++)
    at[i] = (char)rng_next(&rng);
}

static void take_step(size_t most) {
  struct thread *t = engine.threads[rng_below(&rng, THREADS)];
  struct thread *other = engine.threads[!t->id];
  VEC_RESERVE(engine.steps, 1);
  struct record *r = &engine.steps.at[engine.steps.size];
  memset(r, 0, sizeof *r);
  memcpy(r->saved, t, SAVED_SIZE);
  r->entries = engine.log.size;
  r->thread = t->id;
  r->previous = t->last_step;
  r->first = (uint32_t)engine.accesses.size;
  stack_save(t, r);
  engine.steps.size++;
  t->last_step = (uint32_t)engine.steps.size;
  for (uint32_t n = rng_below(&rng, 4); n--;) {
    size_t size = rng_between(&rng, 1, 40);
    change_noted(shared + rng_below(&rng, (uint32_t)(SHARED - size)), size);
  }
  if (rng_percent(&rng, 30)) /* into the other's frame */
    change_noted((char *)other->sp + rng_below(&rng, 32), 8);
  change_stack(t, most);
}

static void random_steps(size_t most) {
  size_t depth = 0;
  take_picture(&pictures[0]);
  for (int round = 0; round < ROUNDS; round++) {
    for (uint32_t n = rng_between(&rng, 1, DEPTH - (uint32_t)depth); n--;) {
      take_step(most);
      take_picture(&pictures[++depth]);
    }
    depth = rng_below(&rng, (uint32_t)depth);
    undo_to(depth);
    compare(&pictures[depth]);
  }
  undo_to(0);
  compare(&pictures[0]);
}

static int setup(void **state) {
  (void)state;
  rng_seed(&rng, 7);
  engine.mode = MODE_EXPLORE;
  for (unsigned i = 0; i < THREADS; i++)
    make_thread(i, 256);
  return 0;
}

static void test_small_stacks(void **state) {
  (void)state;
  random_steps(900);
}

static void test_large_stacks(void **state) {
  (void)state;
  random_steps(20000);
}

/* The value of a byte before a step is in the log. */
static void test_bytes_before(void **state) {
  (void)state;
  memcpy(shared, "abcdefgh", 8);
  take_step(512);
  size_t depth = engine.steps.size - 1;
  engine.log.size = VEC_TOP(engine.steps).entries;
  memcpy(shared, "abcdefgh", 8);
  undo_note(shared, 4);
  memcpy(shared, "ABCD", 4);
  undo_note(shared + 2, 4);
  memcpy(shared + 2, "wxyz", 4);
  unsigned char before[8];
  undo_bytes_before(depth, (uintptr_t)shared, before, 8);
  assert_memory_equal(before, "abcdefgh", 8);
  undo_to(0);
}

static sigjmp_buf faulted;

static void leave(int number) {
  (void)number;
  siglongjmp(faulted, 1);
}

/* The program crashes where the runtime looks at the old bytes, and the
 * handler does not come back: the log has no entry of that. */
static void test_wild_address(void **state) {
  (void)state;
  struct sigaction action = {.sa_handler = leave}, before;
  void *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(none != MAP_FAILED);
  sigaction(SIGSEGV, &action, &before);
  take_step(512);
  size_t entries = engine.log.size, bytes = engine.bytes.size;
  for (volatile size_t size = 1; size <= 16; size++) {
    if (!sigsetjmp(faulted, 1)) {
      undo_note(none, size);
      abort();
    }
    assert_int_equal(engine.log.size, entries);
    assert_int_equal(engine.bytes.size, bytes);
  }
  sigaction(SIGSEGV, &before, NULL);
  munmap(none, 4096);
  undo_to(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_stacks),
      cmocka_unit_test(test_large_stacks),
      cmocka_unit_test(test_bytes_before),
      cmocka_unit_test(test_wild_address),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}

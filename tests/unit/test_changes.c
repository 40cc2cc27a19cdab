/* How the native system tells two states apart: random steps of two made-up
 * threads, taken in two orders.  The digests must be equal if and only if what
 * the steps left behind is, whatever the log's entries look like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#undef fail /* the runtime has a function of that name */

static uint64_t area;
#define STACK_AREA area
#include "system/native/engine/engine.h"
#include "util/rng.h"

struct engine engine;
struct thread *self;
struct system native_system;

/* The runtime's own sources, with the engine above in place of the real one. */
#include "system/native/verify/changes.c"
#include "system/native/engine/stack.c"
#include "system/native/engine/undo.c"

/* No thread sleeps here. */
bool time_is_kept_at(const void *at) {
  (void)at;
  return false;
}

/* The whole slots are mapped. */
void stack_map_shadow(const struct thread *t) {
  engine.has_shadow[t->id] = true;
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

/* ---- what they need of the rest ------------------------------------------ */

static struct control control; /* --rollback=undo */
static char text[64];
static size_t lengths[2];

const size_t *output_length(int stream) { return &lengths[stream - 1]; }
const char *output_text(int stream, size_t *length) {
  *length = lengths[stream - 1];
  return text;
}
void native_fingerprint(struct system *system, bool exact,
                        struct fingerprint *out) {
  (void)system, (void)exact, (void)out;
}

/* ---- two threads --------------------------------------------------------- */

enum { THREADS = 3, SHARED = 64, USED = 192, ROUNDS = 2000 };

static _Alignas(8) unsigned char shared[SHARED];
static struct rng rng;

static void make_thread(unsigned id) {
  char *slot = (char *)(uintptr_t)(area + id * STACK_SLOT);
  char *base = slot + STACK_GUARD + STACK_SIZE;
  struct thread *t = (struct thread *)(void *)base;
  t->id = id;
  t->stack_low = slot + STACK_GUARD;
  t->stack_base = base;
  t->sp = base - USED;
  t->state = id < 2 ? THREAD_RUNNING : THREAD_NONE;
  engine.threads[id] = t;
  engine.thread_count = id + 1;
}

static int setup(void **state) {
  (void)state;
  engine.mode = MODE_EXPLORE;
  engine.control = &control;
  rng_seed(&rng, 7);
  void *at = mmap(NULL, (THREADS + 1) * STACK_SLOT, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_ptr_not_equal(at, MAP_FAILED);
  area = (uintptr_t)at;
  for (unsigned i = 0; i < THREADS; i++)
    make_thread(i);
  return 0;
}

/* As engine.c does it. */
static struct thread *begin(unsigned id) {
  struct thread *t = engine.threads[id];
  VEC_RESERVE(engine.steps, 1);
  struct record *r = &engine.steps.at[engine.steps.size];
  *r = (struct record){.thread = id,
                       .previous = t->last_step,
                       .entries = engine.log.size};
  memcpy(r->saved, t, SAVED_SIZE);
  stack_save(t, r);
  engine.steps.size++;
  t->last_step = (uint32_t)engine.steps.size;
  t->spin.count++;
  return t;
}

static struct changes changes(void) { return native_changes(NULL, 0); }

static bool same(struct changes a, struct changes b) {
  return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

static void write_shared(size_t at, unsigned char value, size_t size) {
  undo_note(&shared[at], size);
  memset(&shared[at], value, size);
}

/* ---- tests --------------------------------------------------------------- */

/* Random writes by two threads, in two orders: equal memory, equal digests. */
static void test_orders(void **state) {
  (void)state;
  unsigned met = 0;
  for (int round = 0; round < ROUNDS; round++) {
    size_t at[2], size[2];
    unsigned char value[2], left[2][SHARED];
    struct changes seen[2];
    for (int i = 0; i < 2; i++) {
      at[i] = rng_below(&rng, SHARED / 2);
      size[i] = 1 + rng_below(&rng, SHARED / 2);
      value[i] = (unsigned char)rng_below(&rng, 3);
    }
    for (unsigned order = 0; order < 2; order++) {
      for (unsigned i = 0; i < 2; i++) {
        unsigned who = i ^ order;
        begin(who);
        write_shared(at[who], value[who], size[who]);
      }
      memcpy(left[order], shared, SHARED);
      seen[order] = changes();
      undo_to(0);
    }
    bool equal = !memcmp(left[0], left[1], SHARED);
    assert_int_equal(same(seen[0], seen[1]), equal);
    met += equal;
  }
  assert_true(met > ROUNDS / 10 && met < ROUNDS);
}

/* One range or many, and writes that were taken back. */
static void test_extent(void **state) {
  (void)state;
  begin(0);
  write_shared(3, 7, 20);
  struct changes whole = changes();
  undo_to(0);
  begin(0);
  for (size_t i = 22; i >= 3; i--)
    write_shared(i, 9, 1);
  write_shared(30, 1, 5);
  write_shared(3, 7, 12);
  write_shared(15, 7, 8);
  write_shared(30, 0, 5);
  assert_true(same(whole, changes()));
  write_shared(30, 1, 1);
  assert_false(same(whole, changes()));
  undo_to(0);
}

/* What a thread left on its used stack is state, what lies below is not. */
static void test_stack(void **state) {
  (void)state;
  struct thread *t = begin(0);
  struct changes before = changes();
  t->stack_base[-USED] ^= 1;
  assert_false(same(before, changes()));
  t->stack_base[-USED] ^= 1;
  t->stack_base[-USED - 1] ^= 1;
  assert_true(same(before, changes()));
  t->sp = t->stack_base - USED - 8;
  assert_false(same(before, changes()));
  undo_to(0);
}

/* Thread 1 writes to the stack of thread 0 before or after that moves. */
static void test_foreign_stack(void **state) {
  (void)state;
  struct changes seen[3];
  struct thread *t = engine.threads[0];
  char *place = t->stack_base - 40;
  for (int order = 0; order < 3; order++) {
    if (order == 1)
      begin(0);
    begin(1);
    if (order < 2) {
      undo_note(place, 1);
      *place ^= 1;
    }
    if (order != 1)
      begin(0);
    seen[order] = changes();
    undo_to(0);
  }
  assert_true(same(seen[0], seen[1]));
  assert_false(same(seen[0], seen[2])); /* no write there */
}

/* Positions of steps do not count; who was created, and how, does. */
static void test_threads(void **state) {
  (void)state;
  struct changes seen[3];
  struct thread *child = engine.threads[2];
  for (int way = 0; way < 3; way++) {
    begin(0);
    SET(child->state, THREAD_RUNNING);
    SET(child->cause, (uint32_t)way);
    child->sp = child->stack_base - USED;
    child->stack_base[-8] = way == 2;
    seen[way] = changes();
    undo_to(0);
  }
  assert_true(same(seen[0], seen[1]));
  assert_false(same(seen[0], seen[2]));
}

static void print(int stream, const char *words) {
  memcpy(text + lengths[stream - 1], words, strlen(words));
  SET(lengths[stream - 1], lengths[stream - 1] + strlen(words));
}

/* Words of one length; the standard error stream is no outcome. */
static void test_output(void **state) {
  (void)state;
  struct changes seen[3];
  for (int way = 0; way < 3; way++) {
    begin(0);
    print(1, way == 2 ? "no" : "ok");
    if (way)
      SET(lengths[1], 5);
    seen[way] = changes();
    undo_to(0);
  }
  assert_true(same(seen[0], seen[1]));
  assert_false(same(seen[0], seen[2]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),        cmocka_unit_test(test_extent),
      cmocka_unit_test(test_stack),         cmocka_unit_test(test_foreign_stack),
      cmocka_unit_test(test_threads),       cmocka_unit_test(test_output),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}

/* The litmus tests of litmus.def: the argument is the number of the row to run,
 * from 1. */
#define _GNU_SOURCE
#include <heddle.h>
#include <heddle_actor.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* ---- what the rows use --------------------------------------------------- */

static int x, y, z; /* plain */
static atomic_int f, g;
static char *_Atomic block;
static const struct timespec soon; /* long ago */

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
                       n = PTHREAD_MUTEX_INITIALIZER,
                       recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                       errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s;
static pthread_barrier_t b;
static pthread_once_t o = PTHREAD_ONCE_INIT, spent = PTHREAD_ONCE_INIT;
static sem_t empty, one, two, full;
static mtx_t c11;
static cnd_t cc11;
static once_flag oc11 = ONCE_FLAG_INIT;
static pthread_key_t key;
static tss_t tss;

#define ST(v, value, order) \
  atomic_store_explicit(&v, value, memory_order_##order)
#define LD(v, order) atomic_load_explicit(&v, memory_order_##order)
#define STB(v, byte, value, order) \
  __atomic_store_n((char *)&v + byte, value, memory_order_##order)
#define ADD(v, value, order) \
  atomic_fetch_add_explicit(&v, value, memory_order_##order)
#define SWAP(v, value, order) \
  atomic_exchange_explicit(&v, value, memory_order_##order)
#define CAS(v, old, value, success, failure)                            \
  atomic_compare_exchange_strong_explicit(&v, &(int){old}, value,       \
                                          memory_order_##success,       \
                                          memory_order_##failure)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

/* Does something in a critical section; what an expression is in one. */
#define LOCK(m, body)    \
  pthread_mutex_lock(&m); \
  body;                  \
  pthread_mutex_unlock(&m)
#define INSIDE(enter, leave, expression) \
  ({                                     \
    enter;                               \
    int told = expression;               \
    leave;                               \
    told;                                \
  })
#define LOCKED(m, e) INSIDE(pthread_mutex_lock(&m), pthread_mutex_unlock(&m), e)
#define RDLOCK(body)          \
  pthread_rwlock_rdlock(&rw); \
  body;                       \
  pthread_rwlock_unlock(&rw)
#define WRLOCK(body)          \
  pthread_rwlock_wrlock(&rw); \
  body;                       \
  pthread_rwlock_unlock(&rw)
#define RDLOCKED(e) \
  INSIDE(pthread_rwlock_rdlock(&rw), pthread_rwlock_unlock(&rw), e)
#define WRLOCKED(e) \
  INSIDE(pthread_rwlock_wrlock(&rw), pthread_rwlock_unlock(&rw), e)
#define BLOCK(body)      \
  heddle_atomic_begin(); \
  body;                  \
  heddle_atomic_end()

/* Publishes a new block, and reads it. */
#define PUT(fresh, order) ST(block, fresh, order)
#define TAKE(order)                \
  char *taken = LD(block, order);  \
  if (taken)                       \
  z = taken[0]

static int value_of(sem_t *sem) {
  int value;
  sem_getvalue(sem, &value);
  return value;
}

static void set_x(void) {
  x = 1;
}

static void set_x_to(void *at) {
  *(int *)at = 1;
}

static void nothing(void) {}

static void add_x(void *state, void *message) {
  (void)state, (void)message;
  x++;
}

static const struct heddle_actor_type type = {.name = "actor"};

static struct heddle_actor *actor(void) {
  return heddle_spawn(&type, NULL);
}

/* ---- threads ------------------------------------------------------------- */

typedef void *body(void *);

static pthread_t thread;
static body *started;

static void start(void) {
  pthread_create(&thread, NULL, started, NULL);
}

static void finish(void) {
  pthread_join(thread, NULL);
}

static int thrd_body(void *unused) {
  started(unused);
  return 0;
}

/* ---- the table ----------------------------------------------------------- */

#define BODY(name, code)              \
  static void *name(void *unused) {   \
    code;                             \
    return unused;                    \
  }
#define T1(name, verdict, rule, main, a) \
  BODY(name##_main, main) BODY(name##_a, a)
#define T2(name, verdict, rule, a, b) BODY(name##_a, a) BODY(name##_b, b)
#define T3(name, verdict, rule, a, b, c) \
  T2(name, verdict, rule, a, b) BODY(name##_c, c)
#include "litmus.def"
#undef T1
#undef T2
#undef T3

static const struct row {
  body *main;
  body *threads[3];
} rows[] = {
#define T1(name, verdict, rule, main, a) {name##_main, {name##_a}},
#define T2(name, verdict, rule, a, b) {NULL, {name##_a, name##_b}},
#define T3(name, verdict, rule, a, b, c) \
  {NULL, {name##_a, name##_b, name##_c}},
#include "litmus.def"
};

static void prepare(void) {
  sem_init(&empty, 0, 0);
  sem_init(&one, 0, 1);
  sem_init(&two, 0, 2);
  sem_init(&full, 0, SEM_VALUE_MAX);
  pthread_spin_init(&s, 0);
  pthread_barrier_init(&b, NULL, 2);
  mtx_init(&c11, mtx_plain);
  cnd_init(&cc11);
  pthread_once(&spent, nothing);
}

static void run(const struct row *row) {
  pthread_t threads[3];
  int count = 0;
  started = row->threads[0];
  if (row->main) {
    row->main(NULL);
    return;
  }
  for (; count < 3 && row->threads[count]; count++)
    pthread_create(&threads[count], NULL, row->threads[count], NULL);
  while (count)
    pthread_join(threads[--count], NULL);
}

int main(int argc, char **argv) {
  size_t number = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
  if (number - 1 >= sizeof rows / sizeof *rows)
    return 2;
  prepare();
  run(&rows[number - 1]);
  return 0;
}

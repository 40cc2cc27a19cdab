// Locks that wait longer after each attempt, by functions of their own: how long stands in a
// struct behind a pointer, in a volatile variable, or comes from a generator of random
// numbers.  The rounds are in vain, and each thread takes the lock in one step: 3!.
// expect optimal: executions 6, blocked 0
// expect source: executions 6, blocked 0
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct back_off {
  unsigned delay, seed;
};

static atomic_int lock;
static int inside;

static void relax(void) {
#ifdef __x86_64__
  __asm__ volatile("pause" ::: "memory");
#else
  sched_yield();
#endif
}

static void wait_longer(struct back_off *b) {
  for (unsigned i = 0; i < b->delay; i++)
    relax();
  if (b->delay < 1024)
    b->delay *= 2;
}

static unsigned draw(unsigned *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  return *seed ^= *seed << 5;
}

static void wait_at_random(struct back_off *b) {
  for (unsigned n = draw(&b->seed) & (b->delay - 1); n; n--)
    relax();
  b->delay <<= b->delay < 64;
}

static void count_longer(unsigned *ceiling) {
  volatile unsigned i;
  for (i = 0; i < *ceiling; i++)
    ;
  *ceiling <<= *ceiling < 1024;
}

static void *section(void *unused) {
  assert(!inside++);
  inside--;
  atomic_store(&lock, 0);
  return unused;
}

static void *longer(void *unused) {
  struct back_off b = {1};
  while (atomic_exchange(&lock, 1))
    wait_longer(&b);
  return section(unused);
}

static void *at_random(void *unused) {
  struct back_off b = {.delay = 2, .seed = 7};
  int zero = 0;
  while (!atomic_compare_exchange_strong(&lock, &zero, 1)) {
    wait_at_random(&b);
    zero = 0;
  }
  return section(unused);
}

static void *by_counting(void *unused) {
  unsigned ceiling = 1;
  while (atomic_exchange(&lock, 1))
    count_longer(&ceiling);
  return section(unused);
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, longer, 0);
  pthread_create(&t[1], 0, at_random, 0);
  by_counting(0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}

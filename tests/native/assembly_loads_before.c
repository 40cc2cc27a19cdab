// Assembly that loads what it expects, as Concurrency Kit's swap of 16 bytes
// does: each load is a step of its own, and so is the swap.  main expects {1, 0}
// if it loads before the thread stores 1, and {1, 1} afterwards; the pair is
// {0, 0}, then {1, 1}.
// Three steps of main on two places that the thread writes in turn: main's swap
// succeeds only if it expected {1, 1} and the pair is that already.
// expect output "0 11\n"
// expect output "1 55\n"
// algorithms naive optimal dpor
#include <pthread.h>
#include <stdio.h>

typedef struct {
  long low, high;
} __attribute__((aligned(16))) pair;

static pair shared;
static long expected[2] = {1, 0};

static void set(pair *p, long low, long high) {
  pair now = *p;
  __asm__ volatile("lock cmpxchg16b %0"
                   : "+m"(*p), "+a"(now.low), "+d"(now.high)
                   : "b"(low), "c"(high)
                   : "cc", "memory");
}

static int swap(pair *p, const long *old, long low, long high) {
  unsigned char done;
  __asm__ volatile("movq 0(%4), %%rax;"
                   "movq 8(%4), %%rdx;"
                   "lock cmpxchg16b %0; setz %1"
                   : "+m"(*p), "=q"(done)
                   : "b"(low), "c"(high), "q"(old)
                   : "cc", "memory", "rax", "rdx");
  return done;
}

static void *thread(void *unused) {
  __atomic_store_n(&expected[1], 1, __ATOMIC_SEQ_CST);
  set(&shared, 1, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  int done = swap(&shared, expected, 5, 5);
  pthread_join(t, 0);
  printf("%d %ld%ld\n", done, shared.low, shared.high);
  return 0;
}

// Atomics as lock-free libraries write them: each statement is one step, and
// what it does is seen.  Two threads push a value each and add 1 to a counter.
// expect output "2 2 7 1\n"
// expect optimal: blocked 0
// algorithms optimal source
// options --races=error --verify
#include <pthread.h>
#include <stdio.h>

#ifdef __x86_64__
static int fetch_add(int *p, int v) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
  return v;
}

static int swap_if(long *p, long old, long new) {
  unsigned char done;
  __asm__ volatile("lock cmpxchgq %3, %1\n\tsetz %0"
                   : "=q"(done), "+m"(*p), "+a"(old)
                   : "r"(new)
                   : "memory", "cc");
  return done;
}

static long load(const long *p) {
  long v;
  __asm__ volatile("movq %1, %0" : "=r"(v) : "m"(*p) : "memory");
  return v;
}

static void set_bits(unsigned *p, unsigned v) {
  __asm__ volatile("lock orl %1, (%0)" : : "r"(p), "r"(v) : "memory", "cc");
}

static int test_and_set_bit(unsigned *p, int bit) {
  int was;
  __asm__ volatile("lock btsl %2, %1\n\tsbbl %0, %0"
                   : "=r"(was), "+m"(*p)
                   : "Ir"(bit)
                   : "memory", "cc");
  return was != 0;
}

static void fence(void) {
  __asm__ volatile("mfence" : : : "memory");
}

static void rest(void) {
  __asm__ volatile("pause");
}
#else
static int fetch_add(int *p, int v) {
  return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}

static int swap_if(long *p, long old, long new) {
  return __sync_bool_compare_and_swap(p, old, new);
}

static long load(const long *p) {
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

static void set_bits(unsigned *p, unsigned v) {
  __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);
}

static int test_and_set_bit(unsigned *p, int bit) {
  return __atomic_fetch_or(p, 1u << bit, __ATOMIC_SEQ_CST) >> bit & 1;
}

static void fence(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void rest(void) {}
#endif

static int count, late;
static long sum;
static unsigned bits = 1;

static void *work(void *unused) {
  long seen = load(&sum);
  while (!swap_if(&sum, seen, seen + 1)) {
    rest();
    seen = load(&sum);
  }
  set_bits(&bits, 2);
  fence();
  if (test_and_set_bit(&bits, 2))
    fetch_add(&late, 1); /* the other one was first */
  fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  printf("%d %ld %u %d\n", count, sum, bits, late);
}

// Additions whose result is not used commute, in C11, with builtins and in
// assembly; main reads the sums after the joins: one trace.  Two kinds of update
// of one variable do not commute: three threads add, one of them also negates
// the bits, before or after each of the others' additions: 2 * 2.
// expect optimal: executions 4, blocked 0
// expect unfold: executions 4, blocked 0
// expect observers: executions 4, blocked 0
// algorithms optimal source dpor unfold observers cs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a;
static int b, bits;
static _Atomic short both;
#ifdef __x86_64__
static long c;
#endif

static void *update(void *number) {
  int me = (int)(long)number;
  a++;
  --a;
  a += 3;
  atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed);
  __sync_fetch_and_add(&b, 2);
  __sync_sub_and_fetch(&b, 1);
  __atomic_fetch_or(&bits, 1 << me, __ATOMIC_RELAXED);
#ifdef __x86_64__
  __asm__ volatile("lock; addq %1, %0" : "+m"(c) : "r"(5L) : "memory", "cc");
  __asm__ volatile("lock; decq %0" : "+m"(c) : : "memory", "cc");
#endif
  both += 1;
  if (!me)
    both ^= 255;
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], 0, update, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(a == 6 && b == 3 && bits == 7);
#ifdef __x86_64__
  assert(c == 12);
#endif
}

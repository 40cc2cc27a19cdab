// A load and a store by assembly are two steps: an update is lost.
// expect output "1\n"
// expect output "2\n"
// The reads are independent: 6 orders, 4 traces.
// expect optimal: executions 4, blocked 0
#include <pthread.h>
#include <stdio.h>

static int x;

static void *add(void *unused) {
  int v;
#ifdef __x86_64__
  __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(x) : "memory");
  __asm__ volatile("movl %1, %0" : "=m"(x) : "r"(v + 1) : "memory");
#else
  v = __atomic_load_n(&x, __ATOMIC_ACQUIRE);
  __atomic_store_n(&x, v + 1, __ATOMIC_RELEASE);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  printf("%d\n", x);
}

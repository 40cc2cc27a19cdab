// Two updates of one kind have no order, although the second changes nothing.
// options --verify
// expect output "2\n"
// expect optimal: executions 1, blocked 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint bits;

static void *work(void *unused) {
  atomic_fetch_or(&bits, 2);
  atomic_thread_fence(memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  printf("%u\n", bits);
}

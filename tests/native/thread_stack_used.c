// A thread that asked for a large stack can use it.
// expect optimal: executions 2, blocked 0
// expect output "2 2\n"
// expect output "2 1\n"
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 40 << 20 };
static int x;

static void fill(char *at) {
  at[0] = 1;
  at[SIZE - 1] = 1;
}

static void (*volatile use)(char *) = fill;

static void *work(void *unused) {
  char room[SIZE];
  use(room);
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  printf("%d ", room[0] + room[SIZE - 1]);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, (size_t)64 << 20);
  pthread_create(&thread, &large, work, 0);
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
  pthread_join(thread, 0);
  printf("%d\n", x);
}

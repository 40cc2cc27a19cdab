// While main is alone there is nothing to explore: its rounds count as little as
// those that no other thread could notice.  (Not naive: there every access is a
// step.)
// options --loop-bound=1
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc
// expect optimal: executions 1, blocked 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int slots[500];
static int numbers[1000];

static void *work(void *unused) {
  for (int i = 0; i < 1000; i++)
    numbers[i] = i;
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 500; i++)
    slots[i] = i;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  for (int i = 0; i < 500; i++)
    slots[i] = 0;
}

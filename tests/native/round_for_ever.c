// A loop that looks at nothing never ends, whatever others do.
// expect output "1\n"
// expect error livelock
// expect message goes round a loop for ever
// expect optimal: executions 2, blocked 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *thread0(void *unused) {
  x = 1;
  return unused;
}

static void *thread1(void *unused) {
  if (x == 0)
    for (;;)
      ;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", x);
}

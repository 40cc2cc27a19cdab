// A loop inside of another; what the outer one knows changes.
// expect output "1\n"
// expect output "2\n"
// expect optimal: executions 2, blocked 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int n;

static void *thread0(void *unused) {
  int last = 0;
  for (;;) {
    int now;
    while ((now = x) == last)
      ;
    n++;
    last = now;
    if (now == 2)
      break;
  }
  return unused;
}

static void *thread1(void *unused) {
  x = 1;
  x = 2;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", n);
}

// A loop that counts does not wait.
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int n;

static void *thread0(void *unused) {
  int i = 0;
  do {
    if (x == 1)
      break;
  } while (++i != 2);
  n = i;
  return unused;
}

static void *thread1(void *unused) {
  x = 1;
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

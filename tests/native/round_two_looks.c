// A round of two looks at one place: the first may be out of date.
// expect output "1 0\n"
// expect output "0 0\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x = 1;
static int a, b;

static void *thread0(void *unused) {
  x = 0;
  return unused;
}

static void *thread1(void *unused) {
  do {
    a = x;
    b = x;
  } while (b != 0);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d\n", a, b);
}

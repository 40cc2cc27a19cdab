// What a round leaves in a variable of the thread is read by main, which is alone then: the
// round matters.
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int saw;

static void *look(void *unused) {
  int value;
  do {
    value = x;
    if (value == 1)
      saw = 1;
  } while (value != 2);
  return unused;
}

static void *put(void *unused) {
  x = 1;
  x = 2;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, put, NULL);
  pthread_create(&t[1], NULL, look, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d\n", saw);
  return 0;
}

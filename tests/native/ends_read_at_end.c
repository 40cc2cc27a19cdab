// expect error memory
// expect message use after return: reads 4 bytes of a local variable of T1 f, whose function has returned
// The only use of a variable by another thread is a read after all joins.
#include <pthread.h>
#include <stdio.h>

static int *result;

static void *f(void *arg) {
  int local = 7;
  result = &local;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
  printf("%d\n", *result);
  return 0;
}

// A status other than 0 is an error, shown with what the program says about it.
// expect error exit
// expect message the program ends with status 3
// expect message counted 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *add(void *unused) {
  x = x + 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x == 2)
    return 0;
  fprintf(stderr, "counted %d\n", x);
  return 3;
}

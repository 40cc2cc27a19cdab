// Equal code at the ends of two branches has the line of its own branch.
// expect error race
// options --races=error
#include <pthread.h>

static int x, y, c;

static void *put(void *unused) {
  if (c) {
    y = 3;
    x = 1; // expect race with line 24
  } else {
    y = 4;
    x = 1; // expect race with line 24
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  c = 1;

  x = 2;
  pthread_join(t, 0);
}

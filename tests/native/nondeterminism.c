// A write that heddle cannot see is not undone, so that a step does something
// else when it is taken again.  Inline assembly is refused unless allowed.
// expect error nondeterminism
// algorithms naive source optimal
// without pop
// (To observers all executions are one, and nothing is taken again; pop takes the
// step again after a third call only, which does the same.)
// modes undo
// options --races=off --allow-external=calls
#include <pthread.h>

static int x, y, z;

static int calls(void) {
  static int hidden;
  int result;
  __asm__ volatile("incl %0\n movl %0, %1" : "+m"(hidden), "=r"(result));
  return result;
}

static void *f(void *unused) {
  x = 1;
  if (calls() & 1)
    y = 1;
  else
    z = 1;
  return unused;
}

static void *g(void *unused) {
  x = 3;
  y = 2;
  z = 2;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, f, 0);
  pthread_create(&t[1], 0, g, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}

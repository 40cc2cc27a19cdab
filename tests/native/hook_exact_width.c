// A short is read as two bytes, although reading four would be as fast: the
// bytes behind it are not touched.
// expect output "2 1\n"
// expect optimal: executions 1, blocked 0
// options --verify --races=off
// algorithms naive optimal
#include <pthread.h>
#include <stdio.h>

static struct s {
  int a;
  short b;
  char c;
} x, *p = &x;

static void *add(void *unused) {
  p->b = (short)(p->b + 2);
  return unused;
}

int main(void) {
  pthread_t t;
  p->a = 0;
  pthread_create(&t, 0, add, 0);
  p->c = 1;
  pthread_join(t, 0);
  printf("%d %d\n", x.b, x.c);
}

// A struct is copied in one step, from and to what others know, also where the
// copy itself could be kept in registers: nobody sees one member without the
// other.
// expect optimal: executions 2, blocked 0
// expect output "0 0\n"
// expect output "1 2\n"
// options --races=off
#include <pthread.h>
#include <stdio.h>

struct pair {
  int a, b;
};
static struct pair shared;

static void *store(void *unused) {
  (void)unused;
  struct pair p;
  p.a = 1;
  p.b = 2;
  shared = p;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, store, 0);
  struct pair p = shared;
  printf("%d %d\n", p.a, p.b);
  pthread_join(t, 0);
}

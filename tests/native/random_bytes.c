// Each thread draws random bytes from a sequence of its own: one execution.
// expect safe
// expect optimal: executions 1, blocked 0
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static void *draw(void *to) {
  assert(getrandom(to, 16, 0) == 16);
  return to;
}

int main(void) {
  pthread_t t;
  char a[16], b[16], c[16];
  pthread_create(&t, 0, draw, a);
  draw(b);
  getentropy(c, sizeof c);
  pthread_join(t, 0);
  assert(memcmp(a, b, 16) && memcmp(b, c, 16) && memcmp(a, c, 16));
}

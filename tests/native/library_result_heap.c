// posix_memalign() stores a pointer where another thread looks for it.
// expect output "none"
// expect output "some"
// options --races=off
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *block;

static void *look(void *unused) {
  printf(block ? "some" : "none");
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, look, NULL);
  if (posix_memalign(&block, 16, 16))
    return 1;
  pthread_join(t, NULL);
  return 0;
}

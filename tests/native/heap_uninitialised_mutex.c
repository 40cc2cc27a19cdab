// Fresh memory is not zero: a mutex in it that was never initialised is found,
// and one of calloc is as good as a static one.
// expect error misuse
// expect message use of a mutex that was never initialised
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t *zero = calloc(1, sizeof *zero), *never;
  unsigned char *bytes = malloc(3);
  assert(bytes[0] == 0xa5 && bytes[2] == 0xa5);
  pthread_mutex_lock(zero);
  pthread_mutex_unlock(zero);
  never = malloc(sizeof *never);
  pthread_mutex_lock(never);
}

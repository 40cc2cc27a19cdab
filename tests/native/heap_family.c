// What the functions promise: contents, alignment, zeros, refusals.
// expect all: executions 1
// real no: memory that realloc adds is 0 only under heddle
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *zero = calloc(100, 3);
  for (int i = 0; i < 300; i++)
    assert(zero[i] == 0);
  memset(zero, 7, 300);
  char *more = realloc(zero, 1000);
  assert(more[0] == 7 && more[299] == 7);
  char *less = realloc(more, 2);
  assert(less[1] == 7 && malloc_usable_size(less) >= 2);
  assert(realloc(less, 0) == 0);

  void *aligned = aligned_alloc(4096, 10);
  assert((uintptr_t)aligned % 4096 == 0);
  void *other = 0;
  assert(posix_memalign(&other, 256, 1) == 0 && (uintptr_t)other % 256 == 0);
  assert(posix_memalign(&other, 3, 1) == EINVAL);
  assert(malloc(0) != malloc(0));
  free(0);

  volatile size_t huge = SIZE_MAX;
  errno = 0;
  assert(malloc(huge) == 0 && errno == ENOMEM);
  errno = 0;
  assert(calloc(huge, 2) == 0 && errno == ENOMEM);
  errno = 0;
  assert(reallocarray(0, huge, 2) == 0 && errno == ENOMEM);
}

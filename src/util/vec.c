#include "vec.h"

#include <stdlib.h>

#include "ensure.h"

void *vec_grow(void *at, size_t *capacity, size_t need, size_t element) {
  size_t larger = *capacity ? 2 * *capacity : VEC_FIRST_CAPACITY;
  while (larger < need)
    larger *= 2;
  at = realloc(at, larger * element);
  ensure(at); /* out of memory */
  *capacity = larger;
  return at;
}

void vec_free(void *at) { free(at); }

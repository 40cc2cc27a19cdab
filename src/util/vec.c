#include "vec.h"

#include <stdlib.h>
#include <string.h>

#include "ensure.h"
#include "hostile.h"

#if HOSTILE

/* Grows as little as a linear cost allows, and always moves: a pointer into the
 * old array points to nonsense. */
void *vec_grow(void *at, size_t *capacity, size_t need, size_t element) {
  size_t old = *capacity * element;
  *capacity = need + need / 4;
  char *moved = malloc(*capacity * element);
  if (!moved)
    out_of_memory();
  if (old) {
    memcpy(moved, at, old);
    memset(at, 0xa5, old);
  }
  free(at);
  return moved;
}

#else

void *vec_grow(void *at, size_t *capacity, size_t need, size_t element) {
  size_t larger = *capacity ? 2 * *capacity : VEC_FIRST_CAPACITY;
  while (larger < need)
    larger *= 2;
  at = realloc(at, larger * element);
  if (!at)
    out_of_memory();
  *capacity = larger;
  return at;
}

#endif

void vec_free(void *at) {
  free(at);
}

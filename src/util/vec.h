/* Arrays that grow.  A vector of T is declared as VEC(T); elements are
 * v.at[0 .. v.size-1].  Backtracking is setting v.size. */
#ifndef UTIL_VEC_H
#define UTIL_VEC_H

#include <stddef.h>
#include <string.h>

#include "util/hostile.h"

#define VEC(T)       \
  struct {           \
    T *at;           \
    size_t size;     \
    size_t capacity; \
  }

/* Room for n more elements. */
#define VEC_RESERVE(v, n)                                                  \
  do {                                                                     \
    if (__builtin_expect((v).size + (n) > (v).capacity, 0))                \
      (v).at =                                                             \
          vec_grow((v).at, &(v).capacity, (v).size + (n), sizeof *(v).at); \
  } while (0)

/* The size changes last: to compute the element may raise a signal that never
 * comes back, where it reads memory of the checked program. */
#define VEC_PUSH(v, ...)              \
  do {                                \
    VEC_RESERVE(v, 1);                \
    (v).at[(v).size] = (__VA_ARGS__); \
    (v).size++;                       \
  } while (0)

/* Sets the size; the contents are arbitrary. */
#define VEC_SIZED(v, n) \
  do {                  \
    (v).size = 0;       \
    VEC_RESERVE(v, n);  \
    (v).size = (n);     \
  } while (0)

/* The same, filled with 0. */
#define VEC_CLEARED(v, n)                           \
  do {                                              \
    VEC_SIZED(v, n);                                \
    if ((v).size)                                   \
      memset((v).at, 0, (v).size * sizeof *(v).at); \
  } while (0)

#define VEC_POP(v) ((v).at[--(v).size])
#define VEC_TOP(v) ((v).at[(v).size - 1])
/* The memory that an array takes, and will take with one more element. */
#define VEC_BYTES(v) \
  ((uint64_t)(v).capacity * sizeof *(v).at * ((v).size == (v).capacity ? 2 : 1))
#define VEC_FREE(v) vec_free((v).at), (v).at = 0, (v).size = (v).capacity = 0

/* A larger array with the same contents; *capacity becomes at least `need`. */
void *vec_grow(void *at, size_t *capacity, size_t need, size_t element);
void vec_free(void *at);

#endif

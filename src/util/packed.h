/* Values one after another in a string of bytes.  The same calls write them
 * down and read them again, so that both always fit. */
#ifndef UTIL_PACKED_H
#define UTIL_PACKED_H

#include <stdint.h>

#include "util/text.h"
#include "util/vec.h"

struct packed {
  struct text *to; /* written to its end; NULL: values are read ... */
  const char *at;  /* ... from here ... */
  const char *end; /* ... to here */
  bool bad;        /* something does not fit; what is read then is 0 */
};

static inline struct packed packed_writer(struct text *to) {
  return (struct packed){.to = to};
}

static inline struct packed packed_reader(const char *at, size_t size) {
  return (struct packed){.at = at, .end = at + size};
}

/* So many bytes at this place. */
void packed_bytes(struct packed *, void *place, size_t size);

/* A number of elements of this size, in an array.  Returns the number that is
 * to follow; 0 if there are not so many. */
size_t packed_count(struct packed *, size_t count, size_t element);

/* A part as a whole: where it lies when it is read. */
void packed_part(struct packed *, const char **at, size_t *size);

/* The same for a writer, around what is written in between. */
size_t packed_open(struct packed *);
void packed_close(struct packed *, size_t opened);

#define PACKED(p, value) packed_bytes(p, &(value), sizeof(value))

/* A VEC whose elements have no pointers to other memory of their own. */
#define PACKED_VEC(p, v)                                       \
  do {                                                         \
    size_t count_ = packed_count(p, (v).size, sizeof *(v).at); \
    if (!(p)->to)                                              \
      VEC_SIZED(v, count_);                                    \
    if (count_)                                                \
      packed_bytes(p, (v).at, count_ * sizeof *(v).at);        \
  } while (0)

/* All is read, and it did fit. */
static inline bool packed_is_over(const struct packed *p) {
  return !p->bad && p->at == p->end;
}

#endif

/* The hash table: from keys to numbers.
 *
 * The elements lie in an array of the caller; the table finds their positions.
 * It knows hashes, not keys: the caller compares.  To find an element:
 *
 *   for (TABLE_EACH(n, &table, hash))
 *     if (same(&elements.at[n], key))
 *       return n;
 *
 * and, if it is not there, to add it:
 *
 *   table_add(&table, hash, elements.size);
 *   VEC_PUSH(elements, ...);
 *
 * Hashes have 32 good bits, the lower ones above all.  A slot keeps its
 * element's hash, so that few candidates are compared and growing asks for no
 * element.  Linear probing; at most half of the slots are used.  Elements are
 * never removed, only all of them at once, and the slots are never iterated:
 * their order depends on the hashes. */
#ifndef UTIL_TABLE_H
#define UTIL_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct table_slot {
  uint32_t number; /* 1 + the element's position; 0: free */
  uint32_t hash;
};

/* All zero is an empty table. */
struct table {
  struct table_slot *at;
  size_t capacity; /* slots, a power of two or 0 */
  size_t used;
};

/* The memory that a table takes, and may take when it grows next. */
static inline uint64_t table_bytes(const struct table *t) {
  uint64_t bytes = (uint64_t)t->capacity * sizeof *t->at;
  return 2 * t->used >= t->capacity ? 3 * bytes : bytes; /* about to grow */
}

/* The numbers of the elements that may have this hash, for the head of a for
 * loop.  The table must not be changed in it before the loop is left. */
#define TABLE_EACH(n, table, hash)                   \
  size_t n##_slot = table_first(table, hash), n = 0; \
  table_candidate(table, hash, &n##_slot, &n);       \
  n##_slot = table_next(table, n##_slot)

void table_add(struct table *, uint32_t hash, size_t number);
/* Forgets all elements; the slots stay. */
void table_clear(struct table *);
void table_free(struct table *);

/* A hash of numbers that may be close together, such as addresses. */
static inline uint32_t table_hash(uint64_t key) {
  return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32); /* 2^64 / golden ratio */
}

static inline size_t table_first(const struct table *t, uint32_t hash) {
  return hash & (t->capacity - 1);
}

static inline size_t table_next(const struct table *t, size_t slot) {
  return (slot + 1) & (t->capacity - 1);
}

/* Moves on to the next slot with this hash; 0 if there is none. */
static inline int table_candidate(const struct table *t, uint32_t hash,
                                  size_t *slot, size_t *number) {
  if (__builtin_expect(!t->capacity, 0))
    return 0;
  while (t->at[*slot].number) {
    if (t->at[*slot].hash == hash) {
      *number = t->at[*slot].number - 1;
      return 1;
    }
    *slot = table_next(t, *slot);
  }
  return 0;
}

#endif

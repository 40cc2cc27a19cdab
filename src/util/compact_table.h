/* The hash table for millions of elements: five bytes for each slot.
 *
 * As in table.h, the elements lie in an array of the caller, and the table
 * finds their positions:
 *
 *   for (COMPACT_EACH(n, &table, hash))
 *     if (same(&elements.at[n], key))
 *       return n;
 *
 * and, to add an element behind all others:
 *
 *   compact_add(&table, hash, elements.size, hash_of, context);
 *   VEC_PUSH(elements, ...);
 *
 * A slot keeps seven bits of the hash only, so when the table grows it asks the
 * caller for the hashes of all elements.  Hashes have 32 good bits.  Linear
 * probing; at most four fifths of the slots are used, and large tables grow by
 * half.  Elements with the same hash are found in the order in which they were
 * added. */
#ifndef UTIL_COMPACT_TABLE_H
#define UTIL_COMPACT_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct compact_slot {
  uint32_t number; /* the element's position */
  uint8_t tag;     /* COMPACT_USED and bits of the hash; 0: free */
} __attribute__((packed));

enum { COMPACT_USED = 128 };

/* All zero is an empty table. */
struct compact_table {
  struct compact_slot *at;
  size_t capacity;
  size_t used;
};

typedef uint32_t compact_hash(const void *context, size_t number);

/* The numbers of the elements that may have this hash, for the head of a for
 * loop.  The table must not be changed in it before the loop is left. */
#define COMPACT_EACH(n, table, hash)                  \
  size_t n##_slot = compact_home(table, hash), n = 0; \
  compact_candidate(table, hash, &n##_slot, &n);      \
  n##_slot = compact_next(table, n##_slot)

void compact_add(struct compact_table *, uint32_t hash, size_t number,
                 compact_hash *, const void *context);
/* The table is empty then. */
void compact_free(struct compact_table *);

/* The number of slots after `capacity`, for tables that grow in this way. */
size_t compact_larger(size_t capacity);
/* May a table of that size have so many elements? */
static inline int compact_has_room(size_t capacity, size_t elements) {
  return elements <= capacity - capacity / 5 - 1 && capacity;
}

/* The memory that slots of this size take, and may take when they grow next. */
static inline uint64_t compact_slot_bytes(size_t capacity, size_t used,
                                          size_t slot) {
  uint64_t slots = capacity;
  if (!compact_has_room(capacity, used + 1))
    slots += compact_larger(capacity);
  return slots * slot;
}

static inline uint64_t compact_bytes(const struct compact_table *t) {
  return compact_slot_bytes(t->capacity, t->used, sizeof *t->at);
}

static inline size_t compact_home(const struct compact_table *t,
                                  uint32_t hash) {
  return (size_t)((uint64_t)hash * t->capacity >> 32);
}

static inline size_t compact_next(const struct compact_table *t, size_t slot) {
  return slot + 1 < t->capacity ? slot + 1 : 0;
}

static inline uint8_t compact_tag(uint32_t hash) {
  return (uint8_t)(COMPACT_USED | hash);
}

/* Asks for the memory of elements with this hash, before they are looked for.
 */
static inline void compact_fetch(const struct compact_table *t, uint32_t hash) {
  if (t->capacity)
    __builtin_prefetch(&t->at[compact_home(t, hash)]);
}

/* Moves on to the next slot with this tag; 0 if there is none. */
static inline int compact_candidate(const struct compact_table *t,
                                    uint32_t hash, size_t *slot,
                                    size_t *number) {
  if (!t->capacity)
    return 0;
  for (; t->at[*slot].tag; *slot = compact_next(t, *slot))
    if (t->at[*slot].tag == compact_tag(hash)) {
      *number = t->at[*slot].number;
      return 1;
    }
  return 0;
}

#endif

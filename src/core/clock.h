/* Vector clocks in one array that grows and is cut off.
 *
 * A clock is an offset into the array.  At the offset stands its length, then
 * that many counts, one for each process; a process beyond the length has count
 * 0.  Offset 0 is the empty clock.  Clocks do not change once they are made, so
 * they can be shared.
 *
 * A new clock is built at the end of the array: clock_open, any number of
 * clock_add and clock_raise, then clock_close.
 */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "util/vec.h"

/* keep */
struct clocks {
  VEC(uint32_t) words;
  uint32_t open; /* length of the clock being built */
};

static inline void clocks_init(struct clocks *c) {
  *c = (struct clocks){0};
  VEC_PUSH(c->words, 0);
}

static inline uint32_t clock_get(const struct clocks *c, uint32_t clock,
                                 uint32_t p) {
  const uint32_t *words = &c->words.at[clock];
  return p < words[0] ? words[1 + p] : 0;
}

/* Is every count of a at least that of b? */
static inline bool clock_covers(const struct clocks *c, uint32_t a,
                                uint32_t b) {
  const uint32_t *x = &c->words.at[a], *y = &c->words.at[b];
  uint32_t common = x[0] < y[0] ? x[0] : y[0], p = 1;
  for (; p <= common; p++)
    if (x[p] < y[p])
      return false;
  for (; p <= y[0]; p++)
    if (y[p])
      return false;
  return true;
}

/* ---- four counts at a time ------------------------------------------------
 */

typedef int32_t clock_four
    __attribute__((vector_size(16), aligned(4), may_alias));

static inline void clock_copy(uint32_t *to, const uint32_t *from, uint32_t n) {
  uint32_t p = 0;
  for (; p + 4 <= n; p += 4)
    *(clock_four *)&to[p] = *(const clock_four *)&from[p];
  for (; p < n; p++)
    to[p] = from[p];
}

/* Counts are smaller than 2^31. */
static inline void clock_raise_all(uint32_t *to, const uint32_t *from,
                                   uint32_t n) {
  uint32_t p = 0;
  for (; p + 4 <= n; p += 4) {
    clock_four a = *(clock_four *)&to[p], b = *(const clock_four *)&from[p];
    clock_four less = a < b;
    *(clock_four *)&to[p] = (b & less) | (a & ~less);
  }
  for (; p < n; p++)
    to[p] = to[p] < from[p] ? from[p] : to[p];
}

/* ---- building -------------------------------------------------------------
 */

static inline void clock_reach(struct clocks *c, uint32_t length) {
  if (length <= c->open)
    return;
  VEC_RESERVE(c->words, length + 1);
  uint32_t *words = &c->words.at[c->words.size + 1];
  for (uint32_t p = c->open; p < length; p++)
    words[p] = 0;
  c->open = length;
}

/* The new clock begins with so many counts of 0. */
static inline uint32_t *clock_open_zero(struct clocks *c, uint32_t length) {
  VEC_RESERVE(c->words, length + 4);
  uint32_t *to = &c->words.at[c->words.size + 1];
  for (uint32_t p = 0; p < length; p += 4)
    *(clock_four *)&to[p] = (clock_four){0};
  c->open = length;
  return to;
}

/* The new clock begins as a copy of this one. */
static inline void clock_open(struct clocks *c, uint32_t clock) {
  uint32_t length = c->words.at[clock];
  VEC_RESERVE(c->words, length + 1);
  uint32_t *to = &c->words.at[c->words.size + 1];
  const uint32_t *from = &c->words.at[clock + 1];
  clock_copy(to, from, length);
  c->open = length;
}

/* The count of p in the clock being built. */
static inline uint32_t clock_open_get(const struct clocks *c, uint32_t p) {
  return p < c->open ? c->words.at[c->words.size + 1 + p] : 0;
}

static inline void clock_raise(struct clocks *c, uint32_t p, uint32_t count) {
  if (p >= c->open)
    clock_reach(c, p + 1);
  uint32_t *word = &c->words.at[c->words.size + 1 + p];
  if (*word < count)
    *word = count;
}

static inline void clock_add(struct clocks *c, uint32_t clock) {
  uint32_t length = c->words.at[clock], common = c->open;
  if (length > common)
    VEC_RESERVE(c->words, length + 1);
  uint32_t *to = &c->words.at[c->words.size + 1];
  const uint32_t *from = &c->words.at[clock + 1];
  if (length <= common) {
    clock_raise_all(to, from, length);
    return;
  }
  clock_raise_all(to, from, common);
  clock_copy(to + common, from + common, length - common);
  c->open = length;
}

static inline uint32_t clock_close(struct clocks *c) {
  uint32_t clock = (uint32_t)c->words.size;
  VEC_RESERVE(c->words, c->open + 1);
  c->words.at[clock] = c->open;
  c->words.size += c->open + 1;
  return clock;
}

#endif

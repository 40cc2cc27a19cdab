/* Places that have only two values, as a lock does that is taken or free.
 *
 * Which values threads write to a place that loops look at is noted from the
 * first look on, with those of the execution so far.  A read and an update
 * behind it that relies on two values (retry.c) says so; when a third one is
 * written after all, the place has many values for good and the search begins
 * anew (`stale`).
 *
 * Why nothing is lost: take an execution in which a third value is written
 * between such a read and its update, the first one in which that matters.  An
 * equivalent beginning of it is explored without the read, which only the
 * update follows from.  There the thread is about to read, so that its look is
 * known, and the value is written.
 */
#include "two_values.h"

#include <string.h>

enum { MANY = 3 };

static bool is_one_of(uint64_t value, const uint64_t pair[2]) {
  return value == pair[0] || value == pair[1];
}

static bool is_noted(const struct looked *l, uint64_t value) {
  for (unsigned i = 0; i < l->values; i++)
    if (l->values == MANY || l->value[i] == value)
      return true;
  return false;
}

static void add(struct looked *l, uint64_t value) {
  if (is_noted(l, value))
    return;
  if (l->values < 2)
    l->value[l->values] = value;
  l->values++;
  engine_learns();
  if (!l->relied_on || is_one_of(value, l->pair))
    return;
  l->values = MANY;
  engine.stale = true;
}

static bool writes(const struct record *r, const struct looked *l) {
  for (uint32_t i = 0; i < r->accesses; i++) {
    const struct access *a = &engine.accesses.at[r->first + i];
    if ((a->mode & ACCESS_WRITE) && a->addr == l->addr)
      return true;
  }
  return false;
}

void two_values_written(struct looked *l, const struct record *r) {
  uint64_t value = 0;
  if (l->size > sizeof value || !writes(r, l))
    return;
  memcpy(&value, (const void *)(uintptr_t)l->addr, l->size);
  add(l, value);
}

/* What main wrote while it was alone is there before all threads. */
void two_values_begin(struct looked *l) {
  uint64_t value = 0;
  for (size_t i = 0; i < engine.steps.size && l->size <= sizeof value; i++) {
    const struct record *r = &engine.steps.at[i];
    if ((!r->thread && !r->children) || !writes(r, l))
      continue;
    if (i + 1 < engine.steps.size)
      undo_bytes_before(i + 1, l->addr, (unsigned char *)&value, l->size);
    else
      memcpy(&value, (const void *)(uintptr_t)l->addr, l->size);
    add(l, value);
  }
}

static bool has_only(const struct looked *l, const uint64_t pair[2]) {
  for (unsigned i = 0; i < l->values; i++)
    if (l->values == MANY || !is_one_of(l->value[i], pair))
      return false;
  return true;
}

bool two_values_rely(const struct access *a, uint64_t one, uint64_t other) {
  const uint64_t pair[] = {one, other};
  for (size_t i = 0; i < engine.looked.size; i++) {
    struct looked *l = &engine.looked.at[i];
    if (l->addr != a->addr || l->size != a->size)
      continue;
    if (!has_only(l, pair) || (l->relied_on && !(is_one_of(one, l->pair) &&
                                                 is_one_of(other, l->pair))))
      return false;
    memcpy(l->pair, pair, sizeof pair);
    l->relied_on = true;
    return true;
  }
  return false;
}

/* Before the first step of this execution. */
static uint64_t value_at_first(const struct access *a) {
  uint64_t value = 0;
  undo_bytes_before(0, a->addr, (unsigned char *)&value, a->size);
  return value;
}

bool two_values_other(const struct access *a, uint64_t one, uint64_t *other) {
  for (size_t i = 0; i < engine.looked.size; i++) {
    const struct looked *l = &engine.looked.at[i];
    if (l->addr != a->addr || l->size != a->size || l->values == MANY)
      continue;
    *other = value_at_first(a);
    for (unsigned v = 0; v < l->values; v++)
      if (l->value[v] != one)
        *other = l->value[v];
    return *other != one;
  }
  return false;
}

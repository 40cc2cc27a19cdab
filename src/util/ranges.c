#include "util/ranges.h"

#include <stdio.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------- */

/* The number at *text, and moves behind it. */
static bool take_number(const char **text, int64_t *number) {
  bool negative = **text == '-';
  uint64_t value = 0, most = (uint64_t)INT64_MAX + negative;
  const char *at = *text + negative;
  if (*at < '0' || *at > '9')
    return false;
  for (; *at >= '0' && *at <= '9'; at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (value > (most - digit) / 10)
      return false;
    value = value * 10 + digit;
  }
  *number = negative ? (int64_t)(0 - value) : (int64_t)value;
  *text = at;
  return true;
}

static bool take_range(const char **text, struct range *range) {
  if (!take_number(text, &range->from))
    return false;
  range->to = range->from;
  if (strncmp(*text, "..", 2) != 0)
    return true;
  *text += 2;
  return take_number(text, &range->to) && range->from <= range->to;
}

static bool overlaps(const struct ranges *r, const struct range *new) {
  for (uint64_t i = 0; i < r->count; i++)
    if (r->at[i].from <= new->to &&new->from <= r->at[i].to)
      return true;
  return false;
}

bool ranges_parse(struct ranges *r, const char *text) {
  struct range new;
  memset(r, 0, sizeof *r);
  for (;;) {
    if (!take_range(&text, &new) || overlaps(r, &new) ||
        r->count == RANGES_MOST)
      return false;
    r->at[r->count++] = new;
    if (!*text)
      return true;
    if (*text++ != ',')
      return false;
  }
}

void ranges_print(const struct ranges *r, char text[RANGES_TEXT]) {
  size_t at = 0;
  text[0] = 0;
  for (uint64_t i = 0; i < r->count; i++) {
    long long from = r->at[i].from, to = r->at[i].to;
    at += (size_t)snprintf(text + at, RANGES_TEXT - at, "%s%lld", at ? "," : "",
                           from);
    if (from != to)
      at += (size_t)snprintf(text + at, RANGES_TEXT - at, "..%lld", to);
  }
}

/* ---- numbers ------------------------------------------------------------- */

void ranges_clip(struct ranges *r, int64_t least, int64_t most) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < r->count; i++) {
    struct range one = r->at[i];
    if (one.from < least)
      one.from = least;
    if (one.to > most)
      one.to = most;
    if (one.from <= one.to)
      r->at[kept++] = one;
  }
  r->count = kept;
}

/* How many there are besides the first. */
static uint64_t more_than_one(const struct range *range) {
  return (uint64_t)range->to - (uint64_t)range->from;
}

uint64_t ranges_size(const struct ranges *r) {
  uint64_t size = 0;
  for (uint64_t i = 0; i < r->count; i++) {
    uint64_t more = more_than_one(&r->at[i]);
    if (more >= UINT64_MAX - size)
      return UINT64_MAX;
    size += more + 1;
  }
  return size;
}

int64_t ranges_nth(const struct ranges *r, uint64_t position) {
  const struct range *range = r->at;
  for (; position > more_than_one(range); range++)
    position -= more_than_one(range) + 1;
  return (int64_t)((uint64_t)range->from + position);
}

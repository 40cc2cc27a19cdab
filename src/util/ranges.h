/* Whole numbers as people list them: "0,1,5..9". */
#ifndef UTIL_RANGES_H
#define UTIL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGES_MOST 16

struct range {
  int64_t from, to; /* from <= to */
};

/* All zero is the empty list. */
struct ranges {
  uint64_t count;
  struct range at[RANGES_MOST];
};

/* So many bytes hold every list as text. */
enum { RANGES_TEXT = RANGES_MOST * 44 };

/* False if the text is no such list, has a number twice, or is too long. */
bool ranges_parse(struct ranges *, const char *text);
void ranges_print(const struct ranges *, char text[RANGES_TEXT]);

/* Leaves only numbers from `least` to `most`. */
void ranges_clip(struct ranges *, int64_t least, int64_t most);

/* How many numbers there are, or UINT64_MAX if there are more. */
uint64_t ranges_size(const struct ranges *);
/* The one at this position. */
int64_t ranges_nth(const struct ranges *, uint64_t position);

#endif

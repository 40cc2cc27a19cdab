/* What a part of a search has found, and what is left of it: as text, for
 * another process (native_crew.c) or for later (native_checkpoint.c).
 *
 * A unit, the part that is left to do, is written by the algorithm: see `give`
 * in core/search.h.
 */
#ifndef SESSION_NATIVE_RESULT_H
#define SESSION_NATIVE_RESULT_H

#include "core/search.h"
#include "session/native_parts.h"
#include "util/packed.h"

/* Where the parts lie in the text. */
struct native_result {
  uint64_t mark;
  uint32_t result; /* enum explore_result */
  uint8_t error;
  uint8_t raced;
  uint16_t unused;
  struct counters counters;
  struct native_part {
    const char *at;
    size_t size;
  } limits, messages, outcomes, seen; /* see core/search.h for `seen` */
  struct native_part left;            /* a unit */
};

/* What was found so far, and this unit. */
void result_write(struct session *, enum explore_result, const char *refusal,
                  const struct text *left, struct text *to);

/* False: it is not whole.  The parts are valid as long as the text. */
bool result_read(struct native_result *, const char *, size_t);

/* Adds what was found.  The unit is the caller's to do. */
bool result_add(struct session *, const struct native_result *);

/* Adds to all counters. */
void counters_add(struct counters *, const struct counters *);

#endif

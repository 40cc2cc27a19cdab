/* What an exploration has found so far: distinct findings, distinct outcomes.
 */
#ifndef SESSION_COLLECT_H
#define SESSION_COLLECT_H

#include <stdint.h>

#include "core/system.h"
#include "util/table.h"
#include "util/vec.h"

/* keep */
struct outcome {
  uint64_t count;
  unsigned status; /* that the program ended with */
  size_t text;     /* offset in collection.texts */
  size_t length;
};

struct collection {
  VEC(uint64_t) findings; /* their hashes */
  VEC(struct outcome) outcomes;
  VEC(char) texts;
  struct table by_text; /* finds outcomes */
};

/* True the first time that a finding of this kind, place and text comes. */
bool collect_finding(struct collection *, const struct finding *, bool warning);

/* True the first time that this outcome comes. */
bool collect_outcome(struct collection *, const char *text, size_t length,
                     unsigned status);

/* The same, for an outcome of so many executions. */
bool collect_outcomes(struct collection *, const char *text, size_t length,
                      unsigned status, uint64_t count);

void collection_forget_outcomes(struct collection *);

void collection_free(struct collection *);

#endif

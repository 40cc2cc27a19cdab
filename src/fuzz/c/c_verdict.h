/* What an exploration of a C program says, and what it should have said. */
#ifndef FUZZ_C_C_VERDICT_H
#define FUZZ_C_C_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/system.h"
#include "fuzz/c/c_program.h"
#include "fuzz/real/claims.h"

/* Sorted, each text once, after c_verdict_settle. */
typedef VEC(char *) text_set;

struct c_verdict {
  bool complete;
  bool unclear; /* a loop was wrongly taken for waiting */
  uint64_t executions, blocked;
  uint64_t traces;   /* naive only */
  unsigned kinds;    /* of errors and races: 1 << FINDING_ASSERTION ... */
  text_set outcomes; /* all that executions without error print */
  text_set errors;   /* "assertion c": kind and place; deadlocks without */
  text_set races;    /* "1a0 1c4": two places in the code */
};

/* A finding's place is a line, or an address in the code; `other` is that of a
 * race's other access. */
void c_verdict_add_finding(struct c_verdict *, enum finding_kind,
                           uint64_t place, uint64_t other);
void c_verdict_add_outcome(struct c_verdict *, const char *output,
                           size_t length, unsigned status);
void c_verdict_settle(struct c_verdict *);
void c_verdict_free(struct c_verdict *);

/* What is wrong.  `what` is the same for all programs that show the same. */
struct c_complaint {
  char what[80];
  char more[400];
};

bool c_complain(struct c_complaint *, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* These return false with a complaint. */

/* Does this algorithm say what the judge says?  The judge is `naive`, or, if
 * there are too many interleavings, has no `traces`. */
bool c_verdict_agrees(const struct c_verdict *, const char *algorithm,
                      const struct c_verdict *judge, struct c_complaint *);
/* Has the judge all that `naive` found in a part of the interleavings? */
bool c_verdict_within(const struct c_verdict *part,
                      const struct c_verdict *judge, struct c_complaint *);
/* Is it the same in all that does not depend on the way of going back? */
bool c_verdict_same(const struct c_verdict *, const struct c_verdict *,
                    const char *option, struct c_complaint *);
/* Does it say what is known about the program? */
bool c_verdict_fits(const struct c_verdict *, const struct c_program *,
                    struct c_complaint *);
/* Does the report say the same? */
bool c_verdict_reported(const struct c_verdict *, const struct claims *,
                        struct c_complaint *);

/* May the program hang? */
bool c_verdict_hangs(const struct c_verdict *);
/* May a real run have ended like this? */
bool c_verdict_allows(const struct c_verdict *, const struct real_result *,
                      struct c_complaint *);

#endif

/* What an exploration of a C program says, and what it should have said. */
#ifndef FUZZ_C_VERDICT_H
#define FUZZ_C_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "fuzz/c_program.h"

/* Sorted, each text once, after c_verdict_settle. */
typedef VEC(char *) text_set;

struct c_verdict {
  bool complete;
  uint64_t executions, blocked;
  uint64_t traces;   /* naive only */
  text_set outcomes; /* all that executions without error print */
  text_set errors;   /* "assertion 12": kind and line; deadlocks without line */
  text_set races;    /* "12 17": lines */
  struct {           /* the error or warning that is being read */
    char kind[24];
    unsigned line, other;
  } at;
};

/* Takes a value of the JSON object; the context is the verdict. */
void c_verdict_take(void *context, const char *path, const char *value);
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
/* Is it the same in all that does not depend on the way of going back? */
bool c_verdict_same(const struct c_verdict *, const struct c_verdict *,
                    const char *option, struct c_complaint *);
/* Does it say what is known about the program? */
bool c_verdict_fits(const struct c_verdict *, const struct c_program *,
                    struct c_complaint *);

/* May a real run have ended like this?  `status` is its exit code, or 128 + a
 * signal. */
bool c_verdict_allows(const struct c_verdict *, const char *output, int status,
                      struct c_complaint *);

#endif

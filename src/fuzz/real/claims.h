/* What heddle says about a program: all that can happen. */
#ifndef FUZZ_REAL_CLAIMS_H
#define FUZZ_REAL_CLAIMS_H

#include <stdbool.h>

#include "host/word_list.h"
#include "core/system.h"
#include "fuzz/real/real_threads.h"
#include "util/vec.h"

struct claim {
  char *output;
  bool status_known;
  unsigned status;
  bool seen; /* has happened */
};

struct claims {
  bool complete;
  char *limit;    /* why it is not complete, or NULL */
  unsigned kinds; /* of errors, warnings included: 1 << FINDING_ASSERTION ... */
  VEC(struct claim) outcomes;
};

/* Runs `heddle check` with these words and all it needs to say everything.
 * The result is its exit code; above 1 except 3 there are no claims.
 * PROCESS_KEEP throws its complaints away, PROCESS_COLLECT shows them. */
int claims_check(struct claims *, const struct word_list *words,
                 const char *folder, enum process_output);

/* The same for a report that is there already; false if it is none. */
bool claims_read(struct claims *, const char *json);

/* The kinds of error that end a run like this, as in `kinds`; 0: none does. */
unsigned claims_kinds(const struct real_result *);

/* Is that among the claims?  Marks an outcome that is as seen. */
bool claims_allow(struct claims *, const struct real_result *);

/* Has the program undefined behaviour in some execution?  Then the machine may
 * do anything. */
bool claims_undefined(const struct claims *);

bool claims_have(const struct claims *, enum finding_kind);
size_t claims_seen(const struct claims *);
void claims_free(struct claims *);

#endif

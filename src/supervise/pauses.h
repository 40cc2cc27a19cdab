/* What is done while a search pauses: hunts (hunting.h) and turns of another
 * search (turns.h).  The search knows nothing of it: its counts and its verdict
 * are what they are without pauses. */
#ifndef SUPERVISE_PAUSES_H
#define SUPERVISE_PAUSES_H

#include "supervise/hunting.h"
#include "supervise/turns.h"

struct pauses {
  struct hunter hunter;
  struct turns turns;
  uint64_t due; /* the steps of the search at the next pause */
};

/* The search pauses for what has been prepared. */
void pauses_prepare(struct pauses *, struct run_request *search);
void pauses_free(struct pauses *);

/* The search has ended: is another one to follow (turns_follow())? */
bool pauses_follow(struct pauses *, struct run *);

/* If the search has ended because another one has a result: takes it. */
bool pauses_take_result(struct pauses *, struct run *);

#endif

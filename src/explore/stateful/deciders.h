/* Which processes decide what they touch, and rather move early.
 *
 * A future in which a process may touch something, or may not, is one of many
 * ways: what the process does is not decided yet.  If e ran before that was
 * decided, then an access f of the future that some executions do not have is
 * in a race with e.  To reverse it, everything must be run again without e, in
 * each of these ways.  Had the process of f moved first, the states behind its
 * decision would have said whether there is a race at all.
 *
 * So each such race is a vote: f's process rather before e's.  After some
 * executions the search begins anew, and a free choice takes a process that
 * more of the others come after.  Any order finds everything.
 */
#ifndef EXPLORE_STATEFUL_DECIDERS_H
#define EXPLORE_STATEFUL_DECIDERS_H

#include <stdbool.h>
#include <stdint.h>

enum { DECIDERS_MOST = 64 }; /* processes; those behind have no rank */

/* keep */
struct deciders {
  uint32_t votes[DECIDERS_MOST][DECIDERS_MOST]; /* [a][b]: a before b */
  int32_t rank[DECIDERS_MOST];                  /* the greatest one is first */
  uint64_t executions;                          /* since the search began */
  unsigned lessons;
};

/* Rather process a before process b. */
void deciders_vote(struct deciders *, uint32_t a, uint32_t b);

/* An execution has ended.  True: there is a new order, and the search should
 * begin anew. */
bool deciders_learn(struct deciders *);

#endif

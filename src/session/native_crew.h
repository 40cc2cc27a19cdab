/* Several exploring processes share one search (--jobs).
 *
 * The processes are forks of the one that was started, so that each has the
 * state of the program, and all that was learnt about it, from the beginning.
 * Between two executions a process that finds a place free forks, and gives the
 * older half of its schedules to the child.  A process that has nothing left
 * leaves its place and waits for its children.  It adds what they found to its
 * own, and tells its parent.
 *
 * One process would explore its own schedules first, then those of the child
 * that was forked last, and so on.  Results are added in this order.  So the
 * first error is the one that a single process finds, after the same number of
 * executions; what comes after it does not count.
 *
 * A parent keeps what it gave away until the child has told its result.  If the
 * child dies before that, its own children die with it, and the parent explores
 * those schedules itself.
 */
#ifndef SESSION_NATIVE_CREW_H
#define SESSION_NATIVE_CREW_H

#include "core/search.h"
#include "session/native_parts.h"

/* Before explore(), if --jobs says more than 1. */
void crew_begin(struct session *);

/* Is this another process than the one that was started? */
bool crew_is_child(void);

/* For the listener. */
enum share crew_share(void *session);
enum share crew_await(void *session);
void crew_restart(struct session *);
/* As explorer_done(), for all processes together. */
double crew_done(const struct session *);

/* Often: now and then it shows what was counted here.  False: it did not, and
 * nothing else needs to be shown now. */
bool crew_progress(struct session *);

/* Between two executions of the process that was started: takes back all that
 * is left to do, and adds all that was found.  False: all begin anew, or what
 * is left cannot be written down. */
bool crew_fold(struct session *);

/* At the end of explore().  In a child: tells the parent, and does not return.
 * Otherwise: the result of all processes together. */
enum explore_result crew_end(struct session *, enum explore_result);

/* Why the program cannot be checked. */
const char *crew_refusal(const struct session *);

/* Sends a message to the command, in its turn. */
void crew_send(struct session *, enum message_type, const void *head,
               size_t head_size, const void *rest, size_t rest_size);

#endif

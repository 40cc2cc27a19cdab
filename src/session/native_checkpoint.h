/* A search is written down, to go on later (--checkpoint, heddle resume).
 *
 * What is written: what the system has learnt, what was found so far, and the
 * unit that is left to do (native_result.h).  Executions are counted in the one
 * or left in the other, so that the counts of a search that goes on are those
 * of one that was never stopped.
 */
#ifndef SESSION_NATIVE_CHECKPOINT_H
#define SESSION_NATIVE_CHECKPOINT_H

#include "session/native_parts.h"

/* Does the command want one? */
bool checkpoint_is_due(const struct session *);

/* Between two executions: sends what is due. */
void checkpoint_share(struct session *);

/* The process is only to split what is left (control.split), and can: does not
 * return.  Between two executions, or where the algorithm waits. */
void checkpoint_split(struct session *);

/* At the end of the search: what is left, if something is. */
void checkpoint_end(struct session *, enum explore_result);

/* The search begins anew.  Does not return if others explore parts of it. */
void checkpoint_restart(struct session *);

/* Before the first execution: learns and takes what was written.  False: there
 * is nothing of that kind. */
bool checkpoint_begin(struct session *);

#endif

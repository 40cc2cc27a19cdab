/* One search by many exploring processes, on many machines (cluster.h).
 *
 * Rank 0 has the list of all that is left to do and all that was found, in the
 * order in which one process would explore it.  It hands out items of the list,
 * several at a time.  What comes back takes their place: a result, and items
 * that are left.  An item that is handed out stays in the list until then, so
 * nothing is lost or counted twice if a worker dies.
 *
 * When a worker has nothing to do and there is no item, another worker is asked
 * to return what it has left.  All that a worker keeps in mind is its unit.
 *
 * If a result ends the search (an error without --keep-going), what comes
 * behind it in the list does not count; what comes before is still explored.
 * So the error that is reported, and the number of executions until then, are
 * those of one process.
 *
 * With some algorithms a part goes back to what gave it (run_request.returns).
 * Then the list has one item that all others come from.  It is split again when
 * something has come back and a worker has nothing to do.
 *
 * If a worker finds that steps are too coarse, all begin anew with what it has
 * learnt.
 */
#ifndef SUPERVISE_COORDINATE_H
#define SUPERVISE_COORDINATE_H

#include "supervise/cluster.h"
#include "supervise/supervise.h"

/* Rank 0: as supervise(). */
bool coordinate(struct cluster *, const struct run_request *, struct run *);

/* Other ranks: explore what rank 0 gives them, until the search is over. */
void cluster_work(struct cluster *, const struct run_request *);

/* Rank 0 has nothing for the others to do. */
void cluster_dismiss(struct cluster *);

#endif

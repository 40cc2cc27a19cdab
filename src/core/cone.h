/* What an event follows from.
 *
 * The cone of an event is the event, what its process did before, what made it
 * possible, the writes that left what it read, and their cones.  It can be run
 * without the rest of the execution and does the same: who reads, reads what
 * the same writes left.  An operation that waits for a change (STEP_AWAIT)
 * follows from all writes before it: which of them changed anything depends on
 * them all.
 */
#ifndef CORE_CONE_H
#define CORE_CONE_H

#include "core/trace.h"

/* Is one of these events in the cone of the newest one, and not that one? */
bool cone_has(const struct trace *, const uint32_t *positions, size_t count);

#endif

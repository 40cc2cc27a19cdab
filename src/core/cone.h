/* The events that an event follows from.
 *
 * The cone of an event is the event, the earlier events of its process, its
 * cause, the writes whose values it read, and their cones.  The cone can be run
 * without the rest of the execution, and its events do the same: every read
 * finds the value of the same write.  An await (STEP_AWAIT) follows from all
 * writes before it: which of them changed the value depends on all of them.
 */
#ifndef CORE_CONE_H
#define CORE_CONE_H

#include "core/trace.h"

/* Is one of these events in the cone of the newest event, apart from the newest
 * event itself? */
bool cone_has(const struct trace *, const uint32_t *positions, size_t count);

#endif

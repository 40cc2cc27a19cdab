/* Futures that came before, by name.
 *
 * In many programs there are few futures: they come again in states with other
 * contents.  Such a future is kept, and has a number as its name.  What becomes
 * of it by a step, or together with another one, is worked out once and
 * remembered.
 *
 * Where most states have a future of their own, that would take memory for
 * nothing: so many futures have names, and others have none.
 */
#ifndef EXPLORE_STATEFUL_NAMED_FUTURES_H
#define EXPLORE_STATEFUL_NAMED_FUTURES_H

#include "explore/stateful/known_states.h"

/* Allows so many names as fit into an eighth of the budget, in bytes. */
void named_allow(struct known_states *, uint64_t budget);

/* Makes the future of the state after the event that of the state before it. */
void named_before(struct known_states *, struct state_future *,
                  const struct trace *, const struct event *,
                  const struct handover *);

/* Adds the second future to the first one.  Its contents are lost. */
void named_move(struct known_states *, struct state_future *to,
                struct state_future *from);

/* As known_intern(). */
struct known_future named_intern(struct known_states *, struct state_future *);

#endif

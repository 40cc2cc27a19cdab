/* What the layer above the native system needs of it, and gives to it. */
#ifndef NATIVE_DESCRIBE_H
#define NATIVE_DESCRIBE_H

#include "core/system.h"
#include "core/wire.h"

/* One message to the supervising command: a head of fixed size, then the rest.
 * Does nothing if nobody listens. */
void wire_send(enum message_type, const void *head, size_t head_size,
               const void *rest, size_t rest_size);

/* The last step, in words for people: value, heap block, ...  Returns its site,
 * "" if it has none. */
const char *native_describe(struct system *, struct wire_step *);
void native_describe_thread(struct system *, unsigned thread,
                            struct wire_thread *);

/* Whether accesses to memory that is not shared may be parts of other steps. */
void native_hide(bool);

/* Whether accesses to data are no steps at all (--interfere=locks). */
void native_set_apart(bool);

/* How many accesses of its thread are part of the step at this position, and
 * how many a thread makes before its first step.  Without hiding each would be
 * a step. */
uint32_t native_hidden(size_t position);
uint32_t native_hidden_first(uint32_t thread);

/* The number of the nth thread (from 0) that was created in the step at this
 * position; false if there were fewer. */
bool native_created(size_t position, uint32_t nth, uint32_t *thread);

/* Called right before the first step of a replay: a place for a debugger to
 * stop at. */
void heddle_replay_begin(void);

/* Given from above: explores or replays, as the control file says, and sends
 * all messages. */
void run_native(struct system *, struct control *);

#endif

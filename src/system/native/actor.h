/* Between actor.c, what checks declarations, and thread.c. */
#ifndef NATIVE_ACTOR_H
#define NATIVE_ACTOR_H

#include "heddle_actor.h"
#include "system/native/sync.h"

/* thread.c: the next child of the running thread begins in `run`, in the step
 * at hand.  `handler` names it in reports. */
struct thread *thread_start_task(void *task, void (*run)(struct thread *),
                                 void (*handler)(void));

/* actor.c: the address of the type of the actor at this one, for reports. */
uint64_t actor_type_of(uint64_t actor);

/* actor_declared.c: may a handler of an actor of type `from` (NULL: main) send
 * this message?  Fails the running thread if not. */
void declared_check(const struct heddle_actor_type *from,
                    heddle_handler *sender, const struct heddle_actor_type *to,
                    heddle_handler *handler, uint64_t pc);

#endif

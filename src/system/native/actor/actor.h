/* Actors and tasks as data, shared by actor*.c, footprint.c and thread.c. */
#ifndef SYSTEM_NATIVE_ACTOR_ACTOR_H
#define SYSTEM_NATIVE_ACTOR_ACTOR_H

#include "heddle_actor.h"
#include "system/native/pthread/sync.h"

/* prog: the first bytes are not written after its creation. */
struct heddle_actor {
  uint32_t life;
  uint32_t number;
  uint32_t flags;
  const struct heddle_actor_type *type;
  void *state;
  struct heddle_future **last; /* HEDDLE_FIFO: by sender, its last message */
};

/* prog: a message, the task for it, and the future of its result. */
struct heddle_future {
  uint32_t life;
  uint32_t ended;
  uint32_t begun;
  uint32_t forgotten;
  uint8_t replied;
  uint8_t counted; /* heddle_run() knows that it has ended */
  uint32_t asker;  /* the thread that sent it */
  struct heddle_actor *actor;
  heddle_handler *handler;
  void *message;
  size_t size; /* of the message */
  void *result;
  struct thread *thread;        /* NULL: main has not run it yet */
  struct heddle_future *before; /* in its line */
  struct heddle_future *next;   /* in main's outbox */
};

/* thread.c: the next child of the running thread begins in `run`, in the step
 * at hand.  `handler` names it in reports. */
struct thread *thread_start_task(void *task, void (*run)(struct thread *),
                                 void (*handler)(void));

/* actor.c: the address of the type of the actor at this address, for
 * reports. */
uint64_t actor_type_of(uint64_t actor);

/* actor_declared.c: may a handler of an actor of type `from` (NULL: main) send
 * this message?  Fails the running thread if not. */
void declared_check(const struct heddle_actor_type *from,
                    heddle_handler *sender, const struct heddle_actor_type *to,
                    heddle_handler *handler, uint64_t pc);

/* What the type declares about a handler, NULL: nothing. */
const struct heddle_handles *declared_find(const struct heddle_actor_type *,
                                           heddle_handler *);

/* Is it declared what the tasks of this actor touch and send? */
bool declared_entirely(const struct heddle_actor *);

/* A task of `from` (NULL: main) has created this actor.  Fails the running
 * thread if it may not, or if the types of two actors declare different things
 * of one handler. */
void declared_check_actor(const struct heddle_actor *from,
                          const struct heddle_actor *, uint64_t pc);

/* actor_private.c: the running task touches these bytes, or a future.  Fails
 * the task if its actor is HEDDLE_PRIVATE and it may not. */
void private_check(const struct heddle_future *task, const struct access *,
                   uint64_t pc);
void private_check_future(const struct heddle_future *task,
                          const struct heddle_future *, const char *what,
                          uint64_t pc);

/* The task creates a thread. */
void private_check_thread(const struct heddle_future *task, uint64_t pc);

/* actor.c: the number of actors in all executions so far; the i-th of them,
 * NULL if it does not exist in this execution. */
size_t actor_most(void);
const struct heddle_actor *actor_get(size_t i);

/* actor.c: are these the bytes of an actor itself, or of lines to one? */
bool actor_at(uint64_t addr);
bool actor_has_line(uint64_t addr);

/* actor.c: the actor whose state the address lies in, or NULL. */
const struct heddle_actor *actor_with_state(uint64_t addr);

#endif

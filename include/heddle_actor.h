/* Actors in C: programs of tasks and messages, and their checking with heddle.
 *
 * An actor has a state of its own and runs one task at a time.  A task handles
 * one message.  Its handler, a C function, gets the actor's state and the
 * message.  It may change the state, send messages, create actors, and await
 * results of other tasks.  While it awaits, other tasks of its actor run.
 * Nothing else interrupts a task: between two awaits it has the actor to
 * itself.
 *
 *   struct account { int balance; };
 *   static const struct heddle_actor_type account_type = {
 *       .name = "account", .size = sizeof(struct account)};
 *
 *   static void deposit(void *state, void *message) {
 *     struct account *account = state;
 *     account->balance += *(int *)message;
 *   }
 *
 *   int main(void) {
 *     struct heddle_actor *account = heddle_spawn(&account_type, NULL);
 *     heddle_send(account, deposit, HEDDLE_MESSAGE(int, 5));
 *     heddle_send(account, deposit, HEDDLE_MESSAGE(int, 7));
 *     heddle_run();
 *     assert(((struct account *)heddle_state(account))->balance == 12);
 *   }
 *
 * As a program: `cc program.c -lheddle_actor -lpthread`.  Tasks of different
 * actors run in parallel, in a pool of threads.  Checked: `heddle check
 * program.c`.  heddle tries all orders that matter; a task is one step up to
 * its end or next await.
 *
 * Messages arrive in any order, also those of one sender.  The exception is a
 * receiver of a type with HEDDLE_FIFO: there the tasks for messages of one
 * sender begin in the order in which they were sent.
 */
#ifndef HEDDLE_ACTOR_H
#define HEDDLE_ACTOR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_actor;
struct heddle_future;

/* `state` is that of the receiving actor.  `message` is the task's own copy of
 * the message, NULL if it has no bytes. */
typedef void heddle_handler(void *state, void *message);

enum {
  HEDDLE_FIFO = 1, /* messages of one sender are not reordered */
  /* Its tasks touch only the state, their message, memory that they allocated
   * and results that they awaited.  They may read other variables, but not
   * write them, and create no threads.  heddle reports a violation as an
   * error. */
  HEDDLE_PRIVATE = 2,
};

/* For declarations: a handler, and the handlers of the messages that it may
 * send. */
struct heddle_handles {
  heddle_handler *handler;
  heddle_handler *const *sends; /* the last is NULL; NULL: it sends nothing */
};

struct heddle_actor_type {
  const char *name; /* for reports */
  size_t size;      /* of the state, in bytes */
  unsigned flags;   /* HEDDLE_FIFO, HEDDLE_PRIVATE, both or 0 */
  /* Optional: all handlers of actors of this type; the last is NULL.  A message
   * for another handler is an error, and so is one that its sender does not
   * declare.  Under heddle two types with the same handler must declare the
   * same messages for it, and tasks of a type with both HEDDLE_PRIVATE and
   * `handles` create only actors of types with both. */
  const struct heddle_handles *handles;
};

/* A message or result of this type with this value, for the functions below:
 * heddle_send(actor, handler, HEDDLE_MESSAGE(struct point, 3, 4)). */
#ifndef __cplusplus
#define HEDDLE_MESSAGE(type, ...) (&(type){__VA_ARGS__}), sizeof(type)
#endif
#define HEDDLE_NOTHING NULL, 0

/* ---- from main and from tasks ------------------------------------------ */

/* A new actor.  Its state is a copy of *initial, or zero.  Actors live as long
 * as the program. */
struct heddle_actor *heddle_spawn(const struct heddle_actor_type *,
                                  const void *initial);

/* All actors behave as if their types had these flags, too.  Call it before the
 * first actor is created. */
void heddle_defaults(unsigned flags);

/* Sends a message: a handler and its argument, `size` bytes that are copied. */
void heddle_send(struct heddle_actor *to, heddle_handler *, const void *message,
                 size_t size);

/* The same; returns a future of the result that the task will reply. */
struct heddle_future *heddle_ask(struct heddle_actor *to, heddle_handler *,
                                 const void *message, size_t size);

/* Has the task ended? */
bool heddle_is_done(const struct heddle_future *);

/* The reply of the task, which must have ended; NULL if it did not reply. */
const void *heddle_result(const struct heddle_future *);

/* The future and its result are not needed any more.  Optional. */
void heddle_forget(struct heddle_future *);

/* ---- from tasks only --------------------------------------------------- */

/* The actor of this task. */
struct heddle_actor *heddle_self(void);

/* The result of this task, `size` bytes that are copied; once at most. */
void heddle_reply(const void *result, size_t size);

/* Waits for the end of the asked task; meanwhile the actor handles other
 * messages.  Returns what heddle_result() does. */
const void *heddle_await(const struct heddle_future *);
#define HEDDLE_AWAIT(type, future) (*(const type *)heddle_await(future))

/* ---- from main only ---------------------------------------------------- */

/* Delivers the messages that main has sent and returns when all tasks have
 * ended.  If tasks are left and none can go on, that is a deadlock, an
 * error. */
void heddle_run(void);

/* An actor's state, while no task runs. */
void *heddle_state(const struct heddle_actor *);

#ifdef __cplusplus
}
#endif

#endif

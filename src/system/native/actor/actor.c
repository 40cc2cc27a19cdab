/* Actors: the functions of heddle_actor.h where a program is checked.
 *
 * A task is a thread, the next child of the thread that sends its message, so
 * that it is the same thread in every execution.  It is announced as an atomic
 * block that lasts up to its end or next await.  So tasks exclude each other
 * without a lock, and the hooks collect the footprint of a task's step.  An
 * actor's queue is no object: sending two messages that may arrive in any order
 * touches no common memory, and a task whose message waits is an enabled
 * thread.
 *
 * What orders tasks:
 *   - a task comes after the step that sent its message (its cause);
 *   - the step after an await comes after the last step of the awaited task
 *     (its cause), so that an await need not touch anything;
 *   - with HEDDLE_FIFO, sending writes the end of the line from this sender to
 *     this actor, and a task whose message is not the first in its line begins
 *     with a step that waits until the task before it has begun;
 *   - the last step of a task writes its `ended`, which heddle_run(),
 *     heddle_is_done() and heddle_result() read.
 *
 * Every step of a task reads the first bytes of its actor, which are never
 * written: from these core/datarace.c knows the task's actor.
 *
 * Main is no task.  Its messages wait until it calls heddle_run(): one step
 * creates their tasks, another step waits for the end of all tasks.
 */
#include "system/native/actor/actor.h"
#include "system/native/engine/learnt.h"
#include "system/native/engine/timekeeping.h"

#include <stdlib.h>
#include <string.h>

#include "system/native/engine/engine.h"
#include "system/native/libc/heap.h"
#include "system/native/verify/memory.h"
#include "system/native/base/real.h"
#include "util/vec.h"

enum {
  ACTORS = 1024, /* main counts as one: it is a sender */
  ACTOR_LIFE = 0x4163744f,
  TASK_LIFE = 0x5461534b,
};

typedef struct heddle_future task;

PROG static uint32_t unfinished;  /* tasks begun by a run and not ended */
PROG static task *outbox;         /* messages that main has sent ... */
PROG static task *outbox_last;    /* ... and the last of them */
PROG static uint32_t all_flags;   /* heddle_defaults() */
PROG static uint32_t actor_count; /* alive in this execution */

/* ---- the caller: main or a task --------------------------------------- */

static task *task_at_hand(void) {
  return self ? self->task : NULL;
}

static task *task_only(const char *what, uint64_t pc) {
  task *t = task_at_hand();
  if (!t)
    fail(FINDING_MISUSE, pc, "%s outside a task", what);
  return t;
}

/* Main's own state may be read between its steps: no other thread touches
 * it. */
static void main_or_task(const char *what) {
  if (!self)
    refuse("%s before main", what);
  if (engine.apart)
    refuse(
        "%s with --interfere=locks is not supported: a task is an atomic block",
        what);
  if (self->id && !self->task)
    refuse("%s in a thread: only main and tasks may use actors", what);
}

static void main_only(const char *what, uint64_t pc) {
  main_or_task(what);
  if (self->id)
    fail(FINDING_MISUSE, pc, "%s in a task", what);
}

/* Fresh memory of the running thread, zero. */
static void *allocate(size_t size, uint64_t pc) {
  return heap_allocate(size ? size : 1, 16, pc);
}

/* For data of the runtime, which no step declares. */
static void *allocate_own(size_t size, uint64_t pc) {
  void *at = allocate(size, pc);
  heap_own(at);
  return at;
}

/* No other thread knows the copy, so writing it is no event. */
static void *copy(const void *from, size_t size, uint64_t pc) {
  if (!size)
    return NULL;
  void *to = allocate(size, pc);
  undo_note(to, size);
  memcpy(to, from, size);
  return to;
}

/* Announces a read of the bytes: part of the step at hand in a task, else a
 * step of its own. */
static void announce_reading(enum op kind, const void *from, size_t size,
                             uint64_t pc) {
  struct access access = {(uintptr_t)from, (uint32_t)size, 0};
  struct operation op = {
      .op = kind, .pc = pc, .accesses = size ? 1 : 0, .access = &access};
  if (size > UINT32_MAX)
    refuse("a message of %zu bytes; up to %u are supported", size, UINT32_MAX);
  if (size && !from)
    fail(FINDING_MISUSE, pc, "a message of %zu bytes at a null pointer", size);
  visible(&op);
  if (size)
    heap_check(from, size, false, pc);
}

/* ---- actors ----------------------------------------------------------- */

static struct heddle_actor *actor_of(const struct heddle_actor *actor,
                                     const char *what, uint64_t pc) {
  if (!actor || actor->life != ACTOR_LIFE)
    fail(FINDING_MISUSE, pc, "%s something that is not an actor", what);
  return (struct heddle_actor *)(uintptr_t)actor;
}

/* keep: the place of the actor with this number.  The same actor has the same
 * place, and so the same number, in every execution. */
static VEC(const struct heddle_actor *) places;

static uint32_t number_of(const struct heddle_actor *actor) {
  for (uint32_t i = 0; i < places.size; i++)
    if (places.at[i] == actor)
      return 1 + i;
  if (places.size + 1 == ACTORS)
    refuse("more than %d actors", ACTORS - 1);
  VEC_PUSH(places, actor);
  engine_learns();
  return (uint32_t)places.size;
}

size_t actor_most(void) {
  return places.size;
}

const struct heddle_actor *actor_get(size_t i) {
  return places.at[i]->life == ACTOR_LIFE ? places.at[i] : NULL;
}

const struct heddle_actor *actor_with_state(uint64_t addr) {
  for (size_t i = 0; i < places.size; i++) {
    const struct heddle_actor *a = actor_get(i);
    if (a && addr - (uintptr_t)a->state < a->type->size)
      return a;
  }
  return NULL;
}

bool actor_at(uint64_t addr) {
  for (size_t i = 0; i < places.size; i++)
    if (actor_get(i) && addr - (uintptr_t)places.at[i] < sizeof *places.at[i])
      return true;
  return false;
}

bool actor_has_line(uint64_t addr) {
  for (size_t i = 0; i < places.size; i++) {
    const struct heddle_actor *a = actor_get(i);
    if (a && a->last && addr - (uintptr_t)a->last < ACTORS * sizeof *a->last)
      return true;
  }
  return false;
}

static void check_type(const struct heddle_actor_type *type, uint64_t pc) {
  if (!type)
    fail(FINDING_MISUSE, pc, "an actor without a type");
  if (type->flags & ~(unsigned)(HEDDLE_FIFO | HEDDLE_PRIVATE))
    fail(FINDING_MISUSE, pc, "the type of an actor has unknown flags %#x",
         type->flags);
  memory_exempt(type, sizeof *type);
}

INTERPOSED struct heddle_actor *
heddle_spawn(const struct heddle_actor_type *type, const void *initial) {
  uint64_t pc = CALLER;
  main_or_task("an actor is created");
  check_type(type, pc);
  announce_reading(OP_SPAWN, initial, initial ? type->size : 0, pc);
  struct heddle_actor *actor = allocate_own(sizeof *actor, pc);
  uint32_t flags = type->flags | all_flags;
  SET(*actor, ((struct heddle_actor){
                  .life = ACTOR_LIFE,
                  .number = number_of(actor),
                  .flags = flags,
                  .type = type,
                  .state = initial ? copy(initial, type->size, pc)
                                   : allocate(type->size, pc),
                  .last = flags & HEDDLE_FIFO
                              ? allocate_own(ACTORS * sizeof *actor->last, pc)
                              : NULL}));
  SET(actor_count, actor_count + 1);
  declared_check_actor(task_at_hand() ? task_at_hand()->actor : NULL, actor,
                       pc);
  return actor;
}

INTERPOSED void heddle_defaults(unsigned flags) {
  main_only("heddle_defaults", CALLER);
  if (flags & ~(unsigned)(HEDDLE_FIFO | HEDDLE_PRIVATE))
    fail(FINDING_MISUSE, CALLER, "heddle_defaults with unknown flags %#x",
         flags);
  if (actor_count)
    fail(FINDING_MISUSE, CALLER, "heddle_defaults after an actor was created");
  SET(all_flags, flags);
}

INTERPOSED void *heddle_state(const struct heddle_actor *actor) {
  main_only("heddle_state", CALLER);
  return actor_of(actor, "heddle_state of", CALLER)->state;
}

INTERPOSED struct heddle_actor *heddle_self(void) {
  return task_only("heddle_self", CALLER)->actor;
}

uint64_t actor_type_of(uint64_t actor) {
  const struct heddle_actor *at = (const void *)(uintptr_t)actor;
  return (uintptr_t)at->type;
}

/* ---- a task ----------------------------------------------------------- */

/* Places are return addresses: a handler's is behind its first byte. */
static uint64_t place_of(const task *t) {
  return (uintptr_t)t->handler + 1;
}

static bool turn_has_come(const struct operation *op) {
  const task *t = op->object;
  return t->before->begun;
}

static void wait_for_turn(task *t) {
  struct access access = {(uintptr_t)&t->before->begun, sizeof t->before->begun,
                          ACCESS_ATOMIC};
  struct operation op = {.op = OP_TURN,
                         .flags = STEP_BLOCKING,
                         .pc = place_of(t),
                         .accesses = 1,
                         .access = &access,
                         .ready = turn_has_come,
                         .object = t,
                         .target = t->before->thread->id};
  visible(&op);
}

/* From here on, up to its end or next await, the task is one step. */
static void begin_step(task *t, struct operation *op) {
  struct access actor = {(uintptr_t)t->actor, OBJECT_SIZE, ACCESS_ATOMIC};
  op->op = OP_TASK;
  op->flags = STEP_BLOCK;
  op->accesses = 1;
  op->access = &actor;
  visible(op);
  SET(self->atomic_depth, 1);
}

static void note_write(void *place, size_t size) {
  footprint_add(place, size, ACCESS_WRITE | ACCESS_ATOMIC);
}

static _Noreturn void end(task *t) {
  if (self->atomic_depth != 1)
    fail(FINDING_MISUSE, place_of(t), "a task ends inside an atomic block");
  keys_destroy(self);
  note_write(&t->ended, sizeof t->ended);
  SET(t->ended, 1);
  SET(unfinished, unfinished - 1);
  thread_end(THREAD_ENDED);
}

static void entry(struct thread *thread) {
  task *t = thread->task;
  struct operation op = {.pc = place_of(t)};
  if (t->before)
    wait_for_turn(t);
  begin_step(t, &op);
  if (t->actor->last) {
    note_write(&t->begun, sizeof t->begun);
    SET(t->begun, 1);
  }
  t->handler(t->actor->state, t->message);
  end(t);
}

/* ---- sending ---------------------------------------------------------- */

/* Joins the line from the running task's actor, or main, to this task's
 * actor. */
static void join_line(task *t) {
  const task *sender = task_at_hand();
  task **last = &t->actor->last[sender ? sender->actor->number : 0];
  note_write(last, sizeof *last);
  SET(t->before, *last);
  SET(*last, t);
}

static void start(task *t) {
  SET(unfinished, unfinished + 1);
  SET(t->thread, thread_start_task(t, entry, (void (*)(void))t->handler));
}

static void post(task *t) {
  if (outbox)
    SET(outbox_last->next, t);
  else
    SET(outbox, t);
  SET(outbox_last, t);
}

static task *send(struct heddle_actor *to, heddle_handler *handler,
                  const void *message, size_t size, uint64_t pc) {
  main_or_task("a message is sent");
  actor_of(to, "a message to", pc);
  if (!handler)
    fail(FINDING_MISUSE, pc, "a message without a handler");
  declared_check(task_at_hand() ? task_at_hand()->actor->type : NULL,
                 task_at_hand() ? task_at_hand()->handler : NULL, to->type,
                 handler, pc);
  announce_reading(OP_SEND, message, size, pc);
  task *t = allocate_own(sizeof *t, pc);
  SET(*t, ((task){.life = TASK_LIFE,
                  .actor = to,
                  .handler = handler,
                  .asker = self->id,
                  .size = size,
                  .message = copy(message, size, pc)}));
  if (to->last)
    join_line(t);
  if (task_at_hand())
    start(t);
  else
    post(t);
  return t;
}

INTERPOSED void heddle_send(struct heddle_actor *to, heddle_handler *handler,
                            const void *message, size_t size) {
  task *t = send(to, handler, message, size, CALLER);
  SET(t->forgotten, 1);
}

INTERPOSED struct heddle_future *heddle_ask(struct heddle_actor *to,
                                            heddle_handler *handler,
                                            const void *message, size_t size) {
  return send(to, handler, message, size, CALLER);
}

/* ---- results ---------------------------------------------------------- */

static task *future_of(const struct heddle_future *future, const char *what,
                       uint64_t pc) {
  if (!future || future->life != TASK_LIFE)
    fail(FINDING_MISUSE, pc, "%s of something that is not a future", what);
  if (task_at_hand())
    private_check_future(task_at_hand(), future, what, pc);
  if (task_at_hand()) /* another task may forget it */
    footprint_add(&future->forgotten, sizeof future->forgotten, ACCESS_ATOMIC);
  if (future->forgotten)
    fail(FINDING_MISUSE, pc, "%s of a future that was forgotten", what);
  return (task *)(uintptr_t)future;
}

/* In a task: other tasks may end before or after this look, so it is an
 * event. */
static bool look_at_end(const task *t, uint64_t pc) {
  if (task_at_hand() && (task_at_hand()->actor->flags & HEDDLE_PRIVATE))
    fail(FINDING_MISUSE, pc,
         "a task of an actor that is HEDDLE_PRIVATE asks whether another task "
         "has ended: it may only await the end");
  struct access access = {(uintptr_t)&t->ended, sizeof t->ended, ACCESS_ATOMIC};
  struct operation op = {
      .op = OP_LOAD, .pc = pc, .accesses = 1, .access = &access};
  visible(&op);
  return t->ended;
}

INTERPOSED bool heddle_is_done(const struct heddle_future *future) {
  main_or_task("heddle_is_done");
  return look_at_end(future_of(future, "heddle_is_done", CALLER), CALLER);
}

INTERPOSED const void *heddle_result(const struct heddle_future *future) {
  main_or_task("heddle_result");
  const task *t = future_of(future, "heddle_result", CALLER);
  if (!look_at_end(t, CALLER))
    fail(FINDING_MISUSE, CALLER, "the result of a task that has not ended");
  return t->result;
}

INTERPOSED void heddle_forget(struct heddle_future *future) {
  main_or_task("heddle_forget");
  task *t = future_of(future, "heddle_forget", CALLER);
  if (task_at_hand())
    note_write(&t->forgotten, sizeof t->forgotten);
  SET(t->forgotten, 1);
}

INTERPOSED void heddle_reply(const void *result, size_t size) {
  uint64_t pc = CALLER;
  task *t = task_only("heddle_reply", pc);
  if (t->replied)
    fail(FINDING_MISUSE, pc, "a task replies twice");
  announce_reading(OP_SCAN, result, size, pc);
  SET(t->replied, 1);
  SET(t->result, copy(result, size, pc));
}

static bool has_ended(const struct operation *op) {
  const task *t = op->object;
  return t->ended;
}

INTERPOSED const void *heddle_await(const struct heddle_future *future) {
  task *me = task_only("heddle_await", CALLER);
  task *t = future_of(future, "heddle_await", CALLER);
  if (self->atomic_depth != 1)
    fail(FINDING_MISUSE, CALLER, "heddle_await inside an atomic block");
  struct operation op = {
      .pc = CALLER, .ready = has_ended, .object = t, .target = t->thread->id};
  SET(self->atomic_depth, 0);
  begin_step(me, &op);
  step_caused_by(t->thread->last_step);
  time_carry(t->thread, self);
  return t->result;
}

/* ---- main ------------------------------------------------------------- */

static bool all_ended(const struct operation *op) {
  (void)op;
  return !unfinished;
}

/* The step that waits for the end of all tasks reads their `ended`, so that it
 * comes after all their last steps.  The set of tasks depends on the state: the
 * footprint is known only now, like that of an atomic block. */
static void count_ended(void) {
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *thread = thread_get(i);
    task *t = thread->state == THREAD_ENDED ? thread->task : NULL;
    if (!t || t->counted)
      continue;
    footprint_add(&t->ended, sizeof t->ended, ACCESS_ATOMIC);
    SET(t->counted, 1);
  }
}

INTERPOSED void heddle_run(void) {
  uint64_t pc = CALLER;
  main_only("heddle_run", pc);
  if (self->atomic_depth)
    fail(FINDING_MISUSE, pc, "heddle_run inside an atomic block");
  struct operation run = {.op = OP_RUN, .pc = pc};
  visible(&run);
  task *t = outbox;
  SET(outbox, NULL);
  for (; t; t = t->next)
    start(t);
  struct operation idle = {.op = OP_IDLE,
                           .flags = STEP_BLOCKING | STEP_BLOCK,
                           .pc = pc,
                           .ready = all_ended};
  visible(&idle);
  count_ended();
}

/* ---- what was learnt -------------------------------------------------- */

void actors_learnt(struct packed *p) {
  PACKED_VEC(p, places);
}

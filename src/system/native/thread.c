/* Threads: creation, end, join, detach, and the small functions about them.
 *
 * Creating a thread is one step: the child runs, as part of it, up to its
 * first visible operation, so that a thread has no start event of its own.  Its
 * end is no event either: the thread ends within its last step, and a join is
 * ordered after that step.
 *
 * A pthread_t is the address of the struct thread, which is the same for the
 * same child in every execution.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* glibc's own pthread_equal */
#endif
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "system/native/actor.h"
#include "util/ensure.h"
#include "util/vec.h"

/* ---- numbers ---------------------------------------------------------- */

/* keep: for each thread, the numbers of its children in the order of their
 * creation by it. */
static VEC(uint32_t) children_of[NATIVE_THREADS];

static struct thread *number_child(uint32_t parent) {
  struct thread *child = thread_new(parent);
  VEC_PUSH(children_of[parent], child->id);
  return child;
}

/* Main begins to count anew after the constructors: children that these made
 * are there already. */
static struct thread *next_child(struct thread *parent) {
  uint32_t next = parent->children;
  while (next < children_of[parent->id].size) {
    struct thread *child = thread_get(children_of[parent->id].at[next++]);
    if (child->state == THREAD_NONE) {
      SET(parent->children, next);
      return child;
    }
  }
  SET(parent->children, next + 1);
  return number_child(parent->id);
}

/* The thread that a pthread_t means; fails the running thread if none. */
static struct thread *thread_of(pthread_t handle, const char *what,
                                uint64_t pc) {
  struct thread *t = thread_at(handle);
  if (t && (t->id == 0 || t->state != THREAD_NONE))
    return t;
  fail(FINDING_MISUSE, pc, "%s of something that is not a thread", what);
}

/* ---- creation --------------------------------------------------------- */

static void entry(struct thread *t) {
  if (t->returns_int) {
    int (*start)(void *) = (int (*)(void *))(void (*)(void))t->start;
    thread_exit((void *)(intptr_t)start(t->argument));
  }
  thread_exit(t->start(t->argument));
}

static void check_stack(const struct thread *t, size_t wanted) {
  size_t size = (size_t)(t->stack_base - t->stack_low);
  if (wanted > size)
    refuse("a thread wants a stack of %zu bytes; the limit is %zu", wanted,
           size);
}

static void child_begin(struct thread *child, const struct attributes *a,
                        void *(*start)(void *), void *argument,
                        bool returns_int) {
  ensure(child->state == THREAD_NONE);
  SET(child->state, THREAD_RUNNING);
  SET(child->start, start);
  SET(child->argument, argument);
  SET(child->returns_int, returns_int);
  SET(child->detached, a ? attributes_detached(a) : 0);
  SET(child->cause, step_now());
  coroutine_prepare(child, entry);
}

int thread_create(pthread_t *out, const struct attributes *a,
                  void *(*start)(void *), void *argument, bool returns_int,
                  uint64_t pc) {
  struct thread *me = current();
  struct access access = {(uintptr_t)out, sizeof *out, ACCESS_WRITE};
  if (me->task)
    private_check_thread(me->task, pc);
  struct operation op = {
      .op = OP_CREATE, .pc = pc, .accesses = 1, .access = &access};
  visible(&op);
  heap_check(out, sizeof *out, true, pc);
  struct thread *child = next_child(me);
  check_stack(child, a ? attributes_stack(a) : 0);
  SET(*out, (pthread_t)child); /* glibc does it before the child runs, too */
  op.target = child->id;
  child_begin(child, a, start, argument, returns_int);
  coroutine_start(child);
  return 0;
}

struct thread *thread_start_task(void *task, void (*run)(struct thread *),
                                 void (*handler)(void)) {
  struct thread *child = next_child(current());
  ensure(child->state == THREAD_NONE);
  SET(child->state, THREAD_RUNNING);
  SET(child->start, (void *(*)(void *))handler);
  SET(child->task, task);
  SET(child->detached, 1);
  SET(child->cause, step_now());
  coroutine_prepare(child, run);
  coroutine_start(child);
  return child;
}

uint32_t thread_child(uint32_t parent, uint32_t nth) {
  return children_of[parent].at[nth];
}

/* ---- end -------------------------------------------------------------- */

static _Noreturn void end(struct thread *me) {
  keys_destroy(me);
  if (me->atomic_depth)
    fail(FINDING_MISUSE, 0, "a thread ends inside an atomic block");
  thread_end(THREAD_ENDED);
}

/* The buffers of pthread_cleanup_push() are a list through their padding. */
static __pthread_unwind_buf_t *cleanup_pop(struct thread *me) {
  __pthread_unwind_buf_t *buffer = me->cleanup;
  SET(me->cleanup, buffer->__pad[0]);
  return buffer;
}

/* Each handler is code after a setjmp in the function that pushed it, and
 * comes back by __pthread_unwind_next().  The buffer is a sigjmp_buf without
 * the signal mask, which is not looked at; the compiler need not know. */
static _Noreturn void unwind(struct thread *me) {
  if (!me->cleanup)
    end(me);
  void *place = cleanup_pop(me)->__cancel_jmp_buf;
  __asm__("" : "+r"(place));
  siglongjmp(place, 1);
}

_Noreturn void thread_exit(void *result) {
  struct thread *me = current();
  SET(me->result, result);
  unwind(me);
}

INTERPOSED void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
  struct thread *me = current();
  SET(buffer->__pad[0], me->cleanup);
  SET(me->cleanup, buffer);
}

INTERPOSED void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
  (void)buffer;
  cleanup_pop(current());
}

INTERPOSED void
__pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer) {
  struct thread *me = current();
  SET(buffer->__pad[0], me->cleanup);
  SET(me->cleanup, buffer);
}

INTERPOSED void
__pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer) {
  (void)buffer;
  cleanup_pop(current());
}

INTERPOSED void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
  (void)buffer;
  unwind(current());
}

/* ---- join and detach -------------------------------------------------- */

/* A join that must fail does not wait. */
static bool joinable_now(const struct operation *op) {
  const struct thread *t = op->object;
  return t->state == THREAD_ENDED || t->detached || t->joined;
}

/* A thread that ended within the step that created it took none itself. */
static uint32_t join_cause(const struct thread *t) {
  return t->last_step ? t->last_step : t->cause;
}

static void check_joinable(const struct thread *t, const char *what,
                           uint64_t pc) {
  if (t->detached)
    fail(FINDING_MISUSE, pc, "%s of thread %u, which is detached", what, t->id);
  if (t->joined)
    fail(FINDING_MISUSE, pc, "%s of thread %u, which was joined before", what,
         t->id);
}

/* A step has one cause.  That of a join is the end of the other thread: one
 * that would be a thread's first step follows a step that the thread's creation
 * caused. */
static void start_before_join(const struct thread *me) {
  struct operation op = {.op = OP_START, .pc = (uintptr_t)me->start};
  if (!me->last_step)
    visible(&op);
}

int thread_join(pthread_t handle, void **result, uint64_t pc) {
  struct thread *target = thread_of(handle, "join", pc);
  if (target == current())
    return EDEADLK;
  struct operation op = {.op = OP_JOIN,
                         .flags = STEP_BLOCKING,
                         .pc = pc,
                         .ready = joinable_now,
                         .object = target,
                         .target = target->id};
  if (current()->atomic_depth)
    refuse("a thread is joined inside an atomic block");
  start_before_join(current());
  visible(&op);
  step_caused_by(join_cause(target));
  check_joinable(target, "join", pc);
  SET(target->joined, 1);
  if (result)
    visible_store(result, &target->result, sizeof *result, pc);
  return 0;
}

int thread_detach(pthread_t handle, uint64_t pc) {
  struct thread *target = thread_of(handle, "detach", pc);
  struct operation op = {.op = OP_DETACH, .pc = pc, .target = target->id};
  visible(&op);
  check_joinable(target, "detach", pc);
  SET(target->detached, 1);
  return 0;
}

/* ---- the program's names ---------------------------------------------- */

INTERPOSED int pthread_create(pthread_t *out, const pthread_attr_t *a,
                              void *(*start)(void *), void *argument) {
  return thread_create(out, (const struct attributes *)a, start, argument,
                       false, CALLER);
}

INTERPOSED void pthread_exit(void *result) {
  thread_exit(result);
}

INTERPOSED int pthread_join(pthread_t handle, void **result) {
  return thread_join(handle, result, CALLER);
}

INTERPOSED int pthread_detach(pthread_t handle) {
  return thread_detach(handle, CALLER);
}

INTERPOSED pthread_t pthread_self(void) {
  return (pthread_t)current();
}

INTERPOSED int pthread_equal(pthread_t a, pthread_t b) {
  return a == b;
}

INTERPOSED int pthread_setname_np(pthread_t handle, const char *name) {
  struct thread *t = thread_of(handle, "naming", CALLER);
  size_t length = strlen(name);
  if (length >= sizeof t->name)
    return ERANGE;
  undo_note(t->name, sizeof t->name);
  memcpy(t->name, name, length + 1);
  return 0;
}

INTERPOSED int pthread_getname_np(pthread_t handle, char *to, size_t size) {
  struct thread *t = thread_of(handle, "naming", CALLER);
  size_t length = strlen(t->name);
  if (size <= length)
    return ERANGE;
  undo_note(to, length + 1);
  memcpy(to, t->name, length + 1);
  return 0;
}

/* ---- scheduling: all schedules are explored anyway -------------------- */

/* pthread_yield() is this function too, in glibc's header. */
INTERPOSED int sched_yield(void) {
  return 0;
}

INTERPOSED int pthread_setconcurrency(int level) {
  return level < 0 ? EINVAL : 0;
}

INTERPOSED int pthread_getconcurrency(void) {
  return 0;
}

INTERPOSED int pthread_setschedparam(pthread_t handle, int policy,
                                     const struct sched_param *parameter) {
  (void)handle, (void)policy, (void)parameter;
  return 0;
}

INTERPOSED int pthread_getschedparam(pthread_t handle, int *policy,
                                     struct sched_param *parameter) {
  (void)handle;
  SET(*policy, SCHED_OTHER);
  SET(parameter->sched_priority, 0);
  return 0;
}

INTERPOSED int pthread_setschedprio(pthread_t handle, int priority) {
  (void)handle, (void)priority;
  return 0;
}

INTERPOSED int pthread_setaffinity_np(pthread_t handle, size_t size,
                                      const cpu_set_t *set) {
  (void)handle, (void)size, (void)set;
  return 0;
}

/* ---- cancellation: nobody can be cancelled ---------------------------- */

INTERPOSED int pthread_setcancelstate(int state, int *old) {
  struct thread *me = current();
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (old)
    SET(*old, me->cancel_state);
  SET(me->cancel_state, (uint8_t)state);
  return 0;
}

INTERPOSED int pthread_setcanceltype(int type, int *old) {
  struct thread *me = current();
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  if (old)
    SET(*old, me->cancel_type);
  SET(me->cancel_type, (uint8_t)type);
  return 0;
}

INTERPOSED void pthread_testcancel(void) {}

/* ---- refused ---------------------------------------------------------- */

INTERPOSED int pthread_cancel(pthread_t handle) {
  (void)handle;
  refuse("cancellation of threads (pthread_cancel) is not supported");
}

INTERPOSED int pthread_kill(pthread_t handle, int number) {
  (void)handle, (void)number;
  refuse("signals between threads (pthread_kill) are not supported");
}

INTERPOSED int pthread_sigqueue(pthread_t handle, int number,
                                const union sigval value) {
  (void)handle, (void)number, (void)value;
  refuse("signals between threads (pthread_sigqueue) are not supported");
}

INTERPOSED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  (void)how, (void)set, (void)old;
  refuse("signal masks (pthread_sigmask) are not supported");
}

INTERPOSED int pthread_tryjoin_np(pthread_t handle, void **result) {
  (void)handle, (void)result;
  refuse("pthread_tryjoin_np is not supported: use pthread_join");
}

INTERPOSED int pthread_timedjoin_np(pthread_t handle, void **result,
                                    const struct timespec *until) {
  (void)handle, (void)result, (void)until;
  refuse("pthread_timedjoin_np is not supported: use pthread_join");
}

INTERPOSED int pthread_clockjoin_np(pthread_t handle, void **result,
                                    clockid_t clock,
                                    const struct timespec *until) {
  (void)handle, (void)result, (void)clock, (void)until;
  refuse("pthread_clockjoin_np is not supported: use pthread_join");
}

INTERPOSED int pthread_getattr_np(pthread_t handle, pthread_attr_t *a) {
  (void)handle, (void)a;
  refuse("pthread_getattr_np is not supported");
}

INTERPOSED int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                              void (*child)(void)) {
  (void)prepare, (void)parent, (void)child;
  refuse("processes (pthread_atfork) are not supported");
}

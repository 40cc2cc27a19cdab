/* Threads: creation, end, join, detach, and the small functions about them.
 *
 * Creating a thread is one step, in which the child runs up to its first
 * visible operation.  So a thread has no start event of its own.  Its end is no
 * event either: the thread ends within its last step, and a join is ordered
 * after that step.
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
#include <sys/prctl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "system/native/actor/actor.h"
#include "system/native/engine/learnt.h"
#include "system/native/engine/engine.h"
#include "system/native/engine/interrupt.h"
#include "system/native/libc/libc.h"
#include "system/native/pthread/cancel.h"
#include "system/native/pthread/join_chain.h"
#include "system/native/engine/timekeeping.h"
#include "util/ensure.h"
#include "util/vec.h"

/* ---- numbers ---------------------------------------------------------- */

/* keep: for each thread, the numbers of its children in the order in which it
 * creates them. */
static VEC(uint32_t) children_of[NATIVE_THREADS];

static struct thread *number_child(uint32_t parent) {
  struct thread *child = thread_new(parent);
  engine_learns();
  VEC_PUSH(children_of[parent], child->id);
  return child;
}

/* After the constructors main counts its children from 0 again; the children
 * that constructors created exist already. */
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
struct thread *thread_of(pthread_t handle, const char *what, uint64_t pc) {
  struct thread *t = thread_at(handle);
  if (t && (t->id == 0 || t->state != THREAD_NONE))
    return t;
  fail(FINDING_MISUSE, pc, "%s of something that is not a thread", what);
}

/* ---- what becomes of a thread ----------------------------------------- */

enum { JOINABLE, DETACHED, JOINED };

/* prog: for each thread.  A join or detach reads and writes this; it is not in
 * struct thread, so that it has bytes of its own in footprints. */
PROG static uint32_t fates[NATIVE_THREADS];

static __attribute__((noinline)) void
not_joinable(const struct thread *t, const char *what, uint64_t pc) {
  if (fates[t->id] == DETACHED)
    fail(FINDING_MISUSE, pc, "%s of T%u, which is detached", what, t->id);
  fail(FINDING_MISUSE, pc, "%s of T%u, which was joined before", what, t->id);
}

static inline void check_joinable(const struct thread *t, const char *what,
                                  uint64_t pc) {
  if (unlikely(fates[t->id] != JOINABLE))
    not_joinable(t, what, pc);
}

bool thread_is_joined(const struct thread *t) {
  return fates[t->id] == JOINED;
}

PROG bool main_is_alone;

bool thread_is_alone(void) {
  if (main_is_alone)
    return self->id == 0;
  for (unsigned i = 1; i < engine.thread_count; i++)
    if (engine.threads[i]->state != THREAD_NONE && fates[i] != JOINED)
      return false;
  return self->id == 0;
}

static void alone_no_more(void) {
  if (main_is_alone)
    SET(main_is_alone, false);
}

/* --max-threads: numbers stay given, so that whether a thread gets one does not
 * depend on what others do in this execution. */
static void check_number_of_threads(const struct thread *parent) {
  if (!self) /* before main */
    return;
  uint64_t most = engine.control->options.max_threads;
  uint32_t next = parent->children;
  while (next < children_of[parent->id].size)
    if (thread_get(children_of[parent->id].at[next++])->state == THREAD_NONE)
      return;
  if (thread_count() < most || most >= NATIVE_THREADS)
    return;
  left_out("--max-threads=%llu stopped T%u{start:%llx}, which creates more",
           (unsigned long long)most, self->id,
           (unsigned long long)(uintptr_t)self->start);
  interrupt_never_again();
  thread_end(THREAD_STOPPED);
}

/* ---- names ------------------------------------------------------------ */

enum { NAME = 16 }; /* the kernel's limit */

/* prog */
PROG static char names[NATIVE_THREADS][NAME];

static void name_get(const struct thread *t, char *copy, uint64_t pc) {
  library_state(names[t->id], NAME, false, pc);
  memcpy(copy, names[t->id], NAME);
}

static void name_set(const struct thread *t, const char *name) {
  undo_note(names[t->id], NAME);
  memcpy(names[t->id], name, NAME);
}

/* ---- creation --------------------------------------------------------- */

static _Noreturn void end(struct thread *me);

static void *run_start(const struct thread *t) {
  if (!t->returns_int)
    return t->start(t->argument);
  int (*start)(void *) = (int (*)(void *))(void (*)(void))t->start;
  return (void *)(intptr_t)start(t->argument);
}

static __attribute__((noinline)) void begin_visibly(void) {
  struct operation op = {.op = OP_START, .pc = (uintptr_t)self->start};
  visible(&op);
}

static void entry(struct thread *t) {
  if (step_extras & EXTRA_STARTS)
    begin_visibly();
  void *result = run_start(t);
  SET(t->result, result);
  end(t);
}

static void child_begin(struct thread *child, const struct thread_wishes *w,
                        void *(*start)(void *), void *argument,
                        bool returns_int) {
  ensure(child->state == THREAD_NONE);
  SET(child->state, THREAD_RUNNING);
  SET(child->start, start);
  SET(child->argument, argument);
  SET(child->returns_int, returns_int);
  SET(fates[child->id], w->detached ? DETACHED : JOINABLE);
  SET(child->cause, step_now());
  alone_no_more();
  time_carry(current(), child);
  unsigned long mask = w->has_mask ? w->mask : signal_masks[current()->id];
  if (signal_masks[child->id] != mask)
    SET(signal_masks[child->id], mask);
  schedule_begin(child, w);
  coroutine_prepare(child, entry);
}

int thread_create(pthread_t *out, const struct attributes *a,
                  void *(*start)(void *), void *argument, bool returns_int,
                  uint64_t pc) {
  struct thread *me = current();
  struct access accesses[] = {{(uintptr_t)out, sizeof *out, ACCESS_WRITE},
                              interrupt_birth(me)};
  if (me->task)
    private_check_thread(me->task, pc);
  struct operation op = {.op = OP_CREATE,
                         .pc = pc,
                         .accesses = step_extras & EXTRA_SIGNALS ? 2 : 1,
                         .access = accesses};
  struct thread_wishes wishes = {0};
  attributes_read(a, &wishes, pc);
  visible(&op);
  heap_check(out, sizeof *out, true, pc);
  check_number_of_threads(me);
  struct thread *child = next_child(me);
  stack_wish(child, wishes.stack);
  SET(*out, (pthread_t)child); /* glibc does it before the child runs, too */
  op.target = child->id;
  child_begin(child, &wishes, start, argument, returns_int);
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
  SET(fates[child->id], DETACHED);
  SET(child->cause, step_now());
  alone_no_more();
  time_carry(current(), child);
  coroutine_prepare(child, run);
  coroutine_start(child);
  return child;
}

struct thread *thread_start_helper(void (*run)(struct thread *),
                                   void *argument) {
  struct thread *child = next_child(current());
  ensure(child->state == THREAD_NONE);
  SET(child->state, THREAD_RUNNING);
  SET(child->argument, argument);
  SET(fates[child->id], DETACHED);
  SET(child->cause, step_now());
  alone_no_more();
  SET(signal_masks[child->id], ~0ul);
  time_carry(current(), child);
  coroutine_prepare(child, run);
  coroutine_start(child);
  return child;
}

uint32_t thread_child(uint32_t parent, uint32_t nth) {
  return children_of[parent].at[nth];
}

/* ---- end -------------------------------------------------------------- */

static bool has_ended(const struct operation *op) {
  const struct thread *t = op->object;
  return t->state == THREAD_ENDED;
}

/* The thread's last step.  A thread that ended within the step that created it
 * took none: then the creation. */
static uint32_t join_cause(const struct thread *t) {
  if (t->outlives)
    return t->outlives;
  return t->last_step ? t->last_step : t->cause;
}

/* Waits for the end of all threads that this one has created, and of those that
 * they have created.  The thread itself has ended. */
static void await_children(const struct thread *t) {
  for (uint32_t i = 0; i < children_of[t->id].size; i++) {
    struct thread *child = thread_get(children_of[t->id].at[i]);
    if (child->state == THREAD_NONE)
      continue;
    struct operation op = {.op = OP_JOIN,
                           .flags = STEP_BLOCKING,
                           .pc = (uintptr_t)t->start,
                           .ready = has_ended,
                           .object = child,
                           .target = child->id};
    visible(&op);
    step_caused_by(join_cause(child));
    await_children(child);
  }
}

/* The process lives as long as its last thread, and then ends as if by exit(0).
 * In glibc the last thread calls exit; here main does, so that it makes no
 * difference which thread ends last. */
static _Noreturn void outlive_others(struct thread *main) {
  main->outlives = main->last_step;
  await_children(main);
  program_exit(0, (uintptr_t)main->start + 1);
}

static _Noreturn void end(struct thread *me) {
  keys_destroy(me);
  if (me->atomic_depth)
    fail(FINDING_MISUSE, 0, "a thread ends inside an atomic block");
  if (unlikely(me->robust))
    mutexes_abandon(me);
  tls_end((uintptr_t)me->start);
  interrupt_end((uintptr_t)me->start);
  if (me->id == 0)
    outlive_others(me);
  thread_end(THREAD_ENDED);
}

/* The buffers of pthread_cleanup_push() are a list through their padding. */
static __pthread_unwind_buf_t *cleanup_pop(struct thread *me) {
  __pthread_unwind_buf_t *buffer = me->cleanup;
  SET(me->cleanup, buffer->__pad[0]);
  return buffer;
}

/* Each handler is code after a setjmp in the function that pushed it, and comes
 * back by __pthread_unwind_next(). */
static _Noreturn void unwind(struct thread *me) {
  if (!me->cleanup) {
    ends_frames(__builtin_frame_address(0));
    end(me);
  }
  jump_back(cleanup_pop(me)->__cancel_jmp_buf, 1);
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

static bool can_be_joined(const struct operation *op) {
  return thread_can_be_joined(op->object);
}

/* The same of a join with whose step others are to come. */
static bool all_can_be_joined(const struct operation *op) {
  return join_chain_has_ended(op->object);
}

/* The end of the thread is the cause of a join.  Apart from that, a join could
 * come before any other operation that joins or detaches the thread.  A join
 * that is not possible, but pending or cancelled, does not say whether another
 * one is.  If its object is not shown, the step has none: another access of the
 * step, such as that to the thread's attention, must not be taken for it. */
static uint8_t offers_join(const struct operation *op) {
  return can_be_joined(op) ? OFFER_ONE : OFFER_SAME;
}

/* Steps that may be hidden in the search, and are taken in a replay. */
static bool may_be_hidden(const struct record *r) {
  return op_is(r->op, OPCLASS_PLAIN | OPCLASS_BULK | OPCLASS_LIBRARY |
                          OPCLASS_LIFETIME);
}

/* A step has one cause.  The cause of a join is the end of the joined thread,
 * the cause of a thread's first step its creation.  So a join is not the first
 * step: a step of its own comes before it. */
static bool has_begun(const struct thread *me) {
  uint32_t step = me->last_step;
  while (step && may_be_hidden(&engine.steps.at[step - 1]))
    step = engine.steps.at[step - 1].previous;
  return step;
}

static void joined(struct thread *target, void **result, uint64_t pc) {
  time_carry(target, current());
  check_joinable(target, "join", pc);
  if (likely(engine.mode == MODE_EXPLORE))
    undo_note_word(&fates[target->id], sizeof *fates);
  fates[target->id] = JOINED;
  if (engine.gathers && !engine.to_join && !main_is_alone && thread_is_alone())
    SET(main_is_alone, true);
  if (result)
    visible_store(result, &target->result, sizeof *result, pc);
}

int thread_join(pthread_t handle, void **result, uint64_t pc) {
  struct thread *target = thread_of(handle, "join", pc);
  if (target == current())
    return EDEADLK;
  struct access fate = {(uintptr_t)&fates[target->id], sizeof *fates,
                        ACCESS_ATOMIC | ACCESS_WRITE};
  bool shows = sharing_shows(&fate);
  bool gathers = join_chain_allows(target, shows);
  if (gathers && join_chain_goes_on(target->id)) {
    step_also_caused_by(join_cause(target));
    joined(target, result, pc);
    return 0;
  }
  struct operation op = {.op = OP_JOIN,
                         .flags = STEP_BLOCKING,
                         .wants = shows ? OFFER_ONE : 0,
                         .pc = pc,
                         .accesses = shows,
                         .access = &fate,
                         .ready = gathers ? all_can_be_joined : can_be_joined,
                         .offers = shows ? offers_join : NULL,
                         .object = target,
                         .target = target->id};
  if (current()->atomic_depth)
    refuse("a thread is joined inside an atomic block");
  if (unlikely(!has_begun(current())))
    begin_visibly();
  if (cancel_visible(&op))
    cancel_act();
  step_caused_by(join_cause(target));
  if (gathers)
    join_chain_follow(target->id);
  joined(target, result, pc);
  return 0;
}

/* Looks once whether the thread has ended: the end writes its attention. */
static int try_join(pthread_t handle, void **result, int code, uint64_t pc) {
  struct thread *target = thread_of(handle, "join", pc);
  struct access end = {(uintptr_t)&attention[target->id], sizeof *attention,
                       ACCESS_ATOMIC};
  struct operation op = {.op = OP_TRYJOIN,
                         .flags = STEP_BLOCK,
                         .pc = pc,
                         .accesses = 1,
                         .access = &end,
                         .target = target->id};
  if (current()->atomic_depth)
    refuse("a thread is joined inside an atomic block");
  interrupt_ends_show();
  if (unlikely(!has_begun(current())))
    begin_visibly();
  visible(&op);
  footprint_add(&fates[target->id], sizeof *fates, ACCESS_ATOMIC);
  check_joinable(target, "join", pc);
  if (target->state != THREAD_ENDED && !target->outlives)
    return code;
  step_signalled_by(join_cause(target)); /* possible before it, too */
  time_carry(target, current());
  footprint_add(&fates[target->id], sizeof *fates,
                ACCESS_ATOMIC | ACCESS_WRITE);
  SET(fates[target->id], JOINED);
  if (result)
    visible_store(result, &target->result, sizeof *result, pc);
  return 0;
}

static int timed_join(pthread_t handle, void **result,
                      const struct timespec *until, uint64_t pc) {
  if (thread_at(handle) == current())
    return EDEADLK;
  if (!until || !time_valid(until, pc)) /* as in glibc */
    return thread_join(handle, result, pc);
  struct timespec end = *until;
  cancel_test(pc);
  int code = try_join(handle, result, ETIMEDOUT, pc);
  if (code)
    time_reach(&end);
  return code;
}

int thread_detach(pthread_t handle, uint64_t pc) {
  struct thread *target = thread_of(handle, "detach", pc);
  library_state(&fates[target->id], sizeof *fates, true, pc);
  check_joinable(target, "detach", pc);
  SET(fates[target->id], DETACHED);
  return 0;
}

int thread_was_joined(pthread_t handle, int error) {
  struct thread *t = thread_at(handle);
  if (!error && t->result)
    SET(t->result, NULL);
  return error;
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
  return thread_was_joined(handle, thread_join(handle, result, CALLER));
}

INTERPOSED int pthread_tryjoin_np(pthread_t handle, void **result) {
  return thread_was_joined(handle, try_join(handle, result, EBUSY, CALLER));
}

INTERPOSED int pthread_timedjoin_np(pthread_t handle, void **result,
                                    const struct timespec *until) {
  return thread_was_joined(handle, timed_join(handle, result, until, CALLER));
}

INTERPOSED int pthread_clockjoin_np(pthread_t handle, void **result,
                                    clockid_t clock,
                                    const struct timespec *until) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  return thread_was_joined(handle, timed_join(handle, result, until, CALLER));
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

/* `cut`: what is too long is cut; otherwise it is an error. */
static int name_keep(const struct thread *t, const char *name, uint64_t pc,
                     bool cut) {
  char copy[NAME] = "";
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, name, NAME);
  libcall_announce(&e);
  size_t length = string_length(name, NAME);
  touched(&e, name, string_extent(length, NAME));
  if (length == NAME && !cut)
    return ERANGE;
  memcpy(copy, name, length == NAME ? NAME - 1 : length);
  library_state(names[t->id], NAME, true, pc);
  name_set(t, copy);
  return 0;
}

INTERPOSED int pthread_setname_np(pthread_t handle, const char *name) {
  return name_keep(thread_of(handle, "naming", CALLER), name, CALLER, false);
}

INTERPOSED int pthread_getname_np(pthread_t handle, char *to, size_t size) {
  struct thread *t = thread_of(handle, "naming", CALLER);
  char copy[NAME];
  if (size < NAME) /* as in glibc */
    return ERANGE;
  name_get(t, copy, CALLER);
  size = t == self ? NAME : strlen(copy) + 1; /* as glibc's way to get it */
  plain_announce(to, size, true, CALLER);
  memcpy(to, copy, size);
  return 0;
}

/* The name of the thread is kept; the rest changes nothing. */
int control_process(int, unsigned long, unsigned long, unsigned long,
                    unsigned long) __asm__("prctl");
INTERPOSED int control_process(int what, unsigned long a, unsigned long b,
                               unsigned long c, unsigned long d) {
  (void)b, (void)c, (void)d;
  char copy[NAME];
  switch (what) {
  case PR_SET_NAME:
    name_keep(self, (const char *)a, CALLER, true);
    return 0;
  case PR_GET_NAME:
    name_get(self, copy, CALLER);
    plain_announce((char *)a, NAME, true, CALLER);
    memcpy((char *)a, copy, NAME);
    return 0;
  case PR_GET_DUMPABLE:
    return 1;
  case PR_SET_DUMPABLE:
  case PR_SET_PDEATHSIG:
  case PR_SET_TIMERSLACK:
  case PR_SET_NO_NEW_PRIVS:
  case PR_SET_KEEPCAPS:
  case PR_SET_THP_DISABLE:
    return 0;
  default:
    error_set(EINVAL);
    return -1;
  }
}

INTERPOSED int pthread_getattr_np(pthread_t handle, pthread_attr_t *a) {
  struct thread *t = thread_of(handle, "attributes", CALLER);
  library_state(&fates[t->id], sizeof *fates, false, CALLER);
  attributes_write((struct attributes *)a, t, fates[t->id] == DETACHED, CALLER);
  return 0;
}

/* No fork ever calls them. */
INTERPOSED int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                              void (*child)(void)) {
  (void)prepare, (void)parent, (void)child;
  return 0;
}

/* ---- what was learnt ---------------------------------------------------- */

/* Which children there are, by their numbers. */
void threads_learnt(struct packed *p) {
  uint32_t count = thread_count();
  PACKED(p, count);
  for (uint32_t id = 1; id < count && id < NATIVE_THREADS && !p->bad; id++) {
    bool known = id < thread_count();
    uint32_t parent = known ? thread_get(id)->parent : 0;
    PACKED(p, parent);
    if (!known && parent < id)
      number_child(parent);
    p->bad |= thread_get(id)->parent != parent;
  }
}

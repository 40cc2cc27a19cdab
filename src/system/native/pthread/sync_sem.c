/* POSIX semaphores.  They have no static initialiser: one without
 * sem_init() is reported.  Named semaphores belong to the program alone: there
 * are none when it begins.
 *
 * As long as no thread was ever seen to wait for a semaphore or to ask for its
 * value, in any execution, posts only read it, and each thread counts its own
 * (see engine/commuting.c).  That a post fails because the value is at its
 * limit depends on the other posts: a semaphore with a large value is not
 * treated so. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>

#include "system/native/engine/interrupt.h"
#include "system/native/libc/libc.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/pthread/cancel.h"
#include "system/native/pthread/sync.h"

/* prog: overlays sem_t. */
struct semaphore {
  uint32_t value;
  uint32_t life;
};

_Static_assert(sizeof(struct semaphore) <= sizeof(sem_t), "the overlay fits");

static int errno_fail(int code) {
  error_set(code);
  return -1;
}

static void announce(struct object_step *step, struct semaphore *s) {
  object_visible(step, sizeof *s);
  life_check(s->life, true, "semaphore", step->op.pc);
}

/* ---- posts that no thread waits for ------------------------------------- */

static struct posts *posts_of(struct thread *t, const struct semaphore *s) {
  for (uint32_t i = 0; i < t->posted; i++)
    if (t->posts[i].semaphore == s)
      return &t->posts[i];
  return NULL;
}

static uint32_t value_of(const struct semaphore *s) {
  uint32_t value = s->value;
  for (unsigned t = 0; object_is_apart(s) && t < thread_count(); t++) {
    const struct posts *posts = posts_of(thread_get(t), s);
    value += posts ? posts->count : 0;
  }
  return value;
}

static void forget_posts(const struct semaphore *s) {
  for (unsigned t = 0; t < thread_count(); t++) {
    struct posts *posts = posts_of(thread_get(t), s);
    if (posts && posts->count)
      SET(posts->count, 0);
  }
}

/* No program posts so often in one execution. */
static bool is_far_from_limit(const struct semaphore *s) {
  return s->value < SEM_VALUE_MAX / 2;
}

static bool count_post(const struct semaphore *s) {
  struct thread *me = current();
  struct posts *posts = posts_of(me, s);
  if (!posts) {
    if (me->posted == NATIVE_POSTED)
      return false;
    posts = &me->posts[me->posted];
    SET(me->posted, me->posted + 1);
    SET(*posts, ((struct posts){s, 0}));
  }
  SET(posts->count, posts->count + 1);
  return true;
}

static int post_apart(const struct semaphore *s) {
  if (!is_far_from_limit(s)) {
    object_becomes_ordered(s);
    if (value_of(s) == SEM_VALUE_MAX)
      return errno_fail(EOVERFLOW);
  }
  if (!count_post(s))
    object_becomes_ordered(s);
  return 0;
}

/* ---- operations --------------------------------------------------------- */

static uint8_t semaphore_offers(const struct operation *op) {
  const struct semaphore *s = op->object;
  bool alike = op->op == OP_SEM_POST && /* a post among posts */
               !(op->access->mode & ACCESS_WRITE);
  return s->life != LIFE_MADE || alike || value_of(s) ? OFFER_ONE : 0;
}

static int take_or(struct semaphore *s, int code, uint64_t pc) {
  struct object_step step;
  object_operation(&step, OP_SEM_TRYWAIT, s, semaphore_offers, pc);
  object_becomes_ordered(s);
  object_conditional(&step, OFFER_ONE);
  announce(&step, s);
  if (!value_of(s)) {
    footprint_only_read();
    return errno_fail(code);
  }
  SET(s->value, s->value - 1);
  return 0;
}

INTERPOSED int sem_init(sem_t *sem, int shared, unsigned value) {
  struct semaphore *s = (struct semaphore *)sem;
  (void)shared; /* there is one process */
  if (value > SEM_VALUE_MAX)
    return errno_fail(EINVAL);
  struct object_step step;
  object_operation(&step, OP_INIT, s, semaphore_offers, CALLER);
  object_visible(&step, sizeof *s);
  forget_posts(s);
  SET(*s, ((struct semaphore){value, LIFE_MADE}));
  return 0;
}

INTERPOSED int sem_destroy(sem_t *sem) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_DESTROY, s, semaphore_offers, CALLER);
  announce(&step, s);
  SET(s->life, LIFE_OVER);
  return 0;
}

INTERPOSED int sem_wait(sem_t *sem) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_SEM_WAIT, s, semaphore_offers, CALLER);
  object_becomes_ordered(s);
  object_blocking(&step, OFFER_ONE);
  step.op.interruptible = INTERRUPT_FAILS;
  stored_object(s, sizeof *s);
  if (cancel_visible(&step.op))
    cancel_act();
  if (interrupted())
    return errno_fail(EINTR);
  heap_check(s, sizeof *s, true, CALLER);
  life_check(s->life, true, "semaphore", CALLER);
  SET(s->value, s->value - 1);
  return 0;
}

INTERPOSED int sem_trywait(sem_t *sem) {
  return take_or((struct semaphore *)sem, EAGAIN, CALLER);
}

static int take_until(struct semaphore *s, const struct timespec *until,
                      uint64_t pc) {
  if (!time_valid(until, pc))
    return take_or(s, EINVAL, pc);
  struct timespec end = *until;
  int code = take_or(s, ETIMEDOUT, pc);
  if (code)
    time_reach(&end);
  return code;
}

INTERPOSED int sem_timedwait(sem_t *sem, const struct timespec *until) {
  return take_until((struct semaphore *)sem, until, CALLER);
}

INTERPOSED int sem_clockwait(sem_t *sem, clockid_t clock,
                             const struct timespec *until) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return errno_fail(EINVAL);
  return take_until((struct semaphore *)sem, until, CALLER);
}

INTERPOSED int sem_post(sem_t *sem) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_SEM_POST, s, semaphore_offers, CALLER);
  if (object_commutes(s))
    object_reading(&step);
  announce(&step, s);
  if (object_is_apart(s))
    return post_apart(s);
  if (s->value == SEM_VALUE_MAX) {
    step_has_order(__ATOMIC_RELAXED);
    return errno_fail(EOVERFLOW);
  }
  SET(s->value, s->value + 1);
  return 0;
}

INTERPOSED int sem_getvalue(sem_t *sem, int *value) {
  struct semaphore *s = (struct semaphore *)sem;
  struct object_step step;
  object_operation(&step, OP_SEM_VALUE, s, semaphore_offers, CALLER);
  object_becomes_ordered(s);
  object_reading(&step);
  announce(&step, s);
  int now = (int)value_of(s);
  visible_store(value, &now, sizeof now, CALLER);
  return 0;
}

/* ---- named semaphores --------------------------------------------------- */

enum { NAMED = 64, NAME = 252 };

/* prog: one is made by sem_open, in order. */
struct named {
  char name[NAME];
  uint32_t opened;   /* by sem_open, and not closed */
  uint32_t unlinked; /* it has no name any more */
  sem_t sem;
};

/* prog */
PROG static struct {
  uint32_t count;
  struct named at[NAMED];
} named;

static struct named *named_find(const char *name) {
  for (uint32_t i = 0; i < named.count; i++)
    if (!named.at[i].unlinked && !strcmp(named.at[i].name, name))
      return &named.at[i];
  return NULL;
}

/* An errno if the name cannot be one. */
static int named_read(const char *name, char *copy, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, name, NAME);
  libcall_announce(&e);
  size_t length = string_length(name, NAME);
  touched(&e, name, string_extent(length, NAME));
  if (length == NAME)
    return ENAMETOOLONG;
  const char *bare = name + (*name == '/');
  if (!*bare || strchr(bare, '/'))
    return EINVAL;
  memcpy(copy, bare, strlen(bare) + 1);
  library_state(&named, sizeof named.count, true, pc);
  return 0;
}

static struct named *named_make(const char *name, uint32_t value) {
  if (named.count == NAMED)
    refuse("more than %d named semaphores", NAMED);
  struct named *n = &named.at[named.count];
  SET(named.count, named.count + 1);
  undo_note(n->name, NAME);
  memcpy(n->name, name, strlen(name) + 1);
  SET(*(struct semaphore *)&n->sem, ((struct semaphore){value, LIFE_MADE}));
  return n;
}

static sem_t *no_semaphore(int code) {
  error_set(code);
  return SEM_FAILED;
}

INTERPOSED sem_t *sem_open(const char *name, int flags, ...) {
  char copy[NAME];
  va_list arguments;
  va_start(arguments, flags);
  if (flags & O_CREAT)
    (void)va_arg(arguments, mode_t);
  unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  int code = value > SEM_VALUE_MAX ? EINVAL : named_read(name, copy, CALLER);
  if (code)
    return no_semaphore(code);
  struct named *n = named_find(copy);
  if (n && (flags & O_CREAT) && (flags & O_EXCL))
    return no_semaphore(EEXIST);
  if (!n && !(flags & O_CREAT))
    return no_semaphore(ENOENT);
  if (!n)
    n = named_make(copy, value);
  SET(n->opened, n->opened + 1);
  return &n->sem;
}

INTERPOSED int sem_close(sem_t *sem) {
  library_state(&named, sizeof named.count, true, CALLER);
  for (uint32_t i = 0; i < named.count; i++)
    if (&named.at[i].sem == sem && named.at[i].opened) {
      SET(named.at[i].opened, named.at[i].opened - 1);
      return 0;
    }
  return errno_fail(EINVAL);
}

INTERPOSED int sem_unlink(const char *name) {
  char copy[NAME];
  int code = named_read(name, copy, CALLER);
  struct named *n = code ? NULL : named_find(copy);
  if (!n)
    return errno_fail(code == ENAMETOOLONG ? code : ENOENT);
  SET(n->unlinked, 1);
  return 0;
}

/* What tasks can still do, as far as it is declared: may_touch() of
 * core/system.h.
 *
 * It is known only if all threads are main and tasks, main waits for the end of
 * all tasks, and all live tasks belong to actors whose types are HEDDLE_PRIVATE
 * and list their handlers.  Such a task touches its actor's state and its own
 * memory (actor_private.c); so do the tasks for its messages, and for theirs.
 * The state of an actor can still be touched by the actor's live tasks, and by
 * tasks for handlers of its type that a chain of declared messages leads to
 * from some live task.  The receiver of a future message is not known, only its
 * handler.
 *
 * Every access and message is checked when it happens.  Suppose a declaration
 * is not true.  The first task that breaks it also does so after the step in
 * question, since until then no task depends on that step.  So a wrong answer
 * becomes an error, never a wrong verdict.
 */
#include "system/native/engine/engine.h"
#include "system/native/libc/heap.h"
#include "system/native/actor/actor.h"

typedef const struct heddle_future task;

/* ---- which messages can still be sent ------------------------------------
 */

/* keep: scratch. */
static VEC(heddle_handler *) reached;

static void reach(heddle_handler *handler) {
  for (size_t i = 0; i < reached.size; i++)
    if (reached.at[i] == handler)
      return;
  VEC_PUSH(reached, handler);
}

static void reach_sends(const struct heddle_handles *h) {
  for (heddle_handler *const *s = h->sends; s && *s; s++)
    reach(*s);
}

/* All types declare the same about a handler (declared_check_actor).  False: no
 * type declares anything, or the message may go to an actor without
 * declarations. */
static bool reach_from(heddle_handler *handler) {
  bool known = false;
  for (size_t i = 0; i < actor_most(); i++) {
    const struct heddle_actor *actor = actor_get(i);
    if (!actor)
      continue;
    if (!declared_entirely(actor))
      return false;
    const struct heddle_handles *h = declared_find(actor->type, handler);
    if (h && !known)
      reach_sends(h);
    known |= h != NULL;
  }
  return known;
}

static bool reach_all(void) {
  for (size_t i = 0; i < reached.size; i++) /* grows meanwhile */
    if (!reach_from(reached.at[i]))
      return false;
  return true;
}

static bool comes_to(const struct heddle_actor *actor) {
  for (size_t i = 0; i < reached.size; i++)
    if (declared_find(actor->type, reached.at[i]))
      return true;
  return false;
}

/* ---- the owner of bytes ---------------------------------------------------
 */

static const void *pointer(const struct access *a) {
  return (const void *)(uintptr_t)a->addr;
}

static bool is_at(const struct access *a, const void *start, size_t size) {
  return a->addr - (uintptr_t)start < size;
}

/* The task whose future or message this is. */
static task *future_at(const struct access *a) {
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    task *f = t->state == THREAD_NONE ? NULL : t->task;
    if (f && (is_at(a, f, sizeof *f) || is_at(a, f->message, f->size)))
      return f;
  }
  return NULL;
}

/* Main reads `ended`, too, but only after the end of all tasks. */
static bool touches_future(const struct thread *t, task *f,
                           const struct access *a) {
  if (is_at(a, &f->forgotten, sizeof f->forgotten))
    return f->asker == t->id;
  if (is_at(a, &f->ended, sizeof f->ended) || is_at(a, f->message, f->size))
    return f->thread == t;
  return true;
}

/* Memory that the task allocated itself, or a task whose result it awaited. */
static bool touches_arena(const struct thread *t, const struct access *a) {
  uint64_t arena = (a->addr - HEAP_BASE) >> HEAP_ARENA_BITS;
  task *f = arena < thread_count() ? thread_get((unsigned)arena)->task : NULL;
  return arena == t->id || (f && f->asker == t->id);
}

/* A footprint joins adjacent ranges; then the access may belong to several
 * actors or tasks. */
static bool is_in_one_block(const struct access *a) {
  uint64_t start, size, pc;
  return heap_find(pointer(a), &start, &size, &pc) &&
         a->addr + a->size <= start + size;
}

/* May the task of t, which is declared, touch these bytes? */
static bool could_touch(const struct thread *t, const struct access *a) {
  if (in_stacks(a->addr))
    return coroutine_of(a->addr) == t;
  if (!heap_contains(pointer(a)))
    return a->mode & ACCESS_WRITE;
  if (!is_in_one_block(a))
    return true;
  const struct heddle_actor *owner = actor_with_state(a->addr);
  if (owner)
    return owner == ((task *)t->task)->actor;
  if (actor_has_line(a->addr))
    return true;
  if (actor_at(a->addr))
    return a->mode & ACCESS_WRITE;
  task *f = future_at(a);
  return f ? touches_future(t, f, a) : touches_arena(t, a);
}

/* ---- the question ---------------------------------------------------------
 */

/* Main does not go on before the last task has ended. */
static bool waits_for_all(const struct thread *t) {
  return !t->id && t->pending && t->pending->op == OP_IDLE;
}

/* Can t not touch any of these?  False: it may, or it is not known. */
static bool lets_be(const struct thread *t, const struct access *access,
                    uint32_t count) {
  task *at_hand = t->task;
  if (waits_for_all(t))
    return true;
  if (!at_hand || !declared_entirely(at_hand->actor))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (could_touch(t, &access[i]))
      return false;
  reach_sends(declared_find(at_hand->actor->type, at_hand->handler));
  return true;
}

bool native_may_touch(struct system *system, unsigned but,
                      const struct access *access, uint32_t count) {
  (void)system;
  reached.size = 0;
  if (!actor_most())
    return true;
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    if (i && t->state != THREAD_NONE && !t->task)
      return true;
    if (i != but && t->state == THREAD_RUNNING && !lets_be(t, access, count))
      return true;
  }
  if (!reach_all())
    return true;
  for (uint32_t i = 0; i < count; i++) {
    const struct heddle_actor *owner = actor_with_state(access[i].addr);
    if (owner && comes_to(owner))
      return true;
  }
  return false;
}

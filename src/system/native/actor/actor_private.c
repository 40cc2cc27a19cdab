/* HEDDLE_PRIVATE: what a task of such an actor may touch.
 *
 * It may read and write its actor's state, its message, its own stack, memory
 * that it allocated and results that it awaited; other variables it may only
 * read.  It awaits and forgets only futures that it asked for itself, and does
 * not ask whether other tasks have ended.  So tasks of other actors never touch
 * the state of this one.  actor_future.c relies on that, because it is checked
 * here.
 */
#include "system/native/engine/engine.h"
#include "system/native/libc/heap.h"
#include "system/native/actor/actor.h"

static bool within(const struct access *a, const void *start, size_t size) {
  uint64_t offset = a->addr - (uintptr_t)start;
  return offset < size && a->size <= size - offset;
}

static bool in_own_arena(const struct access *a) {
  uint64_t arena = (a->addr - HEAP_BASE) >> HEAP_ARENA_BITS;
  return arena == self->id && !actor_with_state(a->addr);
}

/* The reply of a task that has ended, which only its asker has awaited. */
static bool is_result(const struct access *a) {
  uint64_t start, size, pc;
  if (!heap_find((const void *)(uintptr_t)a->addr, &start, &size, &pc))
    return false;
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    const struct heddle_future *f = t->state == THREAD_ENDED ? t->task : NULL;
    if (f && (uintptr_t)f->result == start)
      return f->asker == self->id;
  }
  return false;
}

static bool is_own(const struct heddle_future *task, const struct access *a) {
  const struct heddle_actor *actor = task->actor;
  bool write = a->mode & ACCESS_WRITE;
  if (in_stacks(a->addr))
    return coroutine_of(a->addr) == self;
  if (!heap_contains((const void *)(uintptr_t)a->addr))
    return !write;
  return within(a, actor->state, actor->type->size) ||
         within(a, task->message, task->size) || in_own_arena(a) ||
         (!write && is_result(a));
}

void private_check(const struct heddle_future *task, const struct access *a,
                   uint64_t pc) {
  const struct heddle_actor *actor = task->actor;
  if (!(actor->flags & HEDDLE_PRIVATE) || is_own(task, a))
    return;
  fail(FINDING_MISUSE, pc,
       "a task of an actor of type %s, which is HEDDLE_PRIVATE, %s "
       "{addr:%llx}, which is not its own",
       actor->type->name ? actor->type->name : "without a name",
       a->mode & ACCESS_WRITE ? "writes" : "reads",
       (unsigned long long)a->addr);
}

void private_check_future(const struct heddle_future *task,
                          const struct heddle_future *future, const char *what,
                          uint64_t pc) {
  if (!(task->actor->flags & HEDDLE_PRIVATE) || future->asker == self->id)
    return;
  fail(FINDING_MISUSE, pc,
       "%s of a future that another task asked for, in a task of an actor "
       "that is HEDDLE_PRIVATE",
       what);
}

/* The accesses of such a thread would not be checked. */
void private_check_thread(const struct heddle_future *task, uint64_t pc) {
  if (task->actor->flags & HEDDLE_PRIVATE)
    fail(FINDING_MISUSE, pc,
         "a thread is created in a task of an actor that is HEDDLE_PRIVATE");
}

/* A step changes only what it declares: claim C9 of system/check.
 *
 * Before the step all of the program's memory is copied, and the used stacks of
 * all threads.  After it, each changed byte must be one that the step declares
 * to write.  Blocks that the step itself allocates are not in the copy: no
 * other thread knows them.
 */
#include "verify.h"

#include <stdio.h>
#include <string.h>

#include "system/native/libc/heap.h"

/* The largest object of which a footprint names the first bytes:
 * pthread_rwlock_t. */
enum { LARGEST_OBJECT = 56 };

/* ---- what a step declares ------------------------------------------------ */

/* An atomic access of such an operation may be one to an object. */
static bool may_touch_objects(enum op op) {
  return !op_is(op, OPCLASS_PLAIN | OPCLASS_ATOMIC | OPCLASS_FENCE);
}

static void add_access(segment_list *to, const struct access *a, enum op op) {
  uint64_t size = a->size;
  if (a->mode & ACCESS_ATOMIC && may_touch_objects(op) && size < LARGEST_OBJECT)
    size = LARGEST_OBJECT;
  segments_add(to, a->addr, size);
}

/* Adds the accesses that have all bits of `mode`. */
static void add_accesses(segment_list *to, const struct access *at, size_t n,
                         enum op op, uint32_t mode) {
  for (size_t i = 0; i < n; i++)
    if ((at[i].mode & mode) == mode)
      add_access(to, &at[i], op);
}

static void add_footprint(segment_list *to, uint32_t mode) {
  const struct record *r = &VEC_TOP(engine.steps);
  add_accesses(to, &engine.accesses.at[r->first], r->accesses, r->op, mode);
}

static bool is_movers(uint32_t thread) {
  return thread == VEC_TOP(engine.steps).thread;
}

/* Adds hidden accesses: of the step's thread, or of threads that it created. */
static void add_touched(segment_list *to, uint32_t mode, bool movers) {
  for (size_t i = 0; i < engine.touched.size; i++) {
    const struct datum *d = &engine.touched.at[i];
    if (is_movers(d->proc) == movers)
      add_accesses(to, &d->access, 1, OP_READ, mode);
  }
}

/* A PROG variable of the runtime may change if the log has its old value; if
 * the log lacks it, undo shows that. */
void declared_writes(segment_list *to) {
  to->size = 0;
  add_footprint(to, ACCESS_WRITE);
  add_touched(to, ACCESS_WRITE, true);
  add_touched(to, ACCESS_WRITE, false);
  module_prog(to);
  segments_sort(to);
}

/* Before a primitive is announced, its object is read, for instance to see
 * whether the thread itself holds the mutex. */
static void add_announced(segment_list *to, const struct thread *t) {
  const struct operation *op = t->pending;
  if (t->state == THREAD_RUNNING && op && may_touch_objects(op->op))
    add_accesses(to, op->access, op->accesses, op->op, ACCESS_ATOMIC);
}

/* Was the thread created by the last step? */
static bool is_new(const struct thread *t) {
  return !t->last_step && t->cause == engine.steps.size;
}

void declared_accesses(segment_list *to, bool movers) {
  const segment_list *exempted = memory_exempted();
  to->size = 0;
  if (movers)
    add_footprint(to, 0);
  add_touched(to, 0, movers);
  for (unsigned i = 0; i < thread_count(); i++)
    if (movers ? is_movers(i) : is_new(engine.threads[i]))
      add_announced(to, engine.threads[i]);
  for (size_t i = 0; i < exempted->size; i++)
    VEC_PUSH(*to, exempted->at[i]);
  module_prog(to);
  segments_sort(to);
}

/* ---- the memory before the step ------------------------------------------ */

/* keep: a range and where its copy begins. */
struct copied {
  char *start;
  size_t size;
  size_t copy;
};

static struct {
  VEC(struct copied) ranges;
  VEC(char) bytes;
  size_t stacks; /* the ranges from here on are stacks */
} before;        /* keep */

static void copy_range(void *context, char *start, size_t size) {
  (void)context;
  if (!size)
    return;
  VEC_PUSH(before.ranges, (struct copied){start, size, before.bytes.size});
  VEC_RESERVE(before.bytes, size);
  memcpy(&before.bytes.at[before.bytes.size], start, size);
  before.bytes.size += size;
}

/* Unknown functions that the user allowed may do anything. */
static bool is_exempt(void) {
  return engine.control->externals[0] != 0;
}

void native_witness(struct system *system) {
  (void)system;
  before.ranges.size = before.bytes.size = 0;
  if (is_exempt())
    return;
  engine.watched = true;
  memory_variables(copy_range, NULL);
  heap_visit(copy_range, NULL);
  before.stacks = before.ranges.size;
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = engine.threads[i];
    if (t->state == THREAD_RUNNING)
      copy_range(NULL, t->sp, (size_t)(t->stack_base - (char *)t->sp));
  }
}

void witness_visit(memory_visitor *visit, void *context) {
  for (size_t i = 0; i < before.stacks; i++)
    visit(context, before.ranges.at[i].start, before.ranges.at[i].size);
}

/* ---- the memory after it ------------------------------------------------- */

/* Searches for a changed byte. */
struct search {
  const struct copied *range;
  uint64_t found; /* 0: none yet */
};

static void compare_part(void *context, char *start, size_t size) {
  struct search *s = context;
  const char *then =
      &before.bytes.at[s->range->copy + (size_t)(start - s->range->start)];
  for (size_t i = 0; i < size && !s->found; i++)
    if (start[i] != then[i])
      s->found = (uintptr_t)(start + i);
}

static uint64_t find_changed(const segment_list *declared) {
  struct search search = {0};
  const struct thread *mover = engine.threads[VEC_TOP(engine.steps).thread];
  for (size_t i = 0; i < before.ranges.size && !search.found; i++) {
    const struct copied *r = &before.ranges.at[i];
    search.range = r;
    if ((i < before.stacks || coroutine_of((uintptr_t)r->start) != mover) &&
        memcmp(r->start, &before.bytes.at[r->copy], r->size) != 0)
      segments_rest(declared, r->start, r->size, compare_part, &search);
  }
  return search.found;
}

/* The step that changed it: 1 + its position. */
static const char *describe(uint64_t addr, uint32_t step) {
  static char text[160];
  char place[32] = "a global variable";
  const struct thread *owner = coroutine_of(addr);
  if (owner)
    snprintf(place, sizeof place, "on the stack of T%u", owner->id);
  else if (heap_contains((void *)(uintptr_t)addr))
    snprintf(place, sizeof place, "in the heap");
  snprintf(
      text, sizeof text, "address %#llx, %s, is changed in step %u, of T%u",
      (unsigned long long)addr, place, step, engine.steps.at[step - 1].thread);
  return text;
}

const char *native_undeclared(struct system *system) {
  static segment_list declared; /* keep: scratch */
  (void)system;
  if (!before.ranges.size)
    return NULL;
  declared_writes(&declared);
  uint32_t step = (uint32_t)engine.steps.size;
  uint64_t found = find_changed(&declared);
  if (!found)
    found = lent_undeclared(&step);
  return found ? describe(found, step) : NULL;
}

/* ---- accesses that are no steps ------------------------------------------ */

void watch_access(uint64_t addr, uint64_t size, bool write) {
  for (uint64_t done = 0; done < size; done += UINT32_MAX) {
    uint64_t left = size - done;
    struct access a = {addr + done,
                       left < UINT32_MAX ? (uint32_t)left : UINT32_MAX,
                       write ? ACCESS_WRITE : 0};
    VEC_PUSH(engine.touched, (struct datum){.access = a, .proc = self->id});
    if (in_stacks(a.addr))
      lent_use(self->id, &a);
  }
}

void watch_end(const struct record *r) {
  if (engine.disturbed)
    disturb_end();
  lent_step(r);
}

void watch_begin(struct thread *t) {
  engine.touched.size = 0;
  if (engine.disturbed)
    disturb_begin(t);
}

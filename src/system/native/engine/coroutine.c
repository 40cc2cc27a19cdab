/* Threads as coroutines: the table of threads and their stacks.
 *
 * A thread's stack and its struct thread have a fixed place for its number.
 * They are mapped when the number is given and stay for later executions.
 */
#include "engine.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "interrupt.h"
#include "system/native/libc/libc.h"

/* All slots begin at the same address modulo any cache's size.  Stacks and
 * structs are shifted by a different number of cache lines in each, so that
 * they do not fight for the same lines of a first-level cache. */
enum { COLOURS = 8, COLOUR_SIZE = 512 };

/* keep: where the memory of each stack begins.  Below it there is none. */
static char *mapped[NATIVE_THREADS];

static void map(char *from, const char *to, unsigned id) {
  void *at = mmap(
      from, (size_t)(to - from), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (at != from)
    refuse("no memory at %p for the stack of T%u: %s", (void *)from, id,
           error_text(errno));
}

static char *top(unsigned id) {
  return (char *)(uintptr_t)(STACK_AREA + id * STACK_SLOT) + STACK_GUARD +
         STACK_MOST;
}

/* The shadow: see stack.c. */
void stack_map_shadow(const struct thread *t) {
  if (!engine.has_shadow[t->id])
    map(mapped[t->id] + SHADOW_OFFSET, top(t->id) + SHADOW_OFFSET, t->id);
  engine.has_shadow[t->id] = true;
}

void stack_wish(struct thread *t, size_t wanted) {
  bool too_much = wanted > STACK_MOST;
  size_t size = (wanted + STACK_GUARD - 1) / STACK_GUARD * STACK_GUARD;
  if (too_much)
    size = STACK_MOST;
  if (size < STACK_SIZE)
    size = STACK_SIZE;
  char *low = top(t->id) - size, *was = mapped[t->id];
  if (low < was) {
    map(low, was, t->id);
    if (engine.has_shadow[t->id])
      map(low + SHADOW_OFFSET, was + SHADOW_OFFSET, t->id);
    mapped[t->id] = low;
  }
  if (t->stack_low != low)
    SET(t->stack_low, low);
  SET(t->stack_wanted, too_much ? wanted : 0);
}

static struct thread *map_slot(unsigned id) {
  size_t colour = id % COLOURS * COLOUR_SIZE;
  char *base = top(id);
  mapped[id] = base - STACK_SIZE;
  map(mapped[id], base + sizeof(struct thread) + COLOURS * COLOUR_SIZE, id);
  struct thread *t = (struct thread *)(void *)(base + colour);
  t->id = id;
  t->user = id + 1;
  t->stack_low = mapped[id];
  t->stack_base = base - colour;
  return t;
}

struct thread *thread_new(uint32_t parent) {
  if (engine.thread_count == NATIVE_THREADS)
    refuse("more than %d threads: let the program create fewer; where their "
           "number is an input, with --nondet=0..3; where there is no end, "
           "with --max-threads=3",
           NATIVE_THREADS);
  struct thread *t = map_slot(engine.thread_count);
  t->parent = parent;
  engine.threads[engine.thread_count++] = t;
  native_system.processes = engine.thread_count;
  return t;
}

/* Thread 0 is main, which exists from the start. */
struct thread *thread_get(unsigned id) {
  if (unlikely(!engine.thread_count))
    thread_new(0);
  return id < engine.thread_count ? engine.threads[id] : NULL;
}

unsigned thread_count(void) {
  return engine.thread_count;
}

void coroutine_prepare(struct thread *t, void (*entry)(struct thread *)) {
  t->sp = heddle_prepare(t->stack_base, (void (*)(void *))entry, t);
  t->pending = NULL;
  t->children = t->last_step = t->outlives = t->atomic_depth = 0;
  t->error_number = 0;
  t->rounds = t->loops = t->section = 0;
  t->spin = (struct spin){.power = 1};
}

static struct operation begin = {.op = OP_START};

/* The child switches to engine.sp when it pauses, ends or fails.  For now that
 * is the parent's stack pointer. */
void coroutine_start(struct thread *child) {
  if (engine.steps.size)
    VEC_TOP(engine.steps).target = child->id;
  engine.born[child->id] = engine.steps.size;
  struct thread *parent = self;
  void *explorer = engine.sp;
  uint64_t pc = engine.pc;
  uint32_t hidden = engine.hidden;
  if (unlikely(engine.comparing || engine.watched))
    stack_wipe(child);
  if (unlikely(engine.disturbed))
    disturb_child(child);
  self = child;
  heddle_switch(&engine.sp, child->sp);
  self = parent;
  if (unlikely(engine.disturbed))
    disturb_parent();
  engine.hidden_first[child->id] = engine.hidden - hidden;
  engine.hidden = hidden;
  engine.in_data = false;
  engine.sp = explorer;
  engine.pc = pc;
}

void coroutine_start_main(void (*entry)(struct thread *), uint64_t pc) {
  struct thread *t = thread_get(0);
  coroutine_prepare(t, entry);
  begin.pc = pc;
  t->pending = &begin;
  t->state = THREAD_RUNNING;
}

struct thread *coroutine_of(uint64_t addr) {
  uint64_t slot = (addr - STACK_AREA) / STACK_SLOT;
  uint64_t offset = (addr - STACK_AREA) % STACK_SLOT;
  if (slot >= engine.thread_count || offset >= STACK_GUARD + STACK_MOST)
    return NULL;
  return engine.threads[slot];
}

void thread_end(enum thread_state state) {
  struct thread *t = self;
  ensure(t);
  if (t->atomic_depth && state != THREAD_ENDED)
    SET(process.torn, 1);
  if (state != THREAD_ENDED)
    interrupt_stopped();
  if (state == THREAD_GONE)
    VEC_TOP(engine.steps).gone = 1;
  t->state = state;
  t->pending = NULL;
  t->atomic_depth = 0;
  heddle_switch(&t->sp, engine.sp);
  __builtin_unreachable();
}

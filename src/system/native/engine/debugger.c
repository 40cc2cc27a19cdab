#include "debugger.h"

#include "engine.h"

/* Places for breakpoints, each called with heddle_debug up to date. */
void heddle_debug_move(void);
void heddle_debug_end(void);
void heddle_debug_failed(void);

#define STOP_HERE __attribute__((noinline, visibility("default")))

STOP_HERE void heddle_debug_move(void) {
  __asm__ volatile("");
}

STOP_HERE void heddle_debug_end(void) {
  __asm__ volatile("" ::: "memory");
}

STOP_HERE void heddle_debug_failed(void) {
  __asm__ volatile("" ::: "memory", "cc");
}

__attribute__((visibility("default"))) struct debug_state heddle_debug;
static struct debug_thread table[NATIVE_THREADS]; /* keep */

enum { NO_THREAD = -1 };

static void describe_pending(const struct thread *t, struct debug_thread *out) {
  const struct operation *op = t->pending;
  if (t->state != THREAD_RUNNING || !op)
    return;
  out->enabled = engine_enabled(t);
  const char *words = out->enabled || !op_table[op->op].waits
                          ? op_table[op->op].words
                          : op_table[op->op].waits;
  out->words = (uintptr_t)words;
  out->object = op->object     ? (uintptr_t)op->object
                : op->accesses ? op->access->addr
                               : 0;
  out->site = (uintptr_t)op->site;
  out->target = op->target;
}

static void describe(const struct thread *t, struct debug_thread *out) {
  *out = (struct debug_thread){.state = t->state, .start = (uintptr_t)t->start};
  if (t == self || t->state == THREAD_NONE)
    return;
  if (t->state == THREAD_RUNNING && t->pending)
    out->sp = (uintptr_t)t->sp;
  describe_pending(t, out);
}

static void update(uint64_t at, uint64_t next) {
  heddle_debug.version = DEBUG_VERSION;
  heddle_debug.at = at;
  heddle_debug.next = next;
  heddle_debug.running = self ? self->id : (uint64_t)NO_THREAD;
  heddle_debug.threads = thread_count();
  heddle_debug.table = (uintptr_t)table;
  for (unsigned i = 0; i < thread_count(); i++)
    describe(thread_get(i), &table[i]);
}

void debugger_begin(void) {
  heddle_debug.on = 1;
  heddle_debug.stop_at = 0;
}

void debugger_move(uint64_t at, uint32_t next) {
  if (at < heddle_debug.stop_at)
    return;
  update(at, next);
  heddle_debug_move();
}

void debugger_end(uint64_t at) {
  update(at, (uint64_t)NO_THREAD);
  heddle_debug_end();
}

/* The step that fails is the last record: it is being taken. */
void debugger_failed(void) {
  if (!heddle_debug.on)
    return;
  update(engine.steps.size, self ? self->id : (uint64_t)NO_THREAD);
  heddle_debug_failed();
}

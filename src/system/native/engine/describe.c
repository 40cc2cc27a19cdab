/* What a report is told about a replay: steps, local variables, and where the
 * threads stand at its end. */
#include <string.h>

#include "engine.h"
#include "system/native/actor/actor.h"
#include "system/native/libc/heap.h"

/* ---- steps --------------------------------------------------------------- */

/* Where a step crashed there may be nothing to look at. */
static bool is_harmless(void) {
  return !engine.has_finding || engine.finding.kind == FINDING_ASSERTION;
}

static void describe_place(struct wire_step *out, const struct access *a) {
  const void *addr = (const void *)(uintptr_t)a->addr;
  out->addr = a->addr;
  out->size = a->size;
  const struct thread *owner = coroutine_of(a->addr);
  if (owner)
    out->stack_of = 1 + owner->id;
  else if (heap_contains(addr))
    heap_find(addr, &out->block, &out->block_size, &out->block_pc);
}

static void describe_value(struct wire_step *out, const struct access *a) {
  size_t size = a->size < 8 ? a->size : 8;
  unsigned char old[8] = {0};
  out->has_value = 1;
  memcpy(&out->value, (const void *)(uintptr_t)a->addr, size);
  undo_bytes_before(engine.steps.size - 1, a->addr, old, size);
  memcpy(&out->old, old, sizeof out->old);
  const void *pointed = (const void *)(uintptr_t)out->value;
  if (a->size == sizeof pointed && heap_contains(pointed))
    heap_find(pointed, &out->pointed, &out->pointed_size, &out->pointed_pc);
}

/* The memory that the step touches first. */
static void describe_access(struct wire_step *out, const struct record *r) {
  const struct access *a = &engine.accesses.at[r->first];
  if (r->op == OP_TASK) {
    out->addr = actor_type_of(a->addr);
    out->size = sizeof(struct heddle_actor_type);
    return;
  }
  describe_place(out, a);
  if (op_has_value(r->op) && is_harmless())
    describe_value(out, a);
  if (op_is(r->op, OPCLASS_BULK) && is_harmless())
    out->text = a->size < WIRE_TEXT ? a->size : WIRE_TEXT;
  out->accesses = r->accesses < WIRE_ACCESSES ? r->accesses : WIRE_ACCESSES;
}

/* A thread knows which step has woken it. */
static uint64_t woken_threads(void) {
  uint64_t woken = 0;
  for (unsigned i = 0; i < thread_count() && i < 64; i++)
    if (thread_get(i)->signal == engine.steps.size)
      woken |= (uint64_t)1 << i;
  return woken;
}

_Static_assert(OPS <= WIRE_KEY_OP, "an operation fits in a key");

/* The site's line and column are left out. */
static uint32_t event_key(uint16_t op, hook_site site) {
  uint32_t hash = 0x811c9dc5u; /* FNV-1a */
  int tabs = 0;
  for (; site && *site && tabs < 2; site++) {
    tabs += *site == '\t';
    hash = (hash ^ (unsigned char)*site) * 0x01000193u;
  }
  return (hash & ~WIRE_KEY_OP) | op;
}

uint32_t native_next_key(unsigned thread) {
  const struct thread *t = thread_get(thread);
  return t->pending ? event_key(t->pending->op, t->pending->site) : 0;
}

uint64_t native_next_pc(unsigned thread) {
  const struct thread *t = thread_get(thread);
  return t->pending ? engine_pending_place(t) : 0;
}

void native_send_step(bool local, bool preempts) {
  const struct record *r = &VEC_TOP(engine.steps);
  const char *site = r->site ? r->site : "";
  struct {
    struct access access[WIRE_ACCESSES];
    char more[WIRE_TEXT + 512];
  } rest;
  struct wire_step step = {
      .proc = r->thread,
      .op = r->op,
      .failed = r->failed && op_may_fail(r->op),
      .pc = r->pc,
      .target =
          op_table[r->op].target == OPTARGET_CHOICE ? r->choice : r->target,
      .local = local,
      .preempts = preempts,
      .key = event_key(r->op, r->site),
  };
  if (r->accesses)
    describe_access(&step, r);
  if (r->op == OP_SIGNAL || r->op == OP_BROADCAST)
    step.woken = woken_threads();
  if (r->op == OP_INPUT)
    step.value = input_value(r->target, r->choice);
  size_t size = step.accesses * sizeof(struct access), length = strlen(site);
  char *to = (char *)&rest;
  memcpy(to, &engine.accesses.at[r->first], size);
  memcpy(to + size, (const void *)(uintptr_t)step.addr, step.text);
  size += step.text;
  if (length > sizeof rest.more - WIRE_TEXT)
    length = sizeof rest.more - WIRE_TEXT;
  memcpy(to + size, site, length);
  wire_send(MESSAGE_STEP, &step, sizeof step, to, size + length);
}

void native_describe_thread(struct system *system, unsigned thread,
                            struct wire_thread *out) {
  (void)system;
  const struct thread *t = thread_get(thread);
  *out = (struct wire_thread){
      .proc = t->id,
      .parent = t->parent,
      .start = thread ? (uint64_t)(uintptr_t)t->start : 0,
      .handle = (uintptr_t)t,
  };
}

void replay_names_local(const void *addr, size_t size, hook_site site) {
  struct wire_local local = {(uintptr_t)addr, size, self->id, 0};
  if (site)
    wire_send(MESSAGE_LOCAL, &local, sizeof local, site, strlen(site));
}

/* ---- where threads stand ------------------------------------------------- */

/* What heddle_switch left on the stack of a thread that is paused. */
#if defined __x86_64__
static void paused_registers(const struct thread *t, struct wire_stand *out) {
  static const unsigned char pushed[] = {15, 14, 13, 12, 3, 6}; /* rbx, rbp */
  const uint64_t *at = t->sp;
  for (unsigned i = 0; i < sizeof pushed; i++) {
    out->registers[pushed[i]] = at[i];
    out->known |= 1u << pushed[i];
  }
  out->pc_now = at[6];
  out->sp = (uintptr_t)&at[7];
  out->registers[7] = out->sp;
  out->registers[16] = out->pc_now;
  out->known |= 1u << 7 | 1u << 16;
}
#else
static void paused_registers(const struct thread *t, struct wire_stand *out) {
  const uint64_t *at = t->sp;
  for (unsigned i = 0; i < 12; i++) { /* x19 .. x30 */
    out->registers[19 + i] = at[i];
    out->known |= 1u << (19 + i);
  }
  out->pc_now = at[11];
  out->sp = (uintptr_t)t->sp + 160;
  out->registers[31] = out->sp;
  out->known |= 1u << 31;
}
#endif

static bool is_on_stack(const struct thread *t, uint64_t addr) {
  return addr >= (uintptr_t)t->stack_low && addr < (uintptr_t)t->stack_base;
}

static enum wire_stand_state state_of(struct thread *t) {
  switch ((enum thread_state)t->state) {
  case THREAD_RUNNING:
    return engine_enabled(t) ? STAND_RUNS : STAND_WAITS;
  case THREAD_FAILED:
    return STAND_FAILED;
  case THREAD_ASSUMED:
  case THREAD_STOPPED:
    return STAND_STOPPED;
  default:
    return STAND_ENDED;
  }
}

static void describe_pending(const struct thread *t, struct wire_stand *out) {
  const struct operation *op = t->pending;
  const struct thread *holder = operation_holder(op);
  const void *object = op->op == OP_FUTEX_WAIT ? t->waits_on : op->object;
  out->op = op->op;
  out->pc = engine_place(t, op->pc);
  out->target = op->target;
  out->holder = holder ? 1 + holder->id : 0;
  out->object = (uintptr_t)object;
  out->looks = t->spin.waiting && !op_sleeps(op->op) ? t->spin.accesses : 0;
}

void native_send_stand(unsigned thread) {
  struct thread *t = thread_get(thread);
  struct wire_stand stand = {.proc = thread, .state = state_of(t)};
  VEC(char) rest = {0};
  if (t->state == THREAD_NONE)
    return;
  if (t->pending)
    describe_pending(t, &stand);
  if (stand.state != STAND_ENDED && !crash_registers(t, &stand) &&
      is_on_stack(t, (uintptr_t)t->sp))
    paused_registers(t, &stand);
  if (stand.looks > WIRE_ACCESSES)
    stand.looks = WIRE_ACCESSES;
  size_t looks = stand.looks * sizeof(struct access), stack = 0;
  if (stand.known && is_on_stack(t, stand.sp))
    stack = (size_t)((uintptr_t)t->stack_base - stand.sp);
  stack = stack < WIRE_STACK ? stack : WIRE_STACK;
  VEC_CLEARED(rest, looks + stack);
  memcpy(rest.at, &engine.accesses.at[t->spin.first], looks);
  memcpy(rest.at + looks, (const void *)(uintptr_t)stand.sp, stack);
  wire_send(MESSAGE_STAND, &stand, sizeof stand, rest.at, looks + stack);
  VEC_FREE(rest);
}

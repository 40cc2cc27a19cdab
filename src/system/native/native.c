/* The native system, as the explorers see it. */
#include "actor.h"
#include "engine.h"
#include "heap.h"
#include "libc.h"
#include "verify.h"

#include <stdio.h>
#include <string.h>

static bool native_enabled(struct system *system, unsigned p) {
  return p < system->processes && engine_enabled(engine.threads[p]);
}

static bool native_pending(struct system *system, unsigned p,
                           struct step *out) {
  const struct thread *t = p < system->processes ? thread_get(p) : NULL;
  if (!t || t->state != THREAD_RUNNING || !t->pending)
    return false;
  const struct operation *op = t->pending;
  *out = (struct step){
      .op = op->op,
      .flags = op->flags,
      .order = op->order,
      .wants = op->wants,
      .offers = op->offers ? op->offers(op) : 0,
      .choices = 1,
      .cause = t->cause,
      .accesses = op->accesses,
      .access = op->access,
      .pc = op->pc,
  };
  if (t->spin.waiting) {
    out->flags |= STEP_AWAIT;
    out->accesses = t->spin.accesses;
    out->access = &engine.accesses.at[t->spin.first];
  }
  return true;
}

static enum step_result native_step(struct system *system, unsigned p,
                                    unsigned choice, struct step *out) {
  (void)system;
  return engine_step(engine.threads[p], choice, out);
}

static bool native_undo(struct system *system, size_t depth) {
  (void)system;
  if (unlikely(engine.control->options.rollback == ROLLBACK_REPLAY))
    return rollback_to(depth);
  undo_to(depth);
  return true;
}

/* A compare-and-swap would find the bytes as they were before `earlier`; what
 * else can fail wants something that the object offered then. */
static bool native_succeeds_before(struct system *system, size_t later,
                                   size_t earlier) {
  (void)system;
  const struct record *l = &engine.steps.at[later];
  if (l->op != OP_CAS) {
    uint8_t offers = engine.steps.at[earlier].offers;
    return (offers & OFFER_SAME ? l->offers : offers) & l->wants;
  }
  const struct access *a = &engine.accesses.at[l->first];
  const char *expected = RECORD_EXPECTED(l);
  for (uint32_t done = 0; done < a->size;) {
    unsigned char before[64];
    uint32_t part = a->size - done;
    if (part > sizeof before)
      part = sizeof before;
    undo_bytes_before(earlier, a->addr + done, before, part);
    if (memcmp(before, expected + done, part) != 0)
      return false;
    done += part;
  }
  return true;
}

/* ---- the end ------------------------------------------------------------- */

/* Appends to the message; what does not fit is cut. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
  size_t length = strlen(engine.message);
  va_list arguments;
  va_start(arguments, format);
  real_vsnprintf(engine.message + length, sizeof engine.message - length,
                 format, arguments);
  va_end(arguments);
}

static const char *waits_for(const struct operation *op) {
  switch (op->op) {
  case OP_LOCK:
    return "to lock";
  case OP_RDLOCK:
    return "to read-lock";
  case OP_WRLOCK:
    return "to write-lock";
  case OP_WAIT:
    return "on condition variable";
  case OP_SEM_WAIT:
    return "for semaphore";
  case OP_ARRIVE:
  case OP_LEAVE:
    return "at barrier";
  case OP_ONCE:
    return "for the end of pthread_once";
  default:
    return "for";
  }
}

/* An address between braces is replaced by a name where people read it. */
static void say_waiting(const struct thread *t) {
  const struct operation *op = t->pending;
  const struct thread *holder = operation_holder(op);
  if (t->spin.waiting) {
    say("T%u waits in a loop for a change of", t->id);
    for (uint32_t i = 0; i < t->spin.accesses && i < 4; i++)
      say("%s {addr:%llx}", i ? "," : "",
          (unsigned long long)engine.accesses.at[t->spin.first + i].addr);
    return;
  }
  switch (op->op) {
  case OP_JOIN:
    say("T%u waits for the end of T%u", t->id, op->target);
    return;
  case OP_TASK:
    say("T%u awaits the end of T%u", t->id, op->target);
    return;
  case OP_TURN:
    say("T%u comes after T%u", t->id, op->target);
    return;
  case OP_IDLE:
    say("T%u waits for the end of all tasks", t->id);
    return;
  default:
    break;
  }
  const void *object = op->object ? op->object : t->waits_on;
  say("T%u waits %s {addr:%llx}", t->id, waits_for(op),
      (unsigned long long)(uintptr_t)object);
  if (holder)
    say(", held by T%u", holder->id);
}

static void explain_stuck(void) {
  const struct thread *first = NULL;
  bool livelock = false;
  engine.message[0] = 0;
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    if (t->state != THREAD_RUNNING)
      continue;
    livelock |= t->spin.waiting;
    say("%s", first ? "; " : "");
    say_waiting(t);
    if (!first)
      first = t;
  }
  engine.has_finding = true;
  engine.finding = (struct finding){
      .kind = livelock ? FINDING_LIVELOCK : FINDING_DEADLOCK,
      .proc = first->id,
      .pc = first->pending->pc,
      .message = engine.message,
  };
}

static enum ending native_ending(struct system *system) {
  (void)system;
  bool with[THREAD_ASSUMED + 1] = {false};
  for (unsigned i = 0; i < thread_count(); i++)
    with[engine.threads[i]->state] = true;
  if (with[THREAD_FAILED])
    return ENDING_FAILED;
  if (with[THREAD_ASSUMED])
    return ENDING_ASSUMED;
  if (!with[THREAD_RUNNING] || exiting)
    return ENDING_COMPLETE;
  explain_stuck();
  return ENDING_STUCK;
}

static const struct finding *native_finding(struct system *system) {
  (void)system;
  return &engine.finding;
}

static const char *native_output(struct system *system, size_t *length) {
  (void)system;
  return output_text(1, length);
}

static bool native_stale(struct system *system) {
  (void)system;
  return engine.stale;
}

static void native_restart(struct system *system, bool finest) {
  (void)system;
  engine.stale = false;
  if (finest)
    native_hide(false);
}

static const struct system_ops operations = {
    .enabled = native_enabled,
    .pending = native_pending,
    .step = native_step,
    .undo = native_undo,
    .succeeds_before = native_succeeds_before,
    .changes = native_changes,
    .may_touch = native_may_touch,
    .comparing = native_comparing,
    .ending = native_ending,
    .finding = native_finding,
    .output = native_output,
    .stale = native_stale,
    .restart = native_restart,
    .fingerprint = native_fingerprint,
    .witness = native_witness,
    .undeclared = native_undeclared,
    .places = native_places,
    .place = native_place,
    .disturb = native_disturb,
};

struct system native_system = {.ops = &operations};

/* ---- for reports --------------------------------------------------------- */

/* Where a step crashed there may be nothing to look at. */
static bool shows_value(const struct record *r) {
  bool harmless =
      !engine.has_finding || engine.finding.kind == FINDING_ASSERTION;
  return r->op >= OP_READ && r->op <= OP_CAS && harmless;
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

/* The memory that the step touches first. */
static void describe_access(struct wire_step *out, const struct record *r) {
  const struct access *a = &engine.accesses.at[r->first];
  if (r->op == OP_TASK) {
    out->addr = actor_type_of(a->addr);
    out->size = sizeof(struct heddle_actor_type);
    return;
  }
  describe_place(out, a);
  if (shows_value(r)) {
    out->has_value = 1;
    memcpy(&out->value, (const void *)(uintptr_t)a->addr,
           a->size < 8 ? a->size : 8);
  }
}

const char *native_describe(struct system *system, struct wire_step *out) {
  (void)system;
  const struct record *r = &VEC_TOP(engine.steps);
  *out = (struct wire_step){
      .proc = r->thread,
      .op = r->op,
      .failed = r->failed,
      .pc = r->pc,
      .target = r->op == OP_CHOOSE ? r->choice : r->target,
  };
  if (r->accesses)
    describe_access(out, r);
  return r->site ? r->site : "";
}

void native_describe_thread(struct system *system, unsigned thread,
                            struct wire_thread *out) {
  (void)system;
  const struct thread *t = thread_get(thread);
  *out = (struct wire_thread){
      .proc = t->id,
      .parent = t->parent,
      .start = thread ? (uint64_t)(uintptr_t)t->start : 0,
  };
}

/* ---- for checks ---------------------------------------------------------- */

/* Our own error: which schedule showed it. */
void native_print_schedule(void) {
  dprintf(2, "schedule so far:");
  for (size_t i = 0; i < engine.steps.size; i++) {
    const struct record *r = &engine.steps.at[i];
    dprintf(2, " T%u", r->thread);
    if (r->choices > 1)
      dprintf(2, "/%u", r->choice);
  }
  dprintf(2, "\n");
}

void native_hide(bool hide) {
  engine.finest = !hide;
  engine.hiding = hide || engine.apart;
}

void native_set_apart(bool apart) {
  engine.apart = apart;
  engine.hiding = engine.hiding || apart;
}

bool native_created(size_t position, uint32_t nth, uint32_t *thread) {
  const struct record *r = &engine.steps.at[position];
  uint32_t before;
  memcpy(&before, (const char *)r->saved + offsetof(struct thread, children),
         sizeof before);
  if (nth >= r->children - before)
    return false;
  *thread = thread_child(r->thread, before + nth);
  return true;
}

uint32_t native_hidden(size_t position) {
  return engine.steps.at[position].hidden;
}

uint32_t native_hidden_first(uint32_t thread) {
  return engine.hidden_first[thread];
}

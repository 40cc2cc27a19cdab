/* A step: one visible operation of one thread, and its local code up to the
 * next one.
 *
 * engine_step() saves what the step can change (the thread's stack and first
 * fields; the rest goes through undo_note), switches to the thread and comes
 * back when the thread announces its next operation, ends or fails.
 */
#include "engine.h"
#include "debugger.h"
#include "interrupt.h"

#include <string.h>

#include "polling.h"
#include "round.h"
#include "taken_back.h"
#include "timekeeping.h"
#include "system/native/pthread/join_chain.h"
#include "util/rng.h"

struct engine engine;
struct thread *self;
PROG struct process_end process;

/* Not inlined: without --interfere=locks the frames on a thread's stack stay as
 * small as possible.  Waiting loops are found by comparing stacks. */
static __attribute__((noinline)) void visible_apart(struct operation *op) {
  if (!sharing_sets_apart(op))
    announce(op);
}

void visible(struct operation *op) {
  if (unlikely(engine.apart))
    visible_apart(op);
  else
    announce(op);
}

void library_state(const void *addr, size_t size, bool write, uint64_t pc) {
  struct access access = {(uintptr_t)addr, (uint32_t)size,
                          ACCESS_ATOMIC | (write ? ACCESS_WRITE : 0)};
  struct operation op = {
      .op = OP_LIBRARY, .pc = pc, .accesses = 1, .access = &access};
  if (engine.mode != MODE_EXPLORE)
    return;
  if (engine.hiding && !self->atomic_depth &&
      sharing_hides_state(access.addr, access.size, write))
    engine.pc = pc;
  else
    announce(&op);
}

static bool ready(const struct operation *op) {
  return !op->ready || op->ready(op);
}

/* Inside an atomic block, before main, or in a plain run. */
__attribute__((noinline)) void visible_slow(struct operation *op) {
  if (engine.mode == MODE_PLAIN) {
    return;
  } else if (engine.mode == MODE_BEFORE && self) {
    self->pending = op; /* a thread that a constructor created */
    heddle_switch(&self->sp, engine.sp);
  } else if (engine.mode == MODE_BEFORE) {
    if (!ready(op))
      refuse("a constructor waits, before main");
  } else {
    engine.pc = op->pc;
    if (!ready(op))
      refuse("a blocking operation inside an atomic block");
    footprint_collect(op);
    if (unlikely(time_in_use)) {
      time_begin(self, op);
      time_end(op->flags & STEP_CONDITIONAL);
    }
  }
}

uint32_t step_now(void) {
  return (uint32_t)engine.steps.size;
}

void step_caused_by(uint32_t step) {
  if (engine.mode == MODE_EXPLORE && engine.steps.size)
    VEC_TOP(engine.steps).cause = step;
}

void step_reads_on(void) {
  if (engine.mode == MODE_EXPLORE && engine.steps.size)
    VEC_TOP(engine.steps).reads_on = true;
}

void step_signalled_by(uint32_t step) {
  if (engine.mode == MODE_EXPLORE && engine.steps.size)
    VEC_TOP(engine.steps).signal = step;
}

void step_has_order(uint32_t order) {
  if (engine.mode == MODE_EXPLORE && engine.steps.size && !self->atomic_depth)
    VEC_TOP(engine.steps).order = (uint8_t)order;
}

unsigned choose(unsigned n) {
  if (engine.mode != MODE_EXPLORE || n <= 1)
    return 0;
  struct record *r = &VEC_TOP(engine.steps);
  if (self->atomic_depth) /* the state must determine what a block touches */
    refuse("a choice inside an atomic block or task: choose before it begins");
  r->choices = n;
  ensure(r->choice < n);
  return r->choice;
}

/* ---- steps --------------------------------------------------------------- */

/* The footprint as announced; an await's is that of its whole loop. */
static void copy_accesses(const struct thread *t, struct record *r) {
  const struct operation *op = t->pending;
  uint32_t n = t->spin.waiting ? t->spin.accesses : operation_accesses(op);
  VEC_RESERVE(engine.accesses, n);
  r->first = (uint32_t)engine.accesses.size;
  r->accesses = n;
  struct access *to = &engine.accesses.at[r->first];
  const struct access *from =
      t->spin.waiting ? &engine.accesses.at[t->spin.first] : op->access;
  for (uint32_t i = 0; i < n; i++)
    to[i] = from[i];
  engine.accesses.size += n;
}

static void save_expected(const struct operation *op) {
  size_t room = (op->access->size + 15) & ~(size_t)15; /* keeps alignment */
  VEC_RESERVE(engine.bytes, room);
  memcpy(&engine.bytes.at[engine.bytes.size], op->expected, op->access->size);
  engine.bytes.size += room;
}

static struct record *begin(struct thread *t, unsigned choice, bool looks) {
  const struct operation *op = t->pending;
  VEC_RESERVE(engine.steps, 1);
  struct record *r = &engine.steps.at[engine.steps.size];
  memcpy(r->saved, t, SAVED_SIZE);
  r->pc = engine_place(t, op->pc);
  r->link = 0;
  r->site = op->site;
  r->entries = engine.log.size;
  r->thread = t->id;
  r->previous = t->last_step;
  r->cause = t->cause;
  r->signal = 0;
  r->choice = choice;
  r->choices = 1;
  r->target = op->target;
  r->round = t->spin.waiting ? t->spin.count : 0;
  r->op = op->op;
  r->flags = op->flags | (t->spin.waiting ? STEP_AWAIT : 0);
  if (unlikely(looks))
    r->flags = (r->flags & ~STEP_BLOCKING) | STEP_LOOK;
  r->order = op->order;
  r->wants = op->wants;
  r->offers = op->offers ? op->offers(op) : OFFER_SAME;
  r->failed = r->gone = r->passing = r->reads_on = 0;
  r->adds = op->adds;
  r->more = 0;
  r->causes = engine.causes.size;
  r->data = engine.data.size;
  r->rounds = engine.rounds.size;
  r->loops = engine.loops.size;
  copy_accesses(t, r);
  stack_save(t, r);
  if (unlikely(op->expected != NULL))
    save_expected(op);
  engine.steps.size++;
  return r;
}

static bool touches_stacks(const struct record *r) {
  for (uint32_t i = 0; i < r->accesses; i++)
    if (in_stacks(engine.accesses.at[r->first + i].addr))
      return true;
  return false;
}

/* The value that a step has stored.  If the step crashed, its memory may not
 * exist; if it stored on its own stack, the variable may be gone.  For both the
 * result is a value that no other thread's store has. */
static uint64_t stored_value(const struct record *r) {
  const struct access *a = &engine.accesses.at[r->first];
  uint64_t value = 0;
  if (!op_stores(r->op) || r->accesses != 1 || a->size > sizeof value)
    return 0;
  if (unlikely(engine.has_finding &&
               engine.finding.kind != FINDING_ASSERTION) ||
      (unlikely(in_stacks(a->addr)) &&
       coroutine_of(a->addr) == engine.threads[r->thread]))
    return rng_mix(r->thread);
  memcpy(&value, (const void *)(uintptr_t)a->addr, a->size);
  return value;
}

static void look_at_data(const struct record *r) {
  for (size_t i = r->data; i < engine.data.size; i++)
    if (in_stacks(engine.data.at[i].access.addr))
      locals_look_at(engine.data.at[i].proc, &engine.data.at[i].access);
}

static __attribute__((noinline)) void tell_waiting(const struct record *r) {
  round_written(r);
  polling_stepped(r);
  taken_back_stepped(r);
  round_stepped(r);
  if (!r->quiet)
    spin_wake(r);
}

static __attribute__((noinline)) void begin_extras(const struct thread *t,
                                                   struct record *r) {
  if (step_extras & EXTRA_SIGNALS)
    interrupt_begin(t, r);
  if (time_in_use)
    time_begin(t, t->pending);
}

enum step_result engine_step(struct thread *t, unsigned choice,
                             struct step *out) {
  bool looks = round_looks(t);
  engine.joining = unlikely(looks) && !engine.trying && round_joint(t);
  struct record *r = begin(t, choice, looks);
  if (unlikely(step_extras))
    begin_extras(t, r);
  engine.pc = r->pc;
  engine.has_finding = false;
  t->pending = NULL;
  t->cause = 0;
  t->last_step = (uint32_t)engine.steps.size;
  if (unlikely(t->rounds || engine.trying == t))
    round_step(t, r);
  engine.hidden = engine.changes = 0;
  engine.used_own = false;
  engine.in_data = false;
  engine.joined = engine.to_join = 0;
  spin_begin(t);
  if (unlikely(engine.comparing || engine.watched))
    stack_wipe(t);
  if (unlikely(engine.watched))
    watch_begin(t);
  engine.entries++;
  self = t;
  heddle_switch(&engine.sp, t->sp);
  self = NULL;
  if (unlikely(engine.to_join))
    join_chain_broken();
  if (unlikely(engine.unsettled))
    round_settle(t);
  if (unlikely(engine.watched))
    watch_end(r);
  if (unlikely(time_in_use))
    time_end(r->failed);
  r->hidden = engine.hidden;
  r->children = t->children;
  if (engine.hiding)
    sharing_learn(r);
  if (unlikely(engine.unordered))
    blind_correct(&engine.accesses.at[r->first], r->accesses);
  bool idle = undo_mark_silent(r);
  bool on_stacks = touches_stacks(r);
  if (unlikely(on_stacks))
    locals_look(r);
  if (unlikely(on_stacks || engine.apart)) /* others' stacks are never hidden */
    locals_look_at_writes(r);
  if (unlikely(engine.data.size > r->data))
    look_at_data(r);
  if (unlikely(engine.waits))
    tell_waiting(r);
  spin_end(t, idle);
  engine_describe(r, out);
  out->value = r->link ? r->link : stored_value(r);
  out->data = (uint32_t)(engine.data.size - r->data);
  out->datum = &engine.data.at[r->data];
  if (likely(!engine.has_finding))
    return STEP_DONE;
  return engine.refused ? STEP_REFUSED : STEP_FAILED;
}

void engine_describe(const struct record *r, struct step *out) {
  out->op = r->op;
  out->flags = r->flags;
  out->order = r->order;
  out->wants = r->wants;
  out->offers = r->offers;
  out->choice = (uint16_t)r->choice;
  out->choices = r->choices;
  out->cause = r->cause;
  out->signal = r->signal;
  out->target = r->target;
  out->more = r->more;
  out->causes = &engine.causes.at[r->causes];
  out->hidden = r->hidden;
  out->round = r->round;
  out->accesses = r->accesses;
  out->access = &engine.accesses.at[r->first];
  out->pc = r->pc;
}

/* ---- findings ------------------------------------------------------------ */

/* The first error of a step is the one reported. */
static void record_finding(enum finding_kind kind, uint64_t pc,
                           const char *file, unsigned line, const char *format,
                           va_list arguments) {
  if (engine.has_finding)
    return;
  engine.has_finding = true;
  engine.finding = (struct finding){
      .kind = kind,
      .proc = self ? self->id : 0,
      .pc = pc,
      .line = line,
      .message = engine.message,
  };
  if (file) {
    strncpy(engine.file, file, sizeof engine.file - 1);
    engine.finding.file = engine.file;
  }
  real_vsnprintf(engine.message, sizeof engine.message, format, arguments);
}

void finding_set(enum finding_kind kind, uint64_t pc, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record_finding(kind, pc, NULL, 0, format, arguments);
  va_end(arguments);
}

static uint64_t digest_finding(const struct finding *f) {
  uint64_t sum = rng_mix(f->pc) ^ ((uint64_t)f->kind << 32 | f->line);
  for (const char *c = f->message; *c; c++)
    sum = rng_mix(sum ^ (unsigned char)*c);
  return sum;
}

static _Noreturn void stop(void) {
  if (engine.mode == MODE_EXPLORE && self) {
    debugger_failed();
    SET(self->failure, digest_finding(&engine.finding));
    thread_end(THREAD_FAILED);
  }
  stop_outside();
}

void fail(enum finding_kind kind, uint64_t pc, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (pc && self)
    pc = engine_place(self, pc);
  record_finding(kind, pc ? pc : engine.pc, NULL, 0, format, arguments);
  va_end(arguments);
  stop();
}

void fail_at(enum finding_kind kind, const char *file, unsigned line,
             const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record_finding(kind, engine.pc, file, line, format, arguments);
  va_end(arguments);
  stop();
}

/* Replaces the finding of the step, which may not be true. */
void refuse(const char *format, ...) {
  va_list arguments;
  engine.has_finding = false;
  va_start(arguments, format);
  record_finding(FINDING_MISUSE, engine.pc, NULL, 0, format, arguments);
  va_end(arguments);
  engine.refused = true;
  stop();
}

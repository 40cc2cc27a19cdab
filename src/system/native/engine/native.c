/* The native system, as the explorers see it. */
#include "system/native/actor/actor.h"
#include "engine.h"
#include "interrupt.h"
#include "learnt.h"
#include "polling.h"
#include "round.h"
#include "timekeeping.h"
#include "system/native/libc/heap.h"
#include "system/native/files/files.h"
#include "system/native/pthread/join_chain.h"
#include "system/native/libc/libc.h"
#include "system/native/verify/verify.h"

#include <stdio.h>
#include <string.h>

static bool native_enabled(struct system *system, unsigned p) {
  if (p >= system->processes || !engine_enabled(engine.threads[p]))
    return false;
  struct thread *t = engine.threads[p];
  return !round_holds(t);
}

static unsigned native_next_enabled(struct system *system, unsigned p) {
  unsigned count = system->processes;
  while (p < count && !(engine_enabled(engine.threads[p]) &&
                        !round_holds(engine.threads[p])))
    p++;
  return p;
}

static bool native_looks(struct system *system, unsigned p) {
  (void)system;
  return round_looks(engine.threads[p]);
}

static enum look native_look_before(struct system *system, unsigned p,
                                    size_t position) {
  (void)system;
  return round_look_before(engine.threads[p], position);
}

/* As far as it is known whether a look writes. */
static void describe_look(struct thread *t, struct step *out) {
  struct access *access = engine.looks[t->id].access;
  enum look look = round_look(t);
  out->flags = (out->flags & ~STEP_BLOCKING) | STEP_LOOK;
  if (look == LOOK_HELD)
    return;
  memcpy(access, t->pending->access, t->pending->accesses * sizeof *access);
  access->mode &= ~(uint32_t)(ACCESS_WRITE | ACCESS_BLIND);
  if (look == LOOK_WRITES)
    access->mode |= ACCESS_WRITE;
  if (round_joint(t))
    out->op = round_joint(t);
  out->access = access;
}

static bool native_pending(struct system *system, unsigned p,
                           struct step *out) {
  struct thread *t = p < system->processes ? engine.threads[p] : NULL;
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
      .accesses = operation_accesses(op),
      .access = blind_corrected(t),
      .pc = engine_place(t, op->pc),
  };
  if (round_looks(t))
    describe_look(t, out);
  if (t->spin.waiting) {
    out->flags |= STEP_AWAIT;
    out->round = t->spin.count;
    out->accesses = t->spin.accesses;
    out->access = &engine.accesses.at[t->spin.first];
  }
  if (unlikely(step_extras & EXTRA_SIGNALS))
    interrupt_pending(t, out);
  return true;
}

static unsigned native_next_pending(struct system *system, unsigned p) {
  unsigned count = system->processes;
  while (p < count && (engine.threads[p]->state != THREAD_RUNNING ||
                       !engine.threads[p]->pending))
    p++;
  return p;
}

/* As native_pending(). */
static bool native_outline(struct system *system, unsigned p,
                           struct outline *out) {
  const struct thread *t = p < system->processes ? engine.threads[p] : NULL;
  if (!t || t->state != THREAD_RUNNING || !t->pending)
    return false;
  const struct operation *op = t->pending;
  *out = (struct outline){t->cause, 1, operation_accesses(op), op->flags};
  if (round_looks(t))
    out->flags = (op->flags & ~STEP_BLOCKING) | STEP_LOOK;
  if (t->spin.waiting) {
    out->flags |= STEP_AWAIT;
    out->accesses = t->spin.accesses;
  }
  if (unlikely(step_extras & EXTRA_SIGNALS) && op->op != OP_HANDLER)
    out->accesses += interrupt_possible(t);
  return true;
}

/* As native_outline() and native_enabled(). */
static void survey_thread(struct thread *t, uint64_t bit, uint32_t cause,
                          struct survey *out) {
  const struct operation *op = t->pending;
  bool looks = round_looks(t);
  uint32_t accesses =
      t->spin.waiting ? t->spin.accesses : operation_accesses(op);
  out->next |= bit;
  out->awakened |= t->cause == cause ? bit : 0;
  out->waits |= looks || t->spin.waiting || (op->flags & STEP_AWAIT) ? bit : 0;
  if (!engine_enabled(t) || (looks && round_look(t) == LOOK_HELD))
    return;
  out->enabled |= bit;
  if (unlikely(step_extras & EXTRA_SIGNALS) && op->op != OP_HANDLER)
    accesses += interrupt_possible(t);
  if (!accesses && !(op->flags & STEP_BLOCK))
    out->quiet |= bit;
}

static void native_survey(struct system *system, uint64_t processes,
                          uint32_t cause, struct survey *out) {
  (void)system;
  *out = (struct survey){0};
  for (; processes; processes &= processes - 1) {
    struct thread *t = engine.threads[__builtin_ctzll(processes)];
    if (t && t->state == THREAD_RUNNING && t->pending)
      survey_thread(t, processes & -processes, cause, out);
  }
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

/* How many places were named, `named` of them before.  Four are enough. */
static unsigned say_places(const struct thread *t, bool local, unsigned named) {
  for (uint32_t i = 0; i < t->spin.accesses && named < 4; i++) {
    uint64_t addr = engine.accesses.at[t->spin.first + i].addr;
    bool own =
        addr >= (uintptr_t)t->stack_low && addr < (uintptr_t)t->stack_base;
    if (own == local)
      say("%s {addr:%llx}", named++ ? "," : "", (unsigned long long)addr);
  }
  return named;
}

/* In a replay the loop's own local variables are among what it looks at. */
static void say_loop(const struct thread *t) {
  say("waits in a loop for a change of");
  say_places(t, true, say_places(t, false, 0));
}

/* An address between braces is replaced by a name where people read it. */
static void say_object(const struct thread *t) {
  const void *object =
      t->pending->op == OP_FUTEX_WAIT ? t->waits_on : t->pending->object;
  const struct thread *holder = operation_holder(t->pending);
  say("{addr:%llx}", (unsigned long long)(uintptr_t)object);
  if (holder)
    say(", held by T%u", holder->id);
}

/* See ops.def for the words. */
static void say_waiting(const struct thread *t) {
  const char *words = op_table[t->pending->op].waits;
  if (!words)
    words = "waits for %v";
  say("T%u ", t->id);
  if (t->spin.waiting && !op_sleeps(t->pending->op)) {
    say_loop(t);
    return;
  }
  const char *place = strchr(words, '%');
  size_t plain = place ? (size_t)(place - words) : strlen(words);
  say("%.*s", (int)plain, words);
  if (!strcmp(words + plain, "%t"))
    say("T%u", t->pending->target);
  else if (!strcmp(words + plain, "%v"))
    say_object(t);
}

static bool is_held(struct thread *t) {
  return t->pending && engine_enabled(t) && round_holds(t);
}

/* What the threads that are held look at, for the message. */
static void explain_held(void (*explain)(const bool *), const bool *which) {
  struct spin before[NATIVE_THREADS];
  size_t accesses = engine.accesses.size;
  for (unsigned i = 0; i < thread_count(); i++) {
    struct thread *t = thread_get(i);
    before[i] = t->spin;
    if (t->state == THREAD_RUNNING && is_held(t))
      spin_settle(t);
  }
  explain(which);
  for (unsigned i = 0; i < thread_count(); i++)
    thread_get(i)->spin = before[i];
  engine.accesses.size = accesses;
}

static bool loops_for_ever(const struct thread *t) {
  return t->pending->op == OP_LOOP ||
         (t->spin.waiting && !op_sleeps(t->pending->op));
}

/* The error is that these threads wait for ever. */
static void explain_stuck(const bool *which) {
  const struct thread *first = NULL; /* that main outlives others is no error */
  bool livelock = false;
  engine.message[0] = 0;
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    if (t->state != THREAD_RUNNING || t->outlives || !which[i])
      continue;
    livelock |= loops_for_ever(t);
    say("%s", first ? "; " : "");
    say_waiting(t);
    if (!first)
      first = t;
  }
  engine.has_finding = true;
  engine.finding = (struct finding){
      .kind = livelock ? FINDING_LIVELOCK : FINDING_DEADLOCK,
      .proc = first->id,
      .pc = engine_pending_place(first),
      .message = engine.message,
  };
}

/* keep.  By bits, of the first 64 threads: those that may move again. */
static uint64_t moving_on = UINT64_MAX;

/* A loop that waits was seen to go round once, maybe before other threads took
 * their last steps.  Only a loop that still waits is reported. */
static enum ending ending_of_loops(void) {
  for (unsigned i = 0; i < thread_count(); i++) {
    struct thread *t = thread_get(i);
    if (t->state != THREAD_RUNNING || (!t->spin.waiting && !is_held(t)) ||
        spin_try(t) == SPIN_FOR_EVER)
      continue;
    return !t->spin.waiting && round_is_stale(t) ? ENDING_VAIN : ENDING_UNCLEAR;
  }
  return polling_ends_stuck() ? ENDING_STUCK : ENDING_VAIN;
}

/* Main waits for ever, whatever the threads do that can go on.  `moving`: see
 * system_ops.stuck. */
static bool main_is_stuck(uint64_t moving) {
  bool stuck[NATIVE_THREADS];
  deadlock_find(stuck, moving);
  if (!stuck[0] || thread_get(0)->outlives)
    return false;
  explain_stuck(stuck);
  return true;
}

/* A thread was stopped in a loop, and the process has not ended. */
static enum ending ending_of_stopped(void) {
  return main_is_stuck(moving_on) ? ENDING_STUCK : ENDING_STOPPED;
}

static enum ending ending_of_waiting(void) {
  bool all[NATIVE_THREADS];
  memset(all, true, sizeof all);
  enum ending ending = ending_of_loops();
  if (ending == ENDING_STUCK)
    explain_held(explain_stuck, all);
  return ending;
}

/* A thread that was stopped in the middle of an atomic block leaves no outcome.
 */
static bool native_over(struct system *system) {
  (void)system;
  return process.ended && !process.torn;
}

/* A thread that failed or was stopped by an assumption could have been too late
 * for that, and the process gone before. */
static enum ending native_ending(struct system *system) {
  bool with[THREAD_STOPPED + 1] = {false};
  if (join_chain_is_stuck())
    return ENDING_VAIN;
  if (native_over(system))
    return ENDING_COMPLETE;
  for (unsigned i = 0; i < thread_count(); i++)
    with[engine.threads[i]->state] = true;
  if (with[THREAD_FAILED])
    return ENDING_FAILED;
  if (with[THREAD_ASSUMED])
    return ENDING_ASSUMED;
  if (with[THREAD_STOPPED])
    return ending_of_stopped();
  return with[THREAD_RUNNING] ? ending_of_waiting() : ENDING_COMPLETE;
}

static bool native_stuck(struct system *system, uint64_t moving) {
  return !native_over(system) && main_is_stuck(moving);
}

static const struct finding *native_finding(struct system *system) {
  (void)system;
  return &engine.finding;
}

/* When a schedule is followed, files are shown only at its end. */
static const char *native_output(struct system *system, size_t *length) {
  (void)system;
  const char *output = output_text(1, length);
  return engine.following ? output : files_shown(output, length);
}

const char *native_files(size_t *length) {
  *length = 0;
  return files_shown("", length);
}

static unsigned native_status(struct system *system) {
  (void)system;
  return process.status;
}

static const char *native_complaints(struct system *system, size_t *length) {
  (void)system;
  return output_text(2, length);
}

static bool native_failed(struct system *system) {
  (void)system;
  for (unsigned i = 0; i < thread_count(); i++)
    if (engine.threads[i]->state == THREAD_FAILED)
      return true;
  return false;
}

static bool native_halted(struct system *system) {
  (void)system;
  for (unsigned i = 0; i < thread_count(); i++)
    if (engine.threads[i]->state == THREAD_STOPPED ||
        engine.threads[i]->state == THREAD_ASSUMED)
      return true;
  return false;
}

static bool native_stale(struct system *system) {
  (void)system;
  return engine.stale;
}

static void set_finest(bool finest) {
  engine.finest = finest;
  engine.hiding = !finest || engine.apart;
}

static void native_restart(struct system *system, bool finest) {
  (void)system;
  if (join_chain_restart(finest))
    finest = false;
  engine.stale = engine.frozen = false;
  commuting_begin_anew();
  left_out_forget();
  if (engine.stores)
    stored_undo(0);
  if (finest) {
    set_finest(true);
    updates_order_all();
  }
}

static void native_order_updates(struct system *system,
                                 const struct access *place) {
  (void)system;
  updates_order(place);
}

static void native_configure(struct system *system,
                             const struct granularity *g) {
  (void)system;
  engine.apart = g->apart;
  set_finest(g->finest);
  engine.unordered = g->unordered;
  engine.holding = g->holds;
  engine.updates = g->updates;
  engine.parts = g->parts;
  engine.writes_decide = g->writes_decide;
  engine.joins = g->joins && !g->apart && !round_is_blind();
  engine.gathers = g->gathers && !g->apart && !g->follows && !g->finest;
  engine.following = engine.all_ends = g->follows;
  stored_begin(g->states, g->outcomes);
}

static const char *native_left_out(struct system *system, unsigned i) {
  (void)system;
  return left_out_text(i);
}

static void native_expose(struct system *system) {
  (void)system;
  engine.stale = engine.exposed = true;
}

static uint32_t native_hidden(struct system *system, size_t position) {
  (void)system;
  return engine.steps.at[position].hidden;
}

static bool native_learnt(struct system *system, struct packed *p) {
  (void)system;
  learnt_pack(p);
  return !p->bad;
}

static void native_freeze(struct system *system) {
  (void)system;
  engine.frozen = true;
}

static const struct system_ops operations = {
    .configure = native_configure,
    .enabled = native_enabled,
    .next_enabled = native_next_enabled,
    .pending = native_pending,
    .next_pending = native_next_pending,
    .outline = native_outline,
    .survey = native_survey,
    .step = native_step,
    .undo = native_undo,
    .succeeds_before = native_succeeds_before,
    .looks = native_looks,
    .look_before = native_look_before,
    .changes = native_changes,
    .may_touch = native_may_touch,
    .comparing = native_comparing,
    .local_state = native_local_state,
    .shared_state = native_shared_state,
    .contents = native_contents,
    .polls = true,
    .failed = native_failed,
    .halted = native_halted,
    .over = native_over,
    .ending = native_ending,
    .stuck = native_stuck,
    .finding = native_finding,
    .output = native_output,
    .status = native_status,
    .complaints = native_complaints,
    .stale = native_stale,
    .restart = native_restart,
    .learnt = native_learnt,
    .freeze = native_freeze,
    .left_out = native_left_out,
    .order_updates = native_order_updates,
    .expose = native_expose,
    .hidden = native_hidden,
    .fingerprint = native_fingerprint,
    .witness = native_witness,
    .undeclared = native_undeclared,
    .places = native_places,
    .place = native_place,
    .disturb = native_disturb,
};

struct system native_system = {.ops = &operations};

/* ---- for checks ---------------------------------------------------------- */

/* How many steps from here on look alike in a schedule. */
static size_t alike(size_t first) {
  const struct record *r = &engine.steps.at[first];
  size_t end = first + 1;
  while (end < engine.steps.size && r->choices == 1 &&
         engine.steps.at[end].thread == r->thread &&
         engine.steps.at[end].choices == 1)
    end++;
  return end - first;
}

/* Our own error: which schedule showed it.  "T1*3": T1 takes three steps. */
void native_print_schedule(void) {
  dprintf(2, "schedule so far:");
  for (size_t i = 0, count; i < engine.steps.size; i += count) {
    const struct record *r = &engine.steps.at[i];
    count = alike(i);
    dprintf(2, " T%u", r->thread);
    if (r->choices > 1)
      dprintf(2, "/%u", r->choice);
    if (count > 1)
      dprintf(2, "*%zu", count);
  }
  dprintf(2, "\n");
}

bool native_settle(void) {
  for (unsigned i = 0; i < thread_count(); i++) {
    struct thread *t = thread_get(i);
    if (engine_enabled(t) && spin_settle(t) == SPIN_UNKNOWN)
      return false;
  }
  return true;
}

bool native_is_stopped(uint32_t thread) {
  return thread_get(thread)->state == THREAD_STOPPED;
}

void native_stop_the_rest(void) {
  moving_on = 0;
  for (unsigned i = 0; i < thread_count(); i++)
    if (engine_enabled(thread_get(i))) {
      thread_get(i)->state = THREAD_STOPPED;
      moving_on |= i < 64 ? (uint64_t)1 << i : 0;
    }
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

bool native_is_end(size_t position) {
  return engine.steps.at[position].gone && !engine.steps.at[position].hidden;
}

uint32_t native_hidden_first(uint32_t thread) {
  return engine.hidden_first[thread];
}

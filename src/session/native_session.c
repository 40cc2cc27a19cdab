/* The exploring process: joins an algorithm and the native system, and tells
 * the supervising command what it finds. */
#include <string.h>

#include "core/search.h"
#include "explore/algorithms.h"
#include "session/collect.h"
#include "session/native_critical.h"
#include "session/native_follow.h"
#include "session/native_session.h"
#include "system/check/checked_system.h"
#include "system/native/engine/control.h"
#include "system/native/engine/native_replay.h"
#include "util/ensure.h"

struct session {
  struct control *control;
  struct explorer *x;
  struct collection found;
  VEC(uint32_t) needed;   /* by thread: how many of its steps a replay takes */
  VEC(uint32_t) numbers;  /* thread number here -> number in a replay */
  uint32_t moves;         /* in the schedule just written */
  VEC(char) text;         /* scratch for messages */
  unsigned first_threads; /* created before main */
  uint64_t samples;       /* executions that could be one */
  bool unsent;            /* `text` is the last of them */
};

/* ---- schedules ------------------------------------------------------------
 */

enum { ALL_STEPS = UINT32_MAX };

static void need_all(struct session *s) {
  s->needed.size = 0;
  for (uint32_t p = 0; p < s->x->system->processes; p++)
    VEC_PUSH(s->needed, ALL_STEPS);
}

/* The steps of p that happen before one of another thread, of which all steps
 * are needed. */
static uint32_t steps_needed(const struct session *s, const struct trace *t,
                             uint32_t p) {
  uint32_t needed = 0;
  for (size_t i = 0; i < trace_length(t); i++) {
    const struct event *e = &t->events.at[i];
    if (s->needed.at[e->proc] == ALL_STEPS && needed < events_before(t, e, p))
      needed = events_before(t, e, p);
  }
  return needed;
}

/* A thread that --loop-bound has stopped may have taken very many steps: only
 * those that others follow from are needed.  A data race is between steps of
 * which none follows from the other. */
static void find_needed(struct session *s, const struct trace *t,
                        const struct finding *f) {
  need_all(s);
  if (f->kind == FINDING_RACE || f->kind == FINDING_NONDETERMINISM)
    return;
  for (uint32_t p = 0; p < s->needed.size; p++)
    if (native_is_stopped(p) && p != f->proc)
      s->needed.at[p] = 0;
  for (uint32_t p = 0; p < s->needed.size; p++)
    if (!s->needed.at[p])
      s->needed.at[p] = steps_needed(s, t, p);
}

static bool is_needed(const struct session *s, const struct event *e) {
  return e->index <= s->needed.at[e->proc];
}

/* A replay gives threads their numbers in the order of their creation in that
 * one execution; here they have them from an earlier one. */
static void number_threads(struct session *s, const struct trace *t) {
  uint32_t next = s->first_threads;
  s->numbers.size = 0;
  for (uint32_t p = 0; p < s->x->system->processes; p++)
    VEC_PUSH(s->numbers, p);
  for (size_t i = 0; i < trace_length(t); i++)
    for (uint32_t n = 0, child;
         is_needed(s, &t->events.at[i]) && native_created(i, n, &child); n++)
      if (child >= s->first_threads)
        s->numbers.at[child] = next++;
}

static void text_add(struct session *s, const void *bytes, size_t length) {
  VEC_RESERVE(s->text, length);
  memcpy(s->text.at + s->text.size, bytes, length);
  s->text.size += length;
}

static void text_add_moves(struct session *s, uint32_t proc, uint32_t choice,
                           uint32_t count) {
  struct move move = {proc, choice};
  for (uint32_t i = 0; i < count; i++)
    text_add(s, &move, sizeof move);
  s->moves += count;
}

/* The end of the process is left out unless it is the last step: others ran on
 * after it because they could have been earlier. */
static void text_add_schedule(struct session *s, const struct trace *t) {
  struct system *system = s->x->system;
  s->moves = 0;
  for (size_t i = 0; i < trace_length(t); i++) {
    const struct event *e = &t->events.at[i];
    if ((native_is_end(i) && i + 1 < trace_length(t)) || !is_needed(s, e))
      continue;
    text_add_moves(s, s->numbers.at[e->proc], e->choice, 1);
    for (uint32_t n = 0, child; native_created(i, n, &child); n++)
      if (s->needed.at[child])
        text_add_moves(s, s->numbers.at[child], MOVE_LOCAL,
                       native_hidden_first(child));
    text_add_moves(s, s->numbers.at[e->proc], MOVE_LOCAL,
                   system->ops->hidden(system, i));
  }
}

/* ---- listening ------------------------------------------------------------
 */

static size_t length_of(const char *text) {
  return text ? strlen(text) : 0;
}

static void send_finding(struct session *s, const struct trace *t,
                         const struct finding *f, bool warning) {
  find_needed(s, t, f);
  number_threads(s, t);
  struct wire_finding head = {
      .kind = f->kind,
      .warning = warning,
      .proc = f->proc < s->numbers.size ? s->numbers.at[f->proc] : f->proc,
      .line = f->line,
      .pc = f->pc,
      .other_pc = f->other_pc,
      .addr = f->addr,
      .size = f->size,
      .file_length = (uint32_t)length_of(f->file),
      .message_length = (uint32_t)length_of(f->message)};
  s->unsent = false;
  s->text.size = 0;
  text_add(s, f->file, head.file_length);
  text_add(s, f->message, head.message_length);
  text_add_schedule(s, t);
  head.moves = s->moves;
  wire_send(MESSAGE_FINDING, &head, sizeof head, s->text.at, s->text.size);
}

static void finding(void *context, const struct explorer *x,
                    const struct finding *f, bool warning) {
  struct session *s = context;
  if (collect_finding(&s->found, f, warning))
    send_finding(s, &x->trace, f, warning);
}

static void outcome(void *context, const char *output, size_t length,
                    unsigned status) {
  struct session *s = context;
  collect_outcome(&s->found, output, length, status);
}

static void restart(void *context) {
  struct session *s = context;
  collection_forget_outcomes(&s->found);
}

/* ---- samples --------------------------------------------------------------
 *
 * What a function keeps in mind that the user has allowed is not undone.  So
 * some executions, more and more seldom, and the last one are sent to be run
 * again from the start. */

/* Where others ran on after the end of the process, a replay leaves that out.
 */
static bool ends_last(const struct trace *t) {
  for (size_t i = 0; i + 1 < trace_length(t); i++)
    if (native_is_end(i))
      return false;
  return true;
}

static void send_sample(struct session *s) {
  struct wire_sample head = {.moves = s->moves};
  if (s->unsent)
    wire_send(MESSAGE_SAMPLE, &head, sizeof head, s->text.at, s->text.size);
  s->unsent = false;
}

static void complete(void *context, const struct explorer *x) {
  struct session *s = context;
  size_t length;
  if (!s->control->externals[0] || !ends_last(&x->trace))
    return;
  s->text.size = 0;
  need_all(s);
  number_threads(s, &x->trace);
  text_add_schedule(s, &x->trace);
  const char *output = x->system->ops->output(x->system, &length);
  text_add(s, output, length);
  s->unsent = true;
  s->samples++;
  if ((s->samples & (s->samples - 1)) == 0)
    send_sample(s);
}

static bool stop(void *context) {
  struct session *s = context;
  s->control->depth = (uint32_t)trace_length(&s->x->trace);
  return __atomic_load_n(&s->control->stop, __ATOMIC_RELAXED);
}

/* ---- exploring ------------------------------------------------------------
 */

static void send_text(enum message_type type, const char *text) {
  wire_send(type, NULL, 0, text, strlen(text));
}

static void send_outcomes(const struct session *s) {
  for (size_t i = 0; i < s->found.outcomes.size; i++) {
    const struct outcome *o = &s->found.outcomes.at[i];
    struct wire_outcome head = {o->count, o->status, 0};
    wire_send(MESSAGE_OUTCOME, &head, sizeof head, s->found.texts.at + o->text,
              o->length);
  }
}

static void send_limits(const struct session *s) {
  for (unsigned i = 0; i < s->x->limit_count; i++)
    send_text(MESSAGE_LIMIT, s->x->limits[i]);
}

static void run_explore(struct session *s) {
  switch (explore(s->x)) {
  case EXPLORE_COMPLETE:
    s->control->complete = 1;
    break;
  case EXPLORE_LIMIT:
    send_limits(s);
    break;
  case EXPLORE_REFUSED:
    send_text(MESSAGE_REFUSED,
              s->x->system->ops->finding(s->x->system)->message);
    return;
  case EXPLORE_STOPPED:
    if (s->control->stop) /* not at an error: what was left out before counts */
      send_limits(s);
    break;
  }
  send_sample(s);
  send_outcomes(s);
  wire_send(MESSAGE_DONE, NULL, 0, NULL, 0);
}

/* ---- replaying ------------------------------------------------------------
 */

static void send_threads(struct system *system, unsigned *known) {
  for (; *known < system->processes; ++*known) {
    struct wire_thread thread;
    native_describe_thread(system, *known, &thread);
    wire_send(MESSAGE_THREAD, &thread, sizeof thread, NULL, 0);
  }
}

/* What is new in a text of which so much was sent before. */
static void send_new(enum message_type type, const char *text, size_t length,
                     size_t *shown) {
  if (length > *shown)
    wire_send(type, NULL, 0, text + *shown, length - *shown);
  *shown = length;
}

static void send_step(struct system *system, bool local, size_t *shown,
                      size_t *complained) {
  native_send_step(local);
  size_t length;
  const char *output = system->ops->output(system, &length);
  send_new(MESSAGE_OUTPUT, output, length, shown);
  const char *complaints = system->ops->complaints(system, &length);
  send_new(MESSAGE_STDERR, complaints, length, complained);
}

/* The explorer's loop without choices: the moves are given.  What is found on
 * the way is told as it was when the schedule was recorded. */
static const struct move *replayed_moves; /* keep */
static size_t replayed_count;

struct replay {
  struct session *s;
  unsigned known;       /* threads told of */
  size_t shown;         /* output told of */
  size_t complained;    /* the same for the standard error stream */
  size_t at;            /* next move */
  bool local;           /* the move at hand is: see MOVE_LOCAL */
  struct follow follow; /* if the program has changed */
};

static void *replay_create(struct explorer *x) {
  struct session *s = x->listener.context;
  static struct replay replay;
  replay = (struct replay){.s = s};
  replay.follow = (struct follow){
      .moves = replayed_moves,
      .keys = (const uint32_t *)(replayed_moves + replayed_count),
      .count = replayed_count};
  send_threads(x->system, &replay.known);
  heddle_replay_begin();
  return &replay;
}

static void replay_destroy(void *state) {
  (void)state;
}

/* No process may go on when the schedule is at its end. */
static bool always_asleep(const void *context, uint32_t proc) {
  (void)context;
  (void)proc;
  return true;
}

/* The schedule is at its end.  What cannot be told here is not held against the
 * program: the command shows the error without its steps. */
static enum pick replay_end(struct replay *r, struct move *move) {
  struct explorer *x = r->s->x;
  if (r->s->control->mode == WIRE_CRITICAL)
    return PICK_CUT;
  uint32_t kind = r->s->control->kind;
  if (kind == FINDING_LIVELOCK && !native_settle())
    send_text(MESSAGE_REFUSED, "the loop is too long to be run again");
  if (kind == FINDING_LIVELOCK || kind == FINDING_DEADLOCK)
    native_stop_the_rest();
  return explorer_free_choice(x, always_asleep, NULL, &move->proc);
}

static bool can_move(const struct explorer *x, uint32_t proc) {
  return proc < x->system->processes &&
         x->system->ops->enabled(x->system, proc);
}

/* The next move as it was recorded. */
static void take_move(struct replay *r, struct move *move) {
  *move = replayed_moves[r->at++];
  r->local = move->choice & MOVE_LOCAL;
  move->choice &= ~MOVE_LOCAL;
}

static enum pick follow_events(struct replay *r, struct move *move) {
  switch (follow_next(&r->follow, r->s->x, move)) {
  case FOLLOW_MOVE:
    r->local = move->choice & MOVE_LOCAL;
    move->choice &= ~MOVE_LOCAL;
    return PICK_MOVE;
  case FOLLOW_END:
    return replay_end(r, move);
  case FOLLOW_DEPARTED:
    break;
  }
  return PICK_CUT;
}

static enum pick replay_pick(void *state, struct move *move) {
  struct replay *r = state;
  struct explorer *x = r->s->x;
  if (r->s->control->by_events)
    return follow_events(r, move);
  if (r->at == replayed_count)
    return replay_end(r, move);
  take_move(r, move);
  if (can_move(x, move->proc))
    return PICK_MOVE;
  return PICK_CUT; /* the command notices that the finding is missing */
}

static void replay_stepped(void *state) {
  struct replay *r = state;
  if (r->s->control->mode == WIRE_CRITICAL)
    return;
  send_threads(r->s->x->system, &r->known);
  send_step(r->s->x->system, r->local, &r->shown, &r->complained);
}

static void replay_ended(void *state, enum pick why) {
  (void)state;
  (void)why;
}

static void send_critical(const struct replay *r) {
  uint64_t critical = r->at == replayed_count
                          ? critical_move(r->s->x->system, r->s->control,
                                          replayed_moves, replayed_count)
                          : 0;
  wire_send(MESSAGE_CRITICAL, &critical, sizeof critical, NULL, 0);
}

/* There is nothing more to explore: the threads stay where they are. */
static bool replay_retreat(void *state, size_t *length) {
  struct replay *r = state;
  (void)length;
  if (r->s->control->mode == WIRE_CRITICAL) {
    send_critical(r);
    return false;
  }
  for (unsigned i = 0; i < r->s->x->system->processes; i++)
    native_send_stand(i);
  return false;
}

static const struct algorithm replay_algorithm = {.name = "replay",
                                                  .finest = true,
                                                  .follows = true,
                                                  .create = replay_create,
                                                  .destroy = replay_destroy,
                                                  .pick = replay_pick,
                                                  .stepped = replay_stepped,
                                                  .ended = replay_ended,
                                                  .retreat = replay_retreat};

/* ---- the way in -----------------------------------------------------------
 */

static void find_algorithm(struct session *s) {
  if (s->control->mode != WIRE_EXPLORE) {
    replayed_moves = (const struct move *)(s->control + 1);
    replayed_count = s->control->moves;
    s->control->options.keep_going = 1; /* the last step may fail twice */
    s->control->options.max_steps = UINT64_MAX; /* these are finer */
    s->control->options.interfere = INTERFERE_ALL;
    s->control->options.preemptions = UINT64_MAX;
    s->control->options.skip = SKIP_DEFAULT;
    s->x->algorithm = &replay_algorithm;
  } else {
    s->x->algorithm =
        algorithm_find(s->control->algorithm, s->control->options.as_printed);
  }
}

void native_session(struct system *system, struct control *control) {
  static struct session session;
  static struct explorer explorer;
  session.control = control;
  session.x = &explorer;
  session.first_threads = system->processes;
  explorer.system = system;
  if (control->mode == WIRE_EXPLORE &&
      (control->options.verify || check_always()))
    explorer.system = check_system(check_new(system, control->options.verify));
  explorer.options = &control->options;
  explorer.counters = &control->counters;
  explorer.listener = (struct search_listener){&session, finding, outcome,
                                               restart,  stop,    complete};
  find_algorithm(&session);
  const char *refused = explorer_refuses(explorer.algorithm, explorer.options);
  if (refused) {
    send_text(MESSAGE_REFUSED, refused);
    return;
  }
  run_explore(&session);
}

/* The exploring process: joins an algorithm and the native system, and tells
 * the supervising command what it finds. */
#include <string.h>

#include "core/search.h"
#include "explore/algorithms.h"
#include "session/native_checkpoint.h"
#include "session/native_crew.h"
#include "session/native_critical.h"
#include "session/native_follow.h"
#include "session/native_minimize.h"
#include "session/native_parts.h"
#include "session/native_session.h"
#include "system/check/checked_system.h"
#include "system/native/engine/control.h"
#include "system/native/engine/debugger.h"
#include "system/native/engine/native_replay.h"
#include "util/ensure.h"

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

static void add_bytes(struct session *s, const void *bytes, size_t length) {
  VEC_RESERVE(s->text, length);
  memcpy(s->text.at + s->text.size, bytes, length);
  s->text.size += length;
}

static void text_add_moves(struct session *s, uint32_t proc, uint32_t choice,
                           uint32_t count) {
  struct move move = {proc, choice};
  if (!s->moves)
    move.choice |= native_steps_learnt();
  for (uint32_t i = 0; i < count; i++)
    add_bytes(s, &move, sizeof move);
  s->moves += count;
}

/* Follows a given schedule, which says so. */
static uint32_t session_local(const struct session *s, size_t position) {
  return position < s->local.size ? s->local.at[position] : 0;
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
    text_add_moves(s, s->numbers.at[e->proc], e->choice | session_local(s, i),
                   1);
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

static uint32_t replay_number(const struct session *s, uint32_t proc) {
  return proc < s->numbers.size ? s->numbers.at[proc] : proc;
}

uint32_t session_write_schedule(struct session *s, const struct trace *t,
                                const struct finding *f) {
  find_needed(s, t, f);
  number_threads(s, t);
  s->unsent = false;
  s->text.size = 0;
  add_bytes(s, f->file, length_of(f->file));
  add_bytes(s, f->message, length_of(f->message));
  text_add_schedule(s, t);
  return s->moves;
}

void session_send_finding(struct session *s, const struct finding *f,
                          bool warning, uint32_t preemptions) {
  struct wire_finding head = {.kind = f->kind,
                              .warning = warning,
                              .proc = replay_number(s, f->proc),
                              .line = f->line,
                              .pc = f->pc,
                              .other_pc = f->other_pc,
                              .addr = f->addr,
                              .size = f->size,
                              .file_length = (uint32_t)length_of(f->file),
                              .message_length = (uint32_t)length_of(f->message),
                              .moves = s->moves,
                              .preemptions = preemptions};
  crew_send(s, MESSAGE_FINDING, &head, sizeof head, s->text.at, s->text.size);
}

static void finding(void *context, const struct explorer *x,
                    const struct finding *f, bool warning) {
  struct session *s = context;
  if (!collect_finding(&s->found, f, warning))
    return;
  session_write_schedule(s, &x->trace, f);
  session_send_finding(s, f, warning, 0);
}

/* The execution at hand is one with a new outcome. */
static void keep_example(struct session *s) {
  struct session_example example = {0};
  size_t start = s->text.size; /* behind a sample that may be in it */
  uint32_t moves = s->moves;
  need_all(s);
  number_threads(s, &s->x->trace);
  text_add_schedule(s, &s->x->trace);
  VEC_SIZED(example.moves, s->text.size - start);
  memcpy(example.moves.at, s->text.at + start, s->text.size - start);
  VEC_PUSH(s->examples, example);
  s->text.size = start;
  s->moves = moves;
}

static void outcome(void *context, const char *output, size_t length,
                    unsigned status) {
  struct session *s = context;
  if (collect_outcome(&s->found, output, length, status) &&
      s->examples.size < s->control->examples)
    keep_example(s);
}

void session_forget(struct session *s) {
  collection_forget_outcomes(&s->found);
  for (size_t i = 0; i < s->examples.size; i++)
    VEC_FREE(s->examples.at[i].moves);
  s->examples.size = 0;
  s->unsent = false;
}

static enum share share(void *context) {
  struct session *s = context;
  if (!crew_is_child())
    checkpoint_share(s);
  checkpoint_split(s);
  return crew_share(s);
}

/* One process has no part of another one to wait for. */
static enum share await(void *context) {
  struct session *s = context;
  if (s->control->options.jobs > 1)
    return crew_await(s);
  if (s->x->algorithm->waits(s->x->state))
    checkpoint_split(s);
  return SHARE_NOTHING;
}

static bool begin(void *context) {
  return checkpoint_begin(context);
}

static enum explore_result ended(void *context, enum explore_result result) {
  struct session *s = context;
  enum explore_result together = crew_end(s, result);
  checkpoint_end(s, together);
  return together;
}

static void restart(void *context) {
  struct session *s = context;
  checkpoint_restart(s);
  crew_restart(s);
  session_forget(s);
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
    crew_send(s, MESSAGE_SAMPLE, &head, sizeof head, s->text.at, s->text.size);
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
  add_bytes(s, output, length);
  s->unsent = true;
  s->samples++;
  if ((s->samples & (s->samples - 1)) == 0)
    send_sample(s);
}

/* The command hunts for errors meanwhile.  By steps, not by time: so a check
 * does the same every time. */
static void pause_if_due(struct session *s) {
  uint64_t at = s->control->pause_at;
  if (at && s->control->counters.steps >= at &&
      s->control->mode == WIRE_EXPLORE)
    control_pause();
}

static bool is_spent(const struct session *s) {
  uint64_t budget = s->control->budget;
  return budget && s->control->mode == WIRE_EXPLORE &&
         s->control->counters.steps >= budget;
}

static bool is_asked(struct session *s) {
  uint32_t *ask = &s->control->ask_done;
  return __atomic_load_n(ask, __ATOMIC_RELAXED) &&
         __atomic_exchange_n(ask, 0, __ATOMIC_RELAXED);
}

static bool stop(void *context) {
  struct session *s = context;
  if (crew_progress(s))
    s->control->depth = (uint32_t)trace_length(&s->x->trace);
  if (is_asked(s))
    s->control->done = crew_done(s);
  pause_if_due(s);
  return __atomic_load_n(&s->control->stop, __ATOMIC_RELAXED) || is_spent(s);
}

/* ---- exploring ------------------------------------------------------------
 */

static void send_text(enum message_type type, const char *text) {
  wire_send(type, NULL, 0, text, strlen(text));
}

/* Examples are of the first outcomes, in their order. */
static void send_outcomes(struct session *s) {
  for (size_t i = 0; i < s->found.outcomes.size; i++) {
    const struct outcome *o = &s->found.outcomes.at[i];
    struct wire_outcome head = {o->count, o->status, 0};
    s->text.size = 0;
    if (i < s->examples.size) {
      const struct session_example *example = &s->examples.at[i];
      head.moves = (uint32_t)(example->moves.size / sizeof(struct move));
      add_bytes(s, example->moves.at, example->moves.size);
    }
    add_bytes(s, s->found.texts.at + o->text, o->length);
    wire_send(MESSAGE_OUTCOME, &head, sizeof head, s->text.at, s->text.size);
  }
}

static void send_limits(const struct session *s) {
  for (unsigned i = 0; i < s->x->limit_count; i++)
    send_text(MESSAGE_LIMIT, s->x->limits[i]);
}

static void run_explore(struct session *s) {
  if (s->control->options.jobs > 1)
    crew_begin(s);
  enum explore_result result = explore(s->x);
  if (s->x->done >= 0) /* or the last answer holds */
    s->control->done = s->x->done;
  switch (result) {
  case EXPLORE_COMPLETE:
    s->control->complete = 1;
    break;
  case EXPLORE_LIMIT:
    send_limits(s);
    break;
  case EXPLORE_REFUSED:
    send_text(MESSAGE_REFUSED, crew_refusal(s));
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

static void send_step(struct system *system, bool local, bool preempts,
                      size_t *shown, size_t *complained) {
  native_send_step(local, preempts);
  size_t length;
  const char *output = system->ops->output(system, &length);
  send_new(MESSAGE_OUTPUT, output, length, shown);
  const char *complaints = system->ops->complaints(system, &length);
  send_new(MESSAGE_STDERR, complaints, length, complained);
}

/* The explorer's loop without choices: the moves are given.  What is found on
 * the way is told as it was when the schedule was recorded. */
struct replay {
  struct session *s;
  VEC(struct move) moves;
  unsigned known;       /* threads told of */
  size_t shown;         /* output told of */
  size_t complained;    /* the same for the standard error stream */
  size_t at;            /* next move */
  bool left;            /* the debugger has left the recorded schedule */
  bool departed;        /* or the program, which has changed */
  bool local;           /* the move at hand is: see MOVE_LOCAL */
  bool preempts;        /* and it follows one of a thread that is enabled */
  struct follow follow; /* with control.by_events */
};

/* The debugger runs the program: there is no command to send messages to. */
static bool is_debugged(const struct session *s) {
  return s->control->messages < 0;
}

/* The moves, or what is to be followed instead. */
static void read_schedule(struct replay *r) {
  const struct control *control = r->s->control;
  const struct move *moves = session_moves(r->s);
  r->follow =
      (struct follow){.moves = moves,
                      .keys = (const uint32_t *)(moves + control->moves),
                      .count = control->moves};
  for (uint64_t i = 0; i < control->moves && !control->by_events; i++)
    VEC_PUSH(r->moves, moves[i]);
}

static void *replay_create(struct explorer *x) {
  struct session *s = x->listener.context;
  static struct replay replay;
  replay = (struct replay){.s = s};
  read_schedule(&replay);
  send_threads(x->system, &replay.known);
  if (is_debugged(s))
    debugger_begin();
  return &replay;
}

static void replay_destroy(void *state) {
  struct replay *r = state;
  VEC_FREE(r->moves);
  VEC_FREE(r->follow.gone);
}

static bool never_asleep(const void *context, uint32_t proc) {
  (void)context;
  (void)proc;
  return false;
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
  bool stuck = kind == FINDING_LIVELOCK || kind == FINDING_DEADLOCK;
  if (stuck && !native_settle())
    send_text(MESSAGE_REFUSED, "the loop is too long to be run again");
  if (stuck)
    native_stop_the_rest();
  size_t length;
  const char *files = native_files(&length);
  if (length)
    wire_send(MESSAGE_OUTPUT, NULL, 0, files, length);
  return explorer_free_choice(x, always_asleep, NULL, &move->proc);
}

/* ---- replaying under a debugger -------------------------------------------
 */

/* Where the recorded schedule is left or at its end, each thread goes on as
 * long as it can. */
static bool next_move(struct replay *r, struct move *move) {
  *move = (struct move){0, 0};
  if (r->at < r->moves.size) {
    *move = r->moves.at[r->at];
    return true;
  }
  return r->left && explorer_free_choice(r->s->x, never_asleep, NULL,
                                         &move->proc) == PICK_MOVE;
}

/* From here on it is another schedule. */
static void switch_to(struct replay *r, uint32_t proc) {
  struct system *system = r->s->x->system;
  if (proc >= system->processes || !system->ops->enabled(system, proc))
    return;
  r->moves.size = r->at;
  VEC_PUSH(r->moves, (struct move){proc, 0});
  r->left = true;
}

/* Stops where the debugger wants that, and does what it asks for.  False: it
 * wants to go back. */
static bool obey_debugger(struct replay *r, struct move *move) {
  bool more = next_move(r, move);
  if (heddle_debug.request == DEBUG_GO_ON) {
    if (more)
      debugger_move(r->at, move->proc);
    else
      debugger_end(r->at);
  }
  enum debug_request request = (enum debug_request)heddle_debug.request;
  if (request == DEBUG_SWITCH)
    switch_to(r, (uint32_t)heddle_debug.argument);
  if (request != DEBUG_BACK)
    heddle_debug.request = DEBUG_GO_ON;
  if (next_move(r, move) && r->at == r->moves.size)
    VEC_PUSH(r->moves, *move); /* to be taken again after going back */
  return request != DEBUG_BACK;
}

/* ---- the algorithm -------------------------------------------------------
 */

static bool can_move(const struct explorer *x, uint32_t proc) {
  return proc < x->system->processes &&
         x->system->ops->enabled(x->system, proc);
}

/* In a program that has changed a move is known when it is due. */
static void follow_events(struct replay *r) {
  struct move move;
  bool is_due = r->s->control->by_events && r->at == r->moves.size;
  if (!is_due || r->left || r->departed)
    return;
  switch (follow_next(&r->follow, r->s->x, &move)) {
  case FOLLOW_MOVE:
    VEC_PUSH(r->moves, move);
    break;
  case FOLLOW_END:
    break;
  case FOLLOW_DEPARTED:
    r->departed = true;
    break;
  }
}

/* The next move as it was recorded. */
static void take_move(struct replay *r, struct move *move) {
  *move = r->moves.at[r->at++];
  r->local = move->choice & MOVE_LOCAL;
  r->preempts = session_preempts(r->s->x, move->proc);
  move->choice &= ~MOVE_FLAGS;
}

static enum pick replay_pick(void *state, struct move *move) {
  struct replay *r = state;
  struct explorer *x = r->s->x;
  follow_events(r);
  if (is_debugged(r->s) && !obey_debugger(r, move))
    return PICK_CUT;
  if (r->at == r->moves.size)
    return r->departed ? PICK_CUT : replay_end(r, move);
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
  send_step(r->s->x->system, r->local, r->preempts, &r->shown, &r->complained);
}

static void replay_ended(void *state, enum pick why) {
  (void)state;
  (void)why;
}

static void send_critical(const struct replay *r) {
  uint64_t critical = r->at == r->moves.size
                          ? critical_move(r->s->x->system, r->s->control,
                                          r->moves.at, r->moves.size)
                          : 0;
  wire_send(MESSAGE_CRITICAL, &critical, sizeof critical, NULL, 0);
}

/* What a debugger asks for. */
static bool go_back(struct replay *r, size_t *length) {
  size_t taken = trace_length(&r->s->x->trace);
  *length = heddle_debug.argument < taken ? heddle_debug.argument : taken;
  r->at = *length;
  heddle_debug.request = DEBUG_GO_ON;
  return true;
}

/* There is nothing more to explore: the threads stay where they are. */
static bool replay_retreat(void *state, size_t *length) {
  struct replay *r = state;
  if (is_debugged(r->s) && heddle_debug.request == DEBUG_BACK)
    return go_back(r, length);
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

/* Of a run that follows a given schedule. */
static void set_options(struct options *options) {
  options->keep_going = 1;         /* the last step may fail twice */
  options->max_steps = UINT64_MAX; /* these are finer */
  options->interfere = INTERFERE_ALL;
  options->preemptions = UINT64_MAX;
  options->skip = SKIP_DEFAULT;
}

static void expect_schedule(const struct session *s) {
  set_options(&s->control->options);
  if (s->control->moves)
    native_learn_steps(session_moves(s)->choice);
}

static void find_algorithm(struct session *s) {
  bool follows =
      s->control->mode == WIRE_REPLAY || s->control->mode == WIRE_CRITICAL;
  if (follows || s->control->mode == WIRE_REGROUP)
    expect_schedule(s);
  if (follows) {
    s->x->algorithm = &replay_algorithm;
  } else {
    s->x->algorithm =
        algorithm_find(s->control->algorithm, s->control->options.as_printed);
  }
}

/* What is left to do may be given to other processes, or written down. */
static void share_search(struct session *s) {
  struct search_listener *l = &s->x->listener;
  s->x->keeps = s->control->checkpoint;
  l->share = share;
  l->begin = begin;
  l->ended = ended;
  if (s->control->options.jobs > 1 || s->control->split)
    l->await = await;
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
  explorer.listener = (struct search_listener){.context = &session,
                                               .finding = finding,
                                               .outcome = outcome,
                                               .restart = restart,
                                               .stop = stop,
                                               .complete = complete};
  if (control->mode != WIRE_EXPLORE)
    control->options.jobs = 1;
  else
    share_search(&session);
  find_algorithm(&session);
  if (control->mode == WIRE_SEEK || control->mode == WIRE_REGROUP)
    minimize_begin(&session);
  const char *refused = explorer_refuses(explorer.algorithm, explorer.options);
  if (refused) {
    send_text(MESSAGE_REFUSED, refused);
    return;
  }
  run_explore(&session);
}

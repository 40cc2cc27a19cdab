/* Optimal dynamic partial-order reduction without wakeup trees and without
 * sleep sets: exactly one execution for each Mazurkiewicz trace, none begun in
 * vain, and all that is kept besides the execution at hand is a stack of
 * schedules.  Executions know nothing of each other, so every schedule of the
 * stack may as well be explored by another process.
 *
 * The idea.  After a prefix C the search takes a default step a, and explores
 * all traces that contain C.a.  A trace T that contains C and not C.a has a
 * first event b that conflicts with a.  Let u be the events after C that happen
 * before b in T.  They are independent of a, so C.a.u is possible, and then
 * the process of b races with a.  Reversing that race gives the schedule C.u.b,
 * a *detour*, from which T is explored in turn.  T determines u and b, so
 * different detours have no trace in common.
 *
 * Many executions have the race of a and b with the same u.  The detour is made
 * from one of them: the one that takes a default step wherever C.a.u.b lets it.
 * It is known by its own detours: each that begins after C has its b in u.b.
 *
 * If a writes and reads b1, b2 come before it in T, both are first.  Then the
 * process with the lowest number counts.  After a detour the overtaken process
 * moves at once, so that the other read comes before it only if that race is
 * reversed in turn; there the numbers are compared.
 *
 * Parsimonious race reversal, and exploring a reversal at once, are ideas of
 *   Abdulla, Atig, Das, Jonsson, Sagonas: Parsimonious optimal dynamic partial
 *   order reduction, CAV 2024.
 * The conditions here are our own.  docs/algorithms/pop.md has the argument.
 *
 *   - A step with alternatives: the first one is the default, or what a detour
 *     ends with; each other one is a detour of a single step.
 *   - The footprint of an atomic block may depend on a, and then u is not
 *     known (reordered_must_run()).  At the first such race the search begins
 *     anew as `optimal`; see also impossible().
 *
 * Invariants:
 *   P1  detours do not overlap, and stand in the order of their positions.
 *   P2  no execution is run twice, so nothing is cut.
 *   P3  the events of the trace are the moves in `taken`.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/algorithms.h"
#include "explore/dpor/reordered_footprint.h"
#include "explore/dpor/reversal.h"
#include "util/ensure.h"
#include "util/planted.h"

/* keep.  The events from `start` to `head` were not taken by default: u.b. */
struct detour {
  uint32_t start;
  uint32_t head;
  uint32_t proc;  /* of the overtaken step a, or NOWHERE: an alternative */
  uint32_t index; /* of a in its process */
};

/* keep.  A schedule: its moves and detours are the last ones on their stacks.
 */
struct schedule {
  size_t first_move;
  size_t first_detour;
};

/* keep.  By index, how often a step of this process was overtaken. */
struct overtaken {
  VEC(uint32_t) times;
};

struct pop {
  struct explorer *x;
  bool gives_up; /* the search begins anew as `optimal` */
  bool at_hand;  /* an execution is under way: that of `taken` and `made` */
  VEC(struct schedule) left; /* to be explored */
  VEC(struct move) moves;
  VEC(struct detour) detours;
  VEC(struct move) taken; /* of the execution at hand; the first so many ... */
  size_t planned;         /* ... are those of its schedule */
  VEC(struct detour) made;
  VEC(struct overtaken) overtaken; /* by process ... */
  uint32_t executions;             /* ... in the first so many */
  struct reversal v;
  struct reordered_footprint footprint; /* scratch */
  struct positions pending;             /* scratch */
};

/* ---- going down --------------------------------------------------------- */

static bool enabled(const struct pop *o, uint32_t proc) {
  return o->x->system->ops->enabled(o->x->system, proc);
}

/* After a detour: the overtaken process moves at once, if it can. */
static bool overtaken_moves(const struct pop *o, size_t at, uint32_t *proc) {
  if (!o->made.size || VEC_TOP(o->made).head + 1 != at ||
      planted(POP_OVERTAKEN))
    return false;
  *proc = VEC_TOP(o->made).proc;
  return *proc != NOWHERE && enabled(o, *proc);
}

/* How often was the next step of this process overtaken in other executions?
 * The most of all if none of them has come to it. */
static uint32_t times_overtaken(const struct pop *o, uint32_t proc) {
  uint32_t next = process_length(&o->x->trace, proc);
  if (proc >= o->overtaken.size || next >= o->overtaken.at[proc].times.size)
    return UINT32_MAX;
  return o->overtaken.at[proc].times.at[next];
}

/* Processes that share a search choose alike: by what was learnt before. */
enum { LEARNS_FROM = HOSTILE ? 1 : 900 };

static bool learns(const struct pop *o) {
  return o->executions < LEARNS_FROM;
}

/* The step that was overtaken least often.  A detour keeps what comes before
 * the overtaken step, so such steps should come late.  What is not known comes
 * last of all, so a process that goes round keeps no other one from moving. */
static enum pick default_choice(const struct pop *o, uint32_t *proc) {
  if (!explorer_free_move(o->x, proc))
    return PICK_END;
  uint32_t least = times_overtaken(o, *proc);
  for (uint32_t p = 0; least && p < o->overtaken.size; p++) {
    uint32_t times = times_overtaken(o, p);
    if (times < least && enabled(o, p)) {
      least = times;
      *proc = p;
    }
  }
  return PICK_MOVE;
}

/* A loop that polls under a lock may look at places that are written without
 * the lock (native/engine/polling.c): then u lacks such a write, and the lock
 * waits.  `optimal`, whose reversals have all that is independent of e, gets to
 * the step that shows this.  Any other step must be possible again. */
static enum pick impossible(struct pop *o, uint32_t proc) {
  const struct system *system = o->x->system;
  o->gives_up = system->ops->looks && system->ops->looks(o->x->system, proc);
  if (!o->gives_up)
    explorer_impossible(o->x, proc);
  return PICK_DROP;
}

/* The process that moves behind the schedule. */
static enum pick next_process(const struct pop *o, size_t at, uint32_t *proc) {
  return overtaken_moves(o, at, proc) ? PICK_MOVE : default_choice(o, proc);
}

static enum pick pick(void *state, struct move *move) {
  struct pop *o = state;
  size_t at = trace_length(&o->x->trace);
  if (at < o->planned) {
    *move = o->taken.at[at];
    return enabled(o, move->proc) ? PICK_MOVE : impossible(o, move->proc);
  }
  move->choice = 0;
  enum pick pick = next_process(o, at, &move->proc);
  o->taken.size = at;
  if (pick == PICK_MOVE)
    VEC_PUSH(o->taken, *move);
  return pick;
}

static void stepped(void *state) {
  (void)state;
}

/* ---- which races are reversed ------------------------------------------- */

static bool is_default(const struct pop *o, uint32_t position) {
  for (size_t i = o->made.size; i-- > 0 && o->made.at[i].head >= position;)
    if (o->made.at[i].start <= position && !planted(POP_DEFAULT))
      return false;
  return true;
}

/* The same as detours_needed() below if what e' needs is what happens before
 * it.  It refuses most races, before their reversals are described. */
static bool detours_lead_to(const struct pop *o, uint32_t first,
                            uint32_t second) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[first], *last = &t->events.at[second];
  if ((last->flags & (STEP_BLOCKING | STEP_LOOK)) || planted(POP_NEEDED) ||
      planted(POP_LAST))
    return true;
  for (size_t i = o->made.size; i-- > 0 && o->made.at[i].head > first;) {
    uint32_t head = o->made.at[i].head;
    const struct event *b = &t->events.at[head];
    if (head != second &&
        (happens_before(t, e, b) || !happens_before(t, b, last)))
      return false;
  }
  return true;
}

/* Is every detour behind e a part of u.e'? */
static bool detours_needed(struct pop *o) {
  struct reversal *v = &o->v;
  for (size_t i = o->made.size; i-- > 0 && o->made.at[i].head > v->at;) {
    uint32_t head = o->made.at[i].head;
    if (head != v->last_position && !planted(POP_NEEDED) &&
        (planted(POP_LAST) ||
         !(reversal_contains(v, head) && reversal_needs(v, head))))
      return false;
  }
  return true;
}

/* Is e' a read, and e the only write to its bytes since `position`? */
static bool only_e_wrote(const struct reversal *v, uint32_t position) {
  const struct event *e = &v->trace->events.at[v->at];
  const struct access *a = event_access(v->trace, e), *b = v->last.access;
  return v->last_order == LAST_BY_CLOCK && v->last.accesses == 1 &&
         !(b->mode & ACCESS_WRITE) &&
         v->trace->events.at[v->last_position].observed == v->at + 1 &&
         e->accesses == 1 && a->addr == b->addr && a->size == b->size &&
         access_first_granule(a) == access_last_granule(a) &&
         e->observed <= position;
}

/* Does an event before e', not after e, that b at `position` happens before,
 * conflict with this access of e'? */
static bool meets_after(const struct reversal *v, const struct event *b,
                        uint32_t position, const struct access *a) {
  const struct trace *t = v->trace;
  const struct event *e = &t->events.at[v->at];
  uint64_t end = access_last_granule(a);
  for (uint64_t g = access_first_granule(a); g <= end; g++)
    for (uint32_t r = trace_newest(t, g); r != NOWHERE;
         r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      const struct event *y = &t->events.at[touch->event];
      const struct access *other = &t->accesses.at[touch->access];
      if (touch->event < position)
        break; /* T3 */
      if (((touch->mode | a->mode) & ACCESS_WRITE) &&
          touch->event < v->last_position && !(other->mode & ACCESS_LINK) &&
          access_conflict(other, a) && happens_before(t, b, y) &&
          !happens_before(t, e, y))
        return true;
    }
  return false;
}

/* Does the event at `position`, which is before e, happen before e' if e does
 * not come before e'? */
static bool before_last(const struct reversal *v, uint32_t position) {
  const struct event *b = &v->trace->events.at[position];
  if ((v->previous && happens_before(v->trace, b, v->previous)) ||
      (v->cause && happens_before(v->trace, b, v->cause)))
    return true;
  if (only_e_wrote(v, position))
    return false;
  for (uint32_t i = 0; i < v->last.accesses; i++)
    if (meets_after(v, b, position, &v->last.access[i]))
      return true;
  return false;
}

/* Did the detour overtake e before? */
static bool has_overtaken(const struct pop *o, const struct detour *d) {
  const struct event *e = &o->v.trace->events.at[o->v.at];
  return d->head <= o->v.at && d->proc == e->proc && d->index == e->index;
}

/* Did an event of a process with a higher number than that of e' overtake e? */
static bool higher_came_first(const struct pop *o, const struct detour *d) {
  return o->v.last.proc < o->v.trace->events.at[d->head].proc;
}

/* e was overtaken before, by events that have no order with e'.  Of such events
 * the one whose process has the lowest number comes first. */
static bool in_turn(const struct pop *o) {
  size_t late = o->made.size; /* the newest detour of a higher number, + 1 */
  while (late > 0 && !(has_overtaken(o, &o->made.at[late - 1]) &&
                       higher_came_first(o, &o->made.at[late - 1])))
    late--;
  if (!late || planted(POP_TURN))
    return true;
  for (size_t i = o->made.size; i-- > late - 1;)
    if (has_overtaken(o, &o->made.at[i]) &&
        before_last(&o->v, o->made.at[i].head) && !planted(POP_BEFORE))
      return true;
  return false;
}

/* ---- schedules ---------------------------------------------------------- */

/* Begins a schedule with the first `length` moves of the execution, and the
 * detours in it. */
static void begin_schedule(struct pop *o, uint32_t length) {
  VEC_PUSH(o->left, (struct schedule){o->moves.size, o->detours.size});
  VEC_RESERVE(o->moves, length);
  if (length)
    memcpy(&o->moves.at[o->moves.size], o->taken.at,
           length * sizeof *o->taken.at);
  o->moves.size += length;
  for (size_t i = 0; i < o->made.size && o->made.at[i].head < length; i++)
    VEC_PUSH(o->detours, o->made.at[i]);
}

static uint32_t *overtaken(struct pop *o, const struct event *e) {
  while (o->overtaken.size <= e->proc)
    VEC_PUSH(o->overtaken, (struct overtaken){0});
  struct overtaken *process = &o->overtaken.at[e->proc];
  while (process->times.size < e->index)
    VEC_PUSH(process->times, 0);
  return &process->times.at[e->index - 1];
}

/* Plans u.e' instead of e. */
static void plan(struct pop *o) {
  struct reversal *v = &o->v;
  const struct trace *t = v->trace;
  const struct event *e = &t->events.at[v->at];
  size_t end =
      v->last_order == LAST_BY_CLOCK ? v->last_position : t->events.size;
  begin_schedule(o, v->at);
  size_t first = VEC_TOP(o->left).first_move;
  for (uint32_t i = v->at + 1; i < end; i++)
    if (i != v->last_position && reversal_contains(v, i) &&
        reversal_needs(v, i))
      VEC_PUSH(o->moves, o->taken.at[i]);
  uint32_t head = (uint32_t)(o->moves.size - first);
  VEC_PUSH(o->moves, (struct move){v->last.proc, 0});
  VEC_PUSH(o->detours, (struct detour){v->at, head, e->proc, e->index});
  if (learns(o))
    ++*overtaken(o, e);
}

static void reverse(struct pop *o) {
  if (detours_needed(o) && in_turn(o))
    plan(o);
}

/* Plans another alternative of the step at `at`. */
static void plan_choice(struct pop *o, uint32_t at, uint32_t choice) {
  const struct event *e = &o->x->trace.events.at[at];
  const struct detour *last = o->made.size ? &VEC_TOP(o->made) : NULL;
  bool heads = last && last->head == at;
  if ((e->choice && !planted(POP_CHOICE)) || (last && last->head > at))
    return;
  struct detour detour = heads ? *last : (struct detour){at, at, NOWHERE, 0};
  begin_schedule(o, at);
  VEC_PUSH(o->moves, (struct move){e->proc, choice});
  VEC_PUSH(o->detours, detour);
}

/* ---- races -------------------------------------------------------------- */

static void handle_race(struct pop *o, const struct race *race) {
  const struct trace *t = &o->x->trace;
  if (race->kind == RACE_CHOICE) {
    plan_choice(o, race->first, race->second);
    return;
  }
  const struct event *last = &t->events.at[race->second];
  if (last->choice) /* its first alternative has the same race */
    return;
  if ((last->flags & (STEP_BLOCK | STEP_CONDITIONAL)) &&
      reordered_must_run(t, race->first, race->second)) {
    o->gives_up = true;
    return;
  }
  if (!is_default(o, race->first) ||
      !detours_lead_to(o, race->first, race->second))
    return;
  reversal_of_race(&o->v, t, race->first, race->second);
  if (last->flags & STEP_LOOK)
    reordered_look(&o->v, race, &o->footprint);
  else if (last->flags & STEP_CONDITIONAL)
    reordered_conditional(o->x, &o->v, race->first, race->second,
                          &o->footprint);
  reverse(o);
}

/* Processes that wait at the end of the execution. */
static void handle_pending(struct pop *o) {
  struct explorer *x = o->x;
  for (uint32_t p = explorer_next_pending(x, 0);
       p < x->system->processes && !planted(POP_PENDING);
       p = explorer_next_pending(x, p + 1)) {
    struct step step;
    if (!x->system->ops->pending(x->system, p, &step) || enabled(o, p))
      continue;
    trace_pending_races(&x->trace, p, &step, &o->pending);
    for (size_t i = 0; i < o->pending.list.size; i++) {
      uint32_t first = o->pending.list.at[i];
      if (!is_default(o, first))
        continue;
      struct step before = explorer_pending_before(x, p, &step, first);
      reversal_of_pending(&o->v, &x->trace, first, p, &before);
      reverse(o);
    }
  }
}

/* Races whose second event comes before the end of the last detour were handled
 * in an earlier execution. */
static size_t first_race(const struct pop *o) {
  const struct trace *t = &o->x->trace;
  if (!o->made.size || VEC_TOP(o->made).head >= trace_length(t))
    return 0;
  uint32_t first = VEC_TOP(o->made).head + planted(POP_RACES);
  return first < trace_length(t) ? t->events.at[first].first_race
                                 : t->races.size;
}

/* All steps of the execution are known now. */
static void note_steps(struct pop *o) {
  const struct trace *t = &o->x->trace;
  for (uint32_t p = 0; p < t->processes.size; p++) {
    uint32_t length = process_length(t, p);
    if (length &&
        (p >= o->overtaken.size || o->overtaken.at[p].times.size < length))
      overtaken(o, &t->events.at[process_event(t, p, length)]);
  }
}

static void ended(void *state, enum pick why) {
  struct pop *o = state;
  const struct trace *t = &o->x->trace;
  (void)why;
  o->at_hand = false;
  if (learns(o))
    note_steps(o);
  for (size_t i = first_race(o); i < t->races.size && !o->gives_up; i++) {
    if (explorer_must_end(o->x))
      return;
    handle_race(o, &t->races.at[i]);
  }
  handle_pending(o);
  o->executions += learns(o);
  if (o->gives_up)
    explorer_replace(o->x, &optimal_algorithm);
}

/* ---- going back --------------------------------------------------------- */

/* How many of the first moves has the execution at hand taken? */
static size_t in_common(const struct pop *o, const struct move *moves,
                        size_t count) {
  size_t length = trace_length(&o->x->trace), i = 0;
  if (length < count)
    count = length;
  while (i < count && !memcmp(&o->taken.at[i], &moves[i], sizeof *moves))
    i++;
  return i;
}

/* Takes the last schedule off the stack.  Returns how many of its moves the
 * execution at hand has taken. */
static size_t take_schedule(struct pop *o) {
  struct schedule s = VEC_POP(o->left);
  const struct move *moves = &o->moves.at[s.first_move];
  size_t detours = o->detours.size - s.first_detour;
  o->planned = o->moves.size - s.first_move;
  size_t common = in_common(o, moves, o->planned);
  o->taken.size = common;
  VEC_RESERVE(o->taken, o->planned - common);
  for (size_t i = common; i < o->planned; i++)
    o->taken.at[o->taken.size++] = moves[i];
  VEC_SIZED(o->made, detours);
  memcpy(o->made.at, &o->detours.at[s.first_detour],
         detours * sizeof *o->made.at);
  o->moves.size = s.first_move;
  o->detours.size = s.first_detour;
  return common;
}

static void check_taken(const struct pop *o) {
  const struct trace *t = &o->x->trace;
  for (size_t i = 0; i < trace_length(t); i++)
    ensure(i < o->taken.size && o->taken.at[i].proc == t->events.at[i].proc &&
           o->taken.at[i].choice == t->events.at[i].choice); /* P3 */
}

static bool retreat(void *state, size_t *length) {
  struct pop *o = state;
  if (HOSTILE)
    check_taken(o);
  if (!o->left.size)
    return false;
  *length = take_schedule(o);
  o->at_hand = true;
  return true;
}

static struct schedule end_of(const struct pop *o, size_t i) {
  if (i + 1 < o->left.size)
    return o->left.at[i + 1];
  return (struct schedule){o->moves.size, o->detours.size};
}

/* How many schedules turn off at this length?  Those of the execution at hand
 * do so there, and nearly all others, since the deepest ones are run first. */
static size_t planned(const void *state, size_t length) {
  const struct pop *o = state;
  size_t count = 0;
  for (size_t i = 0; i < o->left.size; i++)
    count += o->detours.at[end_of(o, i).first_detour - 1].start == length;
  return count;
}

/* ---- giving away -------------------------------------------------------- */

/* Moves and detours of a schedule as they lie in a unit. */
struct pop_written {
  VEC(struct move) moves;
  VEC(struct detour) detours;
};

static void pack(struct packed *p, struct pop_written *w) {
  PACKED_VEC(p, w->moves);
  PACKED_VEC(p, w->detours);
}

/* The schedule as it lies on the stacks. */
static void write_schedule(const struct pop *o, size_t i, struct packed *p) {
  struct schedule s = o->left.at[i], end = end_of(o, i);
  struct pop_written w = {0};
  w.moves.at = &o->moves.at[s.first_move];
  w.moves.size = end.first_move - s.first_move;
  w.detours.at = &o->detours.at[s.first_detour];
  w.detours.size = end.first_detour - s.first_detour;
  pack(p, &w);
}

/* Forgets the oldest schedules. */
static void forget(struct pop *o, size_t count) {
  struct schedule end = end_of(o, count - 1);
  o->left.size -= count;
  o->moves.size -= end.first_move;
  o->detours.size -= end.first_detour;
  memmove(o->left.at, &o->left.at[count], o->left.size * sizeof *o->left.at);
  memmove(o->moves.at, &o->moves.at[end.first_move],
          o->moves.size * sizeof *o->moves.at);
  memmove(o->detours.at, &o->detours.at[end.first_detour],
          o->detours.size * sizeof *o->detours.at);
  for (size_t i = 0; i < o->left.size; i++) {
    o->left.at[i].first_move -= end.first_move;
    o->left.at[i].first_detour -= end.first_detour;
  }
}

static void put_schedule(struct pop *o, const struct move *moves, size_t count,
                         const struct detour *detours, size_t detour_count) {
  VEC_PUSH(o->left, (struct schedule){o->moves.size, o->detours.size});
  for (size_t i = 0; i < count; i++)
    VEC_PUSH(o->moves, moves[i]);
  for (size_t i = 0; i < detour_count; i++)
    VEC_PUSH(o->detours, detours[i]);
}

/* The oldest schedules turn off early and have most below them.  Of those that
 * turn off where the first one does, so that they have as much, half: the
 * number of schedules says little about what is below. */
static size_t half(const struct pop *o) {
  size_t alike = 0;
  uint32_t first = 0;
  for (; alike < o->left.size; alike++) {
    uint32_t start = o->detours.at[end_of(o, alike).first_detour - 1].start;
    if (alike && start != first)
      break;
    first = start;
  }
  return o->left.size > 1 ? (alike + 1) / 2 : 0;
}

static bool give(void *state, struct text *to, enum give how) {
  struct pop *o = state;
  struct packed p = packed_writer(to);
  if (o->gives_up)
    return false;
  if (how == GIVE_ALL && o->at_hand)
    put_schedule(o, o->taken.at, o->planned, o->made.at, o->made.size);
  o->at_hand = o->at_hand && how != GIVE_ALL;
  size_t count = how == GIVE_ALL ? o->left.size : half(o);
  for (size_t i = 0; i < count; i++) {
    size_t item = packed_open(&p);
    write_schedule(o, i, &p);
    packed_close(&p, item);
  }
  if (count)
    forget(o, count);
  return count || how == GIVE_ALL;
}

static bool take_item(struct pop *o, const char *item, size_t size) {
  struct packed p = packed_reader(item, size);
  struct pop_written w = {0};
  pack(&p, &w);
  bool good = packed_is_over(&p);
  if (good)
    put_schedule(o, w.moves.at, w.moves.size, w.detours.at, w.detours.size);
  VEC_FREE(w.moves);
  VEC_FREE(w.detours);
  return good;
}

static bool take(void *state, const char *unit, size_t size) {
  struct pop *o = state;
  struct packed p = packed_reader(unit, size);
  o->at_hand = false;
  while (!p.bad && p.at < p.end) {
    const char *item = NULL;
    size_t length = 0;
    packed_part(&p, &item, &length);
    p.bad = p.bad || !take_item(o, item, length);
  }
  return !p.bad;
}

static void learnt(void *state, struct packed *p) {
  struct pop *o = state;
  PACKED(p, o->executions);
  size_t count = packed_count(p, o->overtaken.size, 1);
  while (o->overtaken.size < count)
    VEC_PUSH(o->overtaken, (struct overtaken){0});
  for (size_t i = 0; i < count; i++)
    PACKED_VEC(p, o->overtaken.at[i].times);
}

/* ---- life --------------------------------------------------------------- */

static void *create(struct explorer *x) {
  struct pop *o = calloc(1, sizeof *o);
  ensure(o);
  o->x = x;
  o->at_hand = true;
  return o;
}

static void destroy(void *state) {
  struct pop *o = state;
  VEC_FREE(o->left);
  VEC_FREE(o->moves);
  VEC_FREE(o->detours);
  VEC_FREE(o->taken);
  VEC_FREE(o->made);
  for (size_t p = 0; p < o->overtaken.size; p++)
    VEC_FREE(o->overtaken.at[p].times);
  VEC_FREE(o->overtaken);
  VEC_FREE(o->footprint.list);
  positions_free(&o->pending);
  reversal_free(&o->v);
  free(o);
}

const struct algorithm pop_algorithm = {.name = "pop",
                                        .gathers = true,
                                        .holds = true,
                                        .updates = true,
                                        .joins = true,
                                        .order = {.races = true},
                                        .create = create,
                                        .destroy = destroy,
                                        .pick = pick,
                                        .stepped = stepped,
                                        .ended = ended,
                                        .retreat = retreat,
                                        .planned = planned,
                                        .give = give,
                                        .take = take,
                                        .learnt = learnt};

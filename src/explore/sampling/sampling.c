#include "explore/sampling/sampling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

/* So many runs if no option says how many. */
enum { MOST_RUNS = 100000 };

/* So many runs tell how long one is: the longest of them. */
enum { MEASURED = 100 };

/* ---- what was seen --------------------------------------------------------
 */

static struct seen_trace *find(const struct sampler *s,
                               struct trace_hash hash) {
  for (TABLE_EACH(i, &s->by_hash, (uint32_t)hash.word[0]))
    if (s->seen.at[i].hash.word[0] == hash.word[0] &&
        s->seen.at[i].hash.word[1] == hash.word[1])
      return &s->seen.at[i];
  return NULL;
}

/* True: it is new. */
static bool add_trace(struct sampler *s, struct trace_hash hash, bool again) {
  struct seen_trace *known = find(s, hash);
  if (!known) {
    table_add(&s->by_hash, (uint32_t)hash.word[0], s->seen.size);
    VEC_PUSH(s->seen, ((struct seen_trace){hash, again}));
    s->once += !again;
  } else if (!known->again) {
    known->again = true;
    s->once--;
  }
  return !known;
}

/* ---- one run --------------------------------------------------------------
 */

static void find_enabled(struct sampler *s) {
  const struct system *system = s->x->system;
  s->enabled.size = 0;
  for (uint32_t p = 0; p < system->processes; p++)
    if (system->ops->enabled(s->x->system, p))
      VEC_PUSH(s->enabled, p);
}

/* How many alternatives the step has is known only by taking it. */
static uint32_t choose_alternative(struct sampler *s, uint32_t proc) {
  struct step step;
  const struct system_ops *ops = s->x->system->ops;
  if (!ops->pending(s->x->system, proc, &step) || !op_table[step.op].varies)
    return 0;
  uint32_t choices = explorer_probe(s->x, proc, 0, &step) ? step.choices : 1;
  explorer_undo(s->x, trace_length(&s->x->trace));
  return choices > 1 ? rng_below(&s->rng, choices) : 0;
}

enum pick sampler_pick(void *state, const struct strategy *strategy,
                       struct move *move) {
  struct sampler *s = state;
  find_enabled(s);
  if (!s->enabled.size)
    return PICK_END;
  move->proc = strategy->choose(s);
  move->choice = choose_alternative(s, move->proc);
  return PICK_MOVE;
}

uint64_t sampler_priority(struct sampler *s) {
  return rng_next(&s->rng) | PRIORITY_LOW;
}

uint32_t sampler_highest(struct sampler *s) {
  uint32_t best = s->enabled.at[0];
  while (s->priorities.size < s->x->system->processes)
    VEC_PUSH(s->priorities, 0);
  for (size_t i = 0; i < s->enabled.size; i++) {
    uint32_t p = s->enabled.at[i];
    if (!s->priorities.at[p])
      s->priorities.at[p] = sampler_priority(s);
    if (s->priorities.at[p] > s->priorities.at[best])
      best = p;
  }
  return best;
}

/* Does the next step of the process depend on the newest event? */
static bool depends(const struct sampler *s, uint32_t proc) {
  const struct trace *t = &s->x->trace;
  const struct event *e = &VEC_TOP(t->events);
  struct step step;
  return s->x->system->ops->pending(s->x->system, proc, &step) &&
         footprint_conflict(event_access(t, e), e->accesses, step.access,
                            step.accesses);
}

void sampler_renew_dependent(struct sampler *s) {
  uint32_t moved = VEC_TOP(s->x->trace.events).proc;
  for (uint32_t p = 0; p < s->priorities.size; p++)
    if (p == moved || (s->priorities.at[p] && depends(s, p)))
      s->priorities.at[p] = 0; /* drawn anew when it is asked for */
}

/* ---- racing pairs ---------------------------------------------------------
 */

/* One order of two places, seen in a run. */
static void add_pair(struct sampler *s, struct racing_pair pair) {
  uint32_t hash = table_hash(pair.low * 31 + pair.high);
  for (TABLE_EACH(i, &s->by_places, hash))
    if (s->pairs.at[i].low == pair.low && s->pairs.at[i].high == pair.high) {
      s->pairs.at[i].seen |= pair.seen;
      return;
    }
  table_add(&s->by_places, hash, s->pairs.size);
  VEC_PUSH(s->pairs, pair);
}

static void note_pair(struct sampler *s, uint64_t first, uint64_t second) {
  bool swapped = second < first;
  uint64_t low = swapped ? second : first, high = swapped ? first : second;
  uint8_t order = low == high ? PAIR_BOTH : swapped ? PAIR_HIGH : PAIR_LOW;
  add_pair(s, (struct racing_pair){low, high, order});
}

static void note_pairs(struct sampler *s) {
  const struct trace *t = &s->x->trace;
  for (size_t i = 0; i < t->races.size; i++) {
    const struct race *race = &t->races.at[i];
    if (race->kind == RACE_ORDER)
      note_pair(s, t->events.at[race->first].pc, t->events.at[race->second].pc);
  }
}

bool sampler_always_first(const struct sampler *s, uint64_t pc) {
  for (size_t i = 0; i < s->pairs.size; i++) {
    const struct racing_pair *pair = &s->pairs.at[i];
    if ((pair->seen == PAIR_LOW && pair->low == pc) ||
        (pair->seen == PAIR_HIGH && pair->high == pc))
      return true;
  }
  return false;
}

static size_t pairs_in_both_orders(const struct sampler *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->pairs.size; i++)
    count += s->pairs.at[i].seen == PAIR_BOTH;
  return count;
}

/* The limit of a search by chance: the text is made when the search is over. */
static char seen_text[384];

/* By Good and Turing, the next run shows something new about as often as runs
 * have shown what no other run did. */
static void tell_seen(const struct sampler *s) {
  const struct counters *c = s->x->counters;
  uint64_t runs = c->executions + c->blocked;
  double new = runs ? 100.0 * (double)s->once / (double)runs : 100;
  int length = snprintf(seen_text, sizeof seen_text,
                        "%s ran samples only: of the next 100 runs, about %.*f "
                        "would show a new order; %zu of %zu racing pairs were "
                        "seen in both orders",
                        s->x->algorithm->name, new < 1 ? 2 : 0, new,
                        pairs_in_both_orders(s), s->pairs.size);
  if (s->x->algorithm->parameter && length > 0)
    snprintf(seen_text + length, sizeof seen_text - (size_t)length,
             "; an error of depth %" PRIu32
             " is found by a run with a probability of at least "
             "1/(%" PRIu64 "*%" PRIu64 "^%" PRIu32 ")",
             s->x->algorithm->parameter, (uint64_t)s->x->system->processes,
             s->x->counters->max_depth, s->x->algorithm->parameter - 1);
}

/* ---- the search -----------------------------------------------------------
 */

void sampler_ended(void *state, enum pick why) {
  struct sampler *s = state;
  s->at_hand = false;
  if (s->runs.next <= MEASURED)
    s->x->sampled_depth = s->x->counters->max_depth;
  if (why == PICK_END)
    s->x->counters->traces += add_trace(s, trace_hash(&s->x->trace), false);
  note_pairs(s);
  explorer_limit(s->x, seen_text);
}

/* The next run, with a generator of its own. */
static void begin_run(struct sampler *s, const struct strategy *strategy) {
  uint64_t seed = s->x->options->sample_seed;
  rng_seed(&s->rng, seed ^ rng_mix(s->runs.next++));
  s->at_hand = true;
  s->priorities.size = 0;
  strategy->begin(s);
}

bool sampler_retreat(void *state, const struct strategy *strategy,
                     size_t *length) {
  struct sampler *s = state;
  *length = 0;
  if (s->runs.next == s->runs.end && s->left.size)
    s->runs = VEC_POP(s->left);
  if (s->runs.next == s->runs.end) {
    if (s->x->options->max_executions != UINT64_MAX)
      explorer_limit(s->x, "--max-executions");
    return false;
  }
  begin_run(s, strategy);
  return true;
}

void *sampler_create(struct explorer *x, const struct strategy *strategy) {
  struct sampler *s = calloc(1, sizeof *s);
  uint64_t most = x->options->max_executions;
  ensure(s);
  *seen_text = 0;
  s->x = x;
  s->runs.end = x->samples = most == UINT64_MAX ? MOST_RUNS : most;
  if (x->options->jobs == 1 && s->runs.end < MOST_RUNS)
    s->runs.end = MOST_RUNS; /* the search itself ends after `most` */
  begin_run(s, strategy);
  explorer_limit(x, seen_text); /* samples prove nothing */
  return s;
}

/* ---- sharing --------------------------------------------------------------
 */

/* An item is a part, as in other algorithms. */
static void write_runs(const struct sampler *s, struct packed *p,
                       struct sampler_runs runs) {
  size_t item = packed_open(p);
  PACKED(p, runs);
  PACKED(p, s->x->sampled_depth);
  packed_close(p, item);
}

static bool give_half(struct sampler *s, struct packed *p) {
  uint64_t count = s->runs.end - s->runs.next;
  struct sampler_runs half = {s->runs.end - count / 2, s->runs.end};
  if (s->left.size) { /* the last ones */
    write_runs(s, p, s->left.at[0]);
    memmove(s->left.at, s->left.at + 1, --s->left.size * sizeof *s->left.at);
    return true;
  }
  if (count < 2)
    return false;
  write_runs(s, p, half);
  s->runs.end = half.next;
  return true;
}

/* The run at hand is done again. */
static void give_all(struct sampler *s, struct packed *p) {
  for (size_t i = 0; i < s->left.size; i++)
    write_runs(s, p, s->left.at[i]);
  s->runs.next -= s->at_hand;
  if (s->runs.next < s->runs.end)
    write_runs(s, p, s->runs);
  s->at_hand = false;
  s->left.size = 0;
  s->runs = (struct sampler_runs){0, 0};
}

bool sampler_give(void *state, struct text *to, enum give how) {
  struct sampler *s = state;
  struct packed p = packed_writer(to);
  if (how == GIVE_HALF)
    return give_half(s, &p);
  give_all(s, &p);
  return true;
}

bool sampler_take(void *state, const char *unit, size_t size) {
  struct sampler *s = state;
  struct packed p = packed_reader(unit, size);
  if (s->at_hand) /* the first run; it has not begun */
    s->runs = (struct sampler_runs){0, 0};
  s->at_hand = false;
  while (!p.bad && p.at < p.end) {
    if (s->runs.next < s->runs.end)
      VEC_PUSH(s->left, s->runs);
    packed_count(&p, 0, 1);
    PACKED(&p, s->runs);
    PACKED(&p, s->x->sampled_depth);
  }
  return !p.bad;
}

void sampler_seen(void *state, struct packed *p) {
  struct sampler *s = state;
  VEC(struct seen_trace) traces = {0};
  VEC(struct racing_pair) pairs = {0};
  if (p->to) {
    PACKED_VEC(p, s->seen);
    PACKED_VEC(p, s->pairs);
    PACKED(p, s->x->sampled_depth);
    return;
  }
  PACKED_VEC(p, traces);
  PACKED_VEC(p, pairs);
  PACKED(p, s->x->sampled_depth);
  for (size_t i = 0; i < traces.size; i++)
    if (!add_trace(s, traces.at[i].hash, traces.at[i].again))
      s->x->counters->traces--;
  for (size_t i = 0; i < pairs.size; i++)
    add_pair(s, pairs.at[i]);
  VEC_FREE(traces);
  VEC_FREE(pairs);
}

/* ---- life -----------------------------------------------------------------
 */

void sampler_destroy(void *state) {
  struct sampler *s = state;
  tell_seen(s);
  VEC_FREE(s->left);
  VEC_FREE(s->seen);
  table_free(&s->by_hash);
  VEC_FREE(s->enabled);
  VEC_FREE(s->priorities);
  VEC_FREE(s->changes);
  VEC_FREE(s->pairs);
  table_free(&s->by_places);
  free(s);
}

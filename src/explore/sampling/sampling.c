#include "explore/sampling/sampling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/ensure.h"

/* So many runs if no option says how many. */
enum { MOST_RUNS = 100000 };

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

static void note_trace(struct sampler *s) {
  struct trace_hash hash = trace_hash(&s->x->trace);
  struct seen_trace *known = find(s, hash);
  if (!known) {
    table_add(&s->by_hash, (uint32_t)hash.word[0], s->seen.size);
    VEC_PUSH(s->seen, ((struct seen_trace){hash, false}));
    s->once++;
    s->x->counters->traces++;
  } else if (!known->again) {
    known->again = true;
    s->once--;
  }
}

/* The limit of a search by chance: the text is made when the search is over. */
static char seen_text[256];

/* By Good and Turing, the next run shows something new about as often as runs
 * have shown what no other run did. */
static void tell_seen(const struct sampler *s) {
  double new = s->runs ? 100.0 * (double)s->once / (double)s->runs : 100;
  int length = snprintf(seen_text, sizeof seen_text,
                        "%s ran samples only: of the next 100 runs, about %.*f "
                        "would show a new order",
                        s->x->algorithm->name, new < 1 ? 2 : 0, new);
  if (s->x->algorithm->parameter && length > 0)
    snprintf(seen_text + length, sizeof seen_text - (size_t)length,
             "; an error of depth %" PRIu32
             " is found by a run with a probability of at least "
             "1/(%" PRIu64 "*%" PRIu64 "^%" PRIu32 ")",
             s->x->algorithm->parameter, (uint64_t)s->x->system->processes,
             s->x->counters->max_depth, s->x->algorithm->parameter - 1);
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

/* ---- the search -----------------------------------------------------------
 */

void sampler_ended(void *state, enum pick why) {
  struct sampler *s = state;
  s->runs++;
  if (why == PICK_END)
    note_trace(s);
  explorer_limit(s->x, seen_text);
}

bool sampler_retreat(void *state, const struct strategy *strategy,
                     size_t *length) {
  struct sampler *s = state;
  if (s->x->options->max_executions == UINT64_MAX && s->runs >= MOST_RUNS)
    return false;
  s->priorities.size = 0;
  strategy->begin(s);
  *length = 0;
  return true;
}

void *sampler_create(struct explorer *x, const struct strategy *strategy) {
  struct sampler *s = calloc(1, sizeof *s);
  ensure(s);
  s->x = x;
  rng_seed(&s->rng, x->options->sample_seed);
  strategy->begin(s);
  return s;
}

void sampler_destroy(void *state) {
  struct sampler *s = state;
  tell_seen(s);
  VEC_FREE(s->seen);
  table_free(&s->by_hash);
  VEC_FREE(s->enabled);
  VEC_FREE(s->priorities);
  VEC_FREE(s->changes);
  free(s);
}

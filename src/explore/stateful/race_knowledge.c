/* What is known of accesses that may still be in data races.
 *
 * Whether an access to come is in a data race with an earlier one depends on
 * who knows of the earlier one: the process of the access, or an object that it
 * acquires from before.  A cycle may be closed if the state comes again
 * together with this: for each live touch of the trace, which processes and
 * objects know of it.  What they know of later touches depends on steps to come
 * only.
 *
 * A touch that all processes with a next step know of is in no race any more.
 * What threads do that use locks is known soon, so that the knowledge comes
 * again with the state.
 *
 * Nor are touches under a lock that all touches of the place are under
 * (guards.h).
 *
 * What an object hands on is that of the latest write to each of its bytes, and
 * to stores of a process what release sequences with a head of that process
 * hand on (core/datarace.c).  To blocks each block hands on what it knows, by
 * the bytes that it has touched.  What arrivals at a barrier know is known to
 * the processes that wait there, and to the last arrival that wrote the
 * barrier.  Tasks order events in ways of their own: with one of these in the
 * trace nothing is told.
 */
#include "explore/stateful/race_knowledge.h"

#include "util/planted.h"
#include "util/rng.h"

/* keep: a clock, and a name that is the same in other executions. */
struct knower {
  uint64_t name;
  uint32_t clock;
  uint32_t proc; /* an event that it knows besides, with all before it in ... */
  uint32_t index; /* ... its process; 0: none */
  bool process;   /* with a next step */
};

/* ---- who may know -------------------------------------------------------- */

static uint64_t name_of(uint64_t a, uint64_t b, uint64_t c) {
  return rng_mix(rng_mix(rng_mix(a) + b) + c);
}

static void add(struct race_knowledge *k, uint64_t name, uint32_t clock) {
  if (clock)
    VEC_PUSH(k->knowers, (struct knower){.name = name, .clock = clock});
}

/* One that knows what happens before the event, and the event. */
static void add_event(struct race_knowledge *k, const struct explorer *x,
                      uint64_t name, uint32_t position, bool process) {
  const struct event *e = &x->trace.events.at[position];
  VEC_PUSH(k->knowers,
           (struct knower){.name = name,
                           .clock = x->datarace.states.at[position].thread,
                           .proc = e->proc,
                           .index = e->index,
                           .process = process});
}

enum knower_part {
  THREAD,
  ACQUIRABLE,
  RELEASED,
  CAUSE,
  MESSAGE,
  OWN,
  BASE,
  READERS,
  ARRIVAL,
  BLOCK_READS,
  BLOCK_WRITES
};

static void add_process(struct race_knowledge *k, const struct explorer *x,
                        uint32_t p) {
  const struct trace *t = &x->trace;
  struct outline next;
  bool goes_on = system_outline(x->system, p, &next);
  uint32_t length = process_length(t, p);
  if (length) {
    uint32_t last = process_event(t, p, length);
    const struct sync_state *s = &x->datarace.states.at[last];
    add_event(k, x, name_of(p, 0, THREAD), last, goes_on);
    add(k, name_of(p, 0, ACQUIRABLE), s->acquirable);
    add(k, name_of(p, 0, RELEASED), s->released);
  }
  if (goes_on && next.cause)
    add_event(k, x, name_of(p, 0, length ? CAUSE : THREAD), next.cause - 1,
              !length);
  else if (goes_on && !length)
    VEC_PUSH(k->knowers,
             (struct knower){.name = name_of(p, 0, THREAD), .process = true});
}

/* Release sequences that go on at this write, of each process. */
static void add_sequences(struct race_knowledge *k, const struct explorer *x,
                          uint64_t granule, uint32_t write) {
  const struct trace *t = &x->trace;
  uint64_t seen = 0;
  for (uint32_t w = write + 1; w; w = t->events.at[w - 1].observed) {
    const struct event *e = &t->events.at[w - 1];
    uint64_t bit = e->proc < 64 ? UINT64_C(1) << e->proc : 0;
    if (!(seen & bit))
      add(k, name_of(granule, e->proc, OWN), x->datarace.states.at[w - 1].own);
    seen |= bit;
    if (!op_is_rmw(e->op))
      return;
  }
}

/* What a later block gets from those that have touched the granule. */
static void add_blocks(struct race_knowledge *k, const struct explorer *x,
                       const struct cell *cell) {
  const struct trace *t = &x->trace;
  for (uint32_t r = cell->newest; r != NOWHERE; r = t->touches.at[r].live) {
    const struct touch *touch = &t->touches.at[r];
    const struct event *e = &t->events.at[touch->event];
    bool writes = touch->mode & ACCESS_WRITE;
    if (e->op == OP_BLOCK && !planted(STATE_MET))
      add_event(k, x,
                name_of(cell->granule << 8 | touch->mask, e->proc,
                        writes ? BLOCK_WRITES : BLOCK_READS),
                touch->event, false);
  }
}

/* What the latest write to each byte of the granule hands on. */
static void add_object(struct race_knowledge *k, const struct explorer *x,
                       const struct cell *cell) {
  const struct trace *t = &x->trace;
  uint8_t bytes = UINT8_MAX;
  for (uint32_t r = cell->newest; r != NOWHERE && bytes;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    if (!(touch->mode & ACCESS_WRITE) || !(touch->mask & bytes))
      continue;
    const struct sync_state *s = &x->datarace.states.at[touch->event];
    uint64_t place = cell->granule << 8 | (touch->mask & bytes);
    add(k, name_of(place, 0, MESSAGE), s->message);
    add(k, name_of(place, 0, BASE), s->base);
    add(k, name_of(place, 0, READERS), s->readers);
    add_sequences(k, x, place, touch->event);
    if (t->events.at[touch->event].op == OP_ARRIVE)
      add_event(k, x, name_of(place, 0, ARRIVAL), touch->event, false);
    bytes &= (uint8_t)~touch->mask;
  }
}

/* ---- what they know ------------------------------------------------------ */

static bool knows(const struct explorer *x, const struct knower *k,
                  const struct event *e) {
  return (k->index && k->proc == e->proc && k->index >= e->index) ||
         clock_get(&x->datarace.clocks, k->clock, e->proc) >= e->index;
}

/* The sum over those that know of the event; 0: all processes do. */
static uint64_t known_by(const struct race_knowledge *k,
                         const struct explorer *x, const struct event *e) {
  uint64_t sum = 1;
  bool all = true;
  for (size_t i = 0; i < k->knowers.size; i++) {
    if (knows(x, &k->knowers.at[i], e))
      sum += k->knowers.at[i].name;
    else if (k->knowers.at[i].process)
      all = false;
  }
  return all ? 0 : sum;
}

static void add_touches(const struct race_knowledge *k,
                        const struct explorer *x, const struct cell *cell,
                        struct digest128 *sum) {
  const struct trace *t = &x->trace;
  for (uint32_t r = cell->newest; r != NOWHERE; r = t->touches.at[r].live) {
    const struct touch *touch = &t->touches.at[r];
    const struct event *e = &t->events.at[touch->event];
    uint64_t known = known_by(k, x, e);
    if (!known)
      continue;
    uint64_t place = name_of(cell->granule, touch->mask, touch->mode);
    uint64_t word = name_of(place, e->pc, (uint64_t)e->proc << 32) ^ known;
    digest128_add(sum, (struct digest128){{rng_mix(word), rng_mix(~word)}});
  }
}

/* ---- all of it ----------------------------------------------------------- */

bool race_knowledge_understands(const struct explorer *x) {
  const struct event *e = &VEC_TOP(x->trace.events);
  const struct sync_state *s = &VEC_TOP(x->datarace.states);
  return e->op != OP_TASK && e->op != OP_TURN && e->op != OP_IDLE &&
         !e->links && !s->loose && e->proc < 64;
}

void race_knowledge_add(struct race_knowledge *k, const struct explorer *x,
                        struct guards *guards, struct digest128 *sum) {
  static const struct digest128 included = {{0x2545f4914f6cdd1d, 1}};
  const struct trace *t = &x->trace;
  k->knowers.size = 0;
  digest128_add(sum, included);
  for (uint32_t p = 0; p < x->system->processes; p++)
    add_process(k, x, p);
  for (size_t i = 0; i < t->cells.size; i++) {
    add_object(k, x, &t->cells.at[i]);
    add_blocks(k, x, &t->cells.at[i]);
  }
  for (size_t i = 0; i < t->cells.size; i++)
    if (!guards_cover(guards, t->cells.at[i].granule))
      add_touches(k, x, &t->cells.at[i], sum);
}

void race_knowledge_free(struct race_knowledge *k) {
  VEC_FREE(k->knowers);
}

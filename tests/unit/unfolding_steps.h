/* Occurrences of an unfolding, entered from a trace that is written by hand. */
#ifndef UNFOLDING_STEPS_H
#define UNFOLDING_STEPS_H

#include "core_steps.h"

#include "explore/unfolding/alternatives.h"
#include "explore/unfolding/new_event.h"

#define X 0x1000
#define Y 0x2000

struct fixture {
  struct trace t;
  struct unfolding u;
  struct configuration c;
  struct new_event_maker maker;
  uint64_t looked_at;
};

static inline int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = true});
  unfolding_init(&f.u, 8, &f.looked_at);
  configuration_init(&f.c, &f.u);
  f.maker.trace = &f.t;
  f.maker.configuration = &f.c;
  *state = &f;
  return 0;
}

static inline int teardown(void **state) {
  struct fixture *f = *state;
  unfolding_check(&f->u);
  configuration_check(&f->c);
  new_event_free(&f->maker);
  configuration_free(&f->c);
  unfolding_free(&f->u);
  trace_free(&f->t);
  return 0;
}

/* The newest event as an occurrence, which joins the configuration. */
static inline uint32_t enter(struct fixture *f) {
  const struct event *e = &VEC_TOP(f->t.events);
  new_event_begin(&f->maker, e->proc, e->choice, e->choices);
  struct past_counts past = new_event_past(&f->maker, e);
  uint32_t x = unfolding_find(&f->u, &f->maker.event);
  if (!x) {
    new_event_like(&f->maker, &past, e);
    x = unfolding_add(&f->u, &f->maker.event);
  }
  configuration_push(&f->c, x);
  return x;
}

static inline uint32_t write_to(struct fixture *f, uint32_t proc,
                                uint64_t addr) {
  writes(&f->t, proc, addr);
  return enter(f);
}

static inline void cut(struct fixture *f, size_t length) {
  trace_truncate(&f->t, length);
  configuration_truncate(&f->c, length);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif

/* Sleepers that stay asleep past steps that they commute with. */
#include "model_steps.h"

#include "explore/context/covered_sleep.h"

struct search {
  struct scene s;
  struct covered_sleep covered;
  struct sleep sleep;
  struct covered_node nodes[4];
  struct sleep_node sleeping[4];
};

static struct covered_node *node_at(void *search, size_t length) {
  return &((struct search *)search)->nodes[length];
}

static void begin(struct search *h, const char *model) {
  memset(h, 0, sizeof *h);
  scene_begin(&h->s, model);
  sleep_root(&h->sleep, &h->sleeping[0]);
  covered_init(&h->covered, &h->s.x, &h->sleep, node_at, h);
}

static void end(struct search *h) {
  covered_free(&h->covered);
  sleep_free(&h->sleep);
  scene_end(&h->s);
}

static void step(struct search *h, uint32_t proc) {
  size_t length = trace_length(&h->s.x.trace);
  scene_step(&h->s, proc);
  h->nodes[length + 1] = (struct covered_node){0};
  covered_child(&h->covered, &h->sleeping[length], &h->sleeping[length + 1]);
}

/* The branch of the node that the trace is cut back to is done. */
static void back(struct search *h, size_t length) {
  sleep_return(&h->sleep, &h->sleeping[length]);
  covered_add(&h->covered, &h->sleeping[length], &h->nodes[length],
              &h->s.x.trace.events.at[length]);
  scene_undo(&h->s, length);
}

/* p's store sleeps.  q stores the same: p stays asleep, in every state, so no
 * node has to try more. */
static void test_always(void **state) {
  (void)state;
  struct search h;
  begin(&h, "var x = 0\np: x = 1\nq: x = 1\n");
  step(&h, 0);
  step(&h, 1);
  back(&h, 1);
  back(&h, 0);
  step(&h, 1);
  assert_true(sleep_contains(&h.sleep, &h.sleeping[1], 0));
  assert_false(h.nodes[1].as_if_explored);
  assert_false(h.nodes[0].try_all || h.nodes[1].try_all);
  end(&h);
}

/* x is 1 already, so q's read commutes with p's store here.  Nothing else can
 * happen: all that is left begins with p, and the execution is cut. */
static void test_cut(void **state) {
  (void)state;
  struct search h;
  begin(&h, "var x = 1\np: x = 1\nq: a = x\n");
  step(&h, 0);
  step(&h, 1);
  back(&h, 1);
  back(&h, 0);
  step(&h, 1);
  assert_true(sleep_contains(&h.sleep, &h.sleeping[1], 0));
  assert_true(h.nodes[1].as_if_explored);
  assert_true(h.nodes[1].cut);
  end(&h);
}

/* The same, but r may store something else: it races with p's store, so every
 * process is to be tried there, and nothing is cut. */
static void test_third(void **state) {
  (void)state;
  struct search h;
  begin(&h, "var x = 1\np: x = 1\nq: a = x\nr: x = 2\n");
  step(&h, 0);
  step(&h, 1);
  step(&h, 2);
  back(&h, 2);
  back(&h, 1);
  back(&h, 0);
  step(&h, 1);
  assert_true(sleep_contains(&h.sleep, &h.sleeping[1], 0));
  assert_false(h.nodes[1].cut);
  assert_true(h.nodes[1].try_all);
  end(&h);
}

/* x is 0: q's read does not commute, and wakes p. */
static void test_wakes(void **state) {
  (void)state;
  struct search h;
  begin(&h, "var x = 0\np: x = 1\nq: a = x\n");
  step(&h, 0);
  step(&h, 1);
  back(&h, 1);
  back(&h, 0);
  step(&h, 1);
  assert_false(sleep_contains(&h.sleep, &h.sleeping[1], 0));
  end(&h);
}

/* An anticipated cut: nothing that may happen instead of p's store conflicts
 * with it in the first model; q's does in the second. */
static void test_done(void **state) {
  (void)state;
  static const char *const models[] = {
      "var x = 0, y = 0\np: x = 1\nq: y = 1\n",
      "var x = 0, y = 0\np: x = 1\nq: x = 2\n"};
  for (int i = 0; i < 2; i++) {
    struct search h;
    begin(&h, models[i]);
    step(&h, 0);
    step(&h, 1);
    assert_int_equal(
        covered_is_done(&h.covered, &h.nodes[0], &h.s.x.trace.events.at[0]),
        i == 0);
    end(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_always), cmocka_unit_test(test_cut),
      cmocka_unit_test(test_third),  cmocka_unit_test(test_wakes),
      cmocka_unit_test(test_done),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

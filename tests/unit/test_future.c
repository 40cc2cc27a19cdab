/* explore/stateful/future: what is live before a step, and what is known to
 * happen before an access. */
#include "core_steps.h"

#include "explore/stateful/future.h"

enum { P, Q };
enum { X = 0x1000, M = 0x2000 };

static uint64_t granule(uint64_t addr) {
  return addr >> 3;
}

static struct segments segments; /* of all tests */

static struct trace *new_trace(void) {
  static struct trace t;
  trace_init(&t, (struct order_rules){.races = true});
  return &t;
}

/* The future before the event at this position, of nothing after the last. */
static void back_to(struct state_future *f, struct objects *o,
                    const struct trace *t, size_t position) {
  for (size_t i = trace_length(t); i-- > position;) {
    const struct event *e = &t->events.at[i];
    struct handover h = handover_of(o, t, e);
    future_before(&segments, f, t, e, &h);
  }
}

static void a_read_is_live_until_it_is_written(void **unused) {
  (void)unused;
  struct trace *t = new_trace();
  struct state_future f = {0};
  struct objects o = {0};
  push(t, P, X, 8, ACCESS_WRITE | ACCESS_BLIND);
  reads(t, Q, X);
  back_to(&f, &o, t, 1);
  assert_int_equal(f.live.size, 1);
  assert_int_equal(f.live.at[0].granule, granule(X));
  assert_int_equal(f.live.at[0].bytes, 0x0f);
  future_clear(&f);
  back_to(&f, &o, t, 0);
  assert_int_equal(f.live.size, 0);
  assert_int_equal(f.segments.size, 2);
  future_free(&f);
  trace_free(t);
}

/* A write that may have looked at the old bytes reads them. */
static void a_write_that_looks_is_live(void **unused) {
  (void)unused;
  struct trace *t = new_trace();
  struct state_future f = {0};
  struct objects o = {0};
  writes(t, P, X);
  back_to(&f, &o, t, 0);
  assert_int_equal(f.live.size, 1);
  future_free(&f);
  trace_free(t);
}

static const struct future_access *access_to(const struct state_future *f,
                                             uint32_t proc, uint64_t addr) {
  size_t count;
  for (size_t n = 0; n < f->segments.size; n++) {
    const struct future_access *a =
        segment_at(&segments, f->segments.at[n], &count);
    for (size_t i = 0; i < count; i++)
      if (a[i].proc == proc && a[i].granule == granule(addr))
        return &a[i];
  }
  fail_msg("no such access");
  return NULL;
}

static void push_primitive(struct trace *t, uint32_t proc, enum op op,
                           uint8_t order) {
  struct access a = {M, 4, ACCESS_WRITE | ACCESS_ATOMIC};
  struct step s = {
      .op = op, .order = order, .choices = 1, .accesses = 1, .access = &a};
  trace_push(t, proc, &s);
}

static void a_lock_on_the_way_is_a_carrier(void **unused) {
  (void)unused;
  struct trace *t = new_trace();
  struct state_future f = {0};
  struct objects o = {0};
  push_primitive(t, Q, OP_UNLOCK, __ATOMIC_RELEASE);
  push_primitive(t, P, OP_LOCK, __ATOMIC_ACQUIRE);
  reads(t, P, X);
  back_to(&f, &o, t, 2);
  assert_int_equal(access_to(&f, P, X)->carriers.processes, 1 << P);
  assert_int_equal(access_to(&f, P, X)->carriers.objects, 0);
  future_clear(&f);
  back_to(&f, &o, t, 1);
  assert_int_not_equal(access_to(&f, P, X)->carriers.objects, 0);
  future_clear(&f);
  back_to(&f, &o, t, 0);
  assert_int_equal(access_to(&f, P, X)->carriers.processes, 1 << P | 1 << Q);
  future_free(&f);
  VEC_FREE(o.list);
  trace_free(t);
}

/* One way to the access has the lock, the other has not. */
static void carriers_are_common_to_all_ways(void **unused) {
  (void)unused;
  struct trace *t = new_trace();
  struct state_future f = {0}, other = {0};
  struct objects o = {0};
  push_primitive(t, P, OP_LOCK, __ATOMIC_ACQUIRE);
  reads(t, P, X);
  back_to(&f, &o, t, 0);
  back_to(&other, &o, t, 1);
  future_merge(&segments, &f, other.live.at, other.live.size,
               other.segments.at, other.segments.size, false);
  assert_int_equal(access_to(&f, P, X)->carriers.objects, 0);
  future_free(&f);
  future_free(&other);
  VEC_FREE(o.list);
  trace_free(t);
}

/* What is remembered of a step is what would be found again. */
static void a_step_back_is_remembered(void **unused) {
  (void)unused;
  struct trace *t = new_trace();
  struct state_future f = {0}, again = {0};
  struct objects o = {0};
  push_primitive(t, P, OP_LOCK, __ATOMIC_ACQUIRE);
  reads(t, Q, X);
  reads(t, P, X);
  back_to(&f, &o, t, 0);
  size_t kept = segments.list.size;
  back_to(&again, &o, t, 0);
  assert_int_equal(segments.list.size, kept);
  assert_int_equal(again.segments.size, 2);
  assert_int_equal(again.segments.at[0], f.segments.at[0]);
  assert_int_equal(again.segments.at[1], f.segments.at[1]);
  future_free(&f);
  future_free(&again);
  VEC_FREE(o.list);
  trace_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_read_is_live_until_it_is_written),
      cmocka_unit_test(a_write_that_looks_is_live),
      cmocka_unit_test(a_lock_on_the_way_is_a_carrier),
      cmocka_unit_test(carriers_are_common_to_all_ways),
      cmocka_unit_test(a_step_back_is_remembered),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  segments_free(&segments);
  return failed;
}

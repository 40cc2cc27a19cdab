/* The model system: its text form, undo, counts that are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/model/generate.h"
#include "fuzz/model/judge.h"
#include "fuzz/model/shrink.h"

typedef VEC(char) string;

static void collect(void *context, const char *text, size_t length) {
  string *s = context;
  VEC_RESERVE(*s, length + 1);
  memcpy(&s->at[s->size], text, length);
  s->size += length;
  s->at[s->size] = 0;
}

static void parse(struct program *g, const char *text) {
  struct model_error error;
  if (!program_parse(g, "test", text, strlen(text), &error))
    fail_msg("%u:%u: %s", error.line, error.column, error.message);
}

/* ---- the text form --------------------------------------------------------
 */

static void assert_error(const char *text, const char *expected) {
  struct program g = {0};
  struct model_error error;
  char found[256];
  assert_false(program_parse(&g, "test", text, strlen(text), &error));
  snprintf(found, sizeof found, "%u:%u: %s", error.line, error.column,
           error.message);
  assert_string_equal(found, expected);
  program_free(&g);
}

static void test_errors(void **state) {
  (void)state;
  assert_error("", "1:1: there is no process");
  assert_error("p x = 1", "1:3: ':' expected, not 'x'");
  assert_error("var x\np: x = y",
               "2:8: 'y' is neither declared nor assigned in its process");
  assert_error("var x\np: a = x + 1",
               "2:10: 'x' is shared: read it into a local first");
  assert_error("var x\np: a = 1 + x",
               "2:12: 'x' is shared: read it into a local first");
  assert_error("p: lock m", "1:9: 'm' is not declared");
  assert_error("var m\np: lock m", "2:9: 'm' is a var, not a mutex");
  assert_error("mutex m\np: a = lock m", "2:8: 'lock' gives no value");
  assert_error("var x[3]\np: x = 1", "2:6: 'x' is an array: which element?");
  assert_error("var x\np: x[1] = 1", "2:5: 'x' is no array");
  assert_error("p: join q", "1:4: there is no process 'q'");
  assert_error("p: create q; create q\nq: a = 1",
               "1:14: process 'q' is created in two places");
  assert_error("p: repeat 2 { create q }\nq: a = 1",
               "1:15: process 'q' is created in a loop");
  assert_error("mutex m\np: atomic { lock m }",
               "2:13: only accesses of variables can be in an atomic block");
  assert_error("p: a = 1\np: a = 1", "2:1: there is a process 'p' already");
  assert_error("p: a = 99999999999999999999",
               "1:8: a value expected, not '99999999999999999999'");
  assert_error("p: if (1) { a = 1", "1:18: '}' expected, the file ends here");
  assert_error("p: a = 1\nvar a",
               "2:5: 'a' is a local further up: declare it before its use");
  assert_error("p: repeat = 1", "1:11: a number expected, not '='");
  assert_error("var if\np: a = 1", "1:5: 'if' is a word of the language");
  assert_error("p of q: a = 1", "1:3: ':' expected, not 'of'");
  assert_error("task p of 3: a = 1", "1:11: an actor expected, not '3'");
  assert_error("fifo task\np: a = 1", "1:6: 'task' is a word of the language");
  assert_error("p: a = $", "1:8: a value expected, not '$'");
  assert_error("var x\np: x.mid = 1", "2:6: 'lo' or 'hi' expected, not 'mid'");
  assert_error("mutex m\np: lock m.lo", "2:10: ';' expected, not '.'");
  assert_error("var loop\np: a = 1", "1:5: 'loop' is a word of the language");
  assert_error("var x\np: loop { a = 1; b = x }",
               "2:4: a loop begins with an operation on a shared object");
  assert_error("p: loop { }",
               "1:4: a loop begins with an operation on a shared object");
  assert_error("p: break", "1:4: 'break' leaves a 'loop', and no other "
                           "statement");
  assert_error("var x\np: loop { a = x; repeat 2 { break } }",
               "2:29: 'break' leaves a 'loop', and no other statement");
  assert_error("var x\np: loop { a = x; b = choose(2) }",
               "2:18: in a loop there are only accesses, locks, tries, "
               "semaphores and other loops");
  assert_error("var x\np: atomic { loop { a = x } }",
               "2:13: a loop inside an atomic block");
  assert_error("var x\np: loop { a = x }\nq: x.lo = 1",
               "3:4: a program with a loop has no accesses to halves");
  assert_error("data d\np: relaxed a = d",
               "2:4: only an access to a variable may be relaxed");
  assert_error("var x\np: a = cas(x, &x, 1)", "2:16: 'x' is shared, not a "
                                              "local");
}

/* Printing, reading and printing again gives the same text. */
static void assert_round_trip(const struct program *g) {
  struct program again = {0};
  struct model_error error;
  string first = {0}, second = {0};
  program_print(g, collect, &first);
  if (!program_parse(&again, "test", first.at, first.size, &error))
    fail_msg("%u:%u: %s\n%s", error.line, error.column, error.message,
             first.at);
  program_print(&again, collect, &second);
  assert_string_equal(first.at, second.at);
  program_free(&again);
  VEC_FREE(first);
  VEC_FREE(second);
}

static void test_text(void **state) {
  (void)state;
  static const char text[] =
      "var x = -3, a[2] = {1, 2}, b[2] = 7, c[2]\n"
      "mutex m, k[2]\n"
      "rwlock l\n"
      "sem s = 1\n"
      "cond d\n"
      "fifo actor\n"
      "p: r = x; x = (r + 1) * 2 - -(r) % 3; a[r - 1] = !(r == 1 && 2 < r)\n"
      "q: r = cas(x, 1, 2); fadd(a[1], r); r = xchg(x, 3 - (2 - 1))\n"
      "r: lock k[1]; wait d k[1]; unlock k[1]; t = trylock m; signal d\n"
      "s: wrlock l; unlock l; rdlock l; t = tryrdlock l; broadcast d\n"
      "t: wait s; t = trywait s; post s; u = choose(3); create v; join v\n"
      "v: if (1) { a[0] = 1 } else { a[1] = 1 }; repeat 2 { c[0] = 1 }\n"
      "w: i = 1; while (i < 3) max 2 { i = i + 1 }; assert i == 3\n"
      "u: atomic { r = x; x = r + 1 }; await r = x while (r < 1)\n"
      "x: r = a[1].lo; x.hi = r; r = cas(b[r].hi, 1, 2); fadd(x.lo, 1)\n"
      "h: atomic { xchg(x.hi, 1) }; await r = x.lo while (r < 1)\n"
      "task y of actor: create z; x = 1; join z\n"
      "task z of other: x = 2\n";
  struct program g = {0};
  string printed = {0};
  parse(&g, text);
  program_print(&g, collect, &printed);
  assert_string_equal(printed.at, text);
  VEC_FREE(printed);
  program_free(&g);
}

static void test_loop_text(void **state) {
  (void)state;
  static const char text[] =
      "var x = 0\n"
      "p: a = x; loop { c = cas(x, &a, a + 1); if (c) { break } }\n"
      "q: loop { loop { a = x; if (a) { break } }; b = x; if (b) { break } }\n";
  struct program g = {0};
  string printed = {0};
  parse(&g, text);
  program_print(&g, collect, &printed);
  assert_string_equal(printed.at, text);
  VEC_FREE(printed);
  program_free(&g);
}

/* Lines and braces in other places mean the same. */
static void test_layout(void **state) {
  (void)state;
  struct program g = {0};
  string printed = {0};
  parse(&g, "# a comment\nvar x # another\n\np: {\n  a = x\n  if a == 1 {\n"
            "    x = 2;\n  }\n  else {\n  }\n  ;; x = 3\n}\n");
  program_print(&g, collect, &printed);
  assert_string_equal(printed.at,
                      "var x = 0\np: a = x; if (a == 1) { x = 2 }; x = 3\n");
  VEC_FREE(printed);
  program_free(&g);
}

static void generate_one(struct program *g, unsigned i) {
  struct rng rng;
  rng_seed(&rng, i);
  generate(g, &generate_profiles[i % generate_profile_count], &rng);
}

static void test_random_round_trip(void **state) {
  (void)state;
  struct program g = {0};
  for (unsigned i = 0; i < 2000; i++) {
    generate_one(&g, i);
    assert_round_trip(&g);
  }
  program_free(&g);
}

/* ---- undo -----------------------------------------------------------------
 */

/* A random walk that goes back and forth; the state after the same moves is
 * always the same, and so is what it offers. */
struct walk {
  struct model *m;
  struct system *s;
  struct rng rng;
  uint64_t hashes[200];
  size_t depth;
};

static bool walk_forward(struct walk *w) {
  unsigned enabled[16], count = 0;
  for (unsigned p = 0; p < w->s->processes; p++)
    if (w->s->ops->enabled(w->s, p))
      enabled[count++] = p;
  if (!count || w->depth + 1 == 200)
    return false;
  struct step next, step;
  unsigned p = enabled[rng_below(&w->rng, count)];
  assert_true(w->s->ops->pending(w->s, p, &next));
  w->s->ops->step(w->s, p, rng_below(&w->rng, next.choices), &step);
  assert_int_equal(step.op, next.op);
  assert_int_equal(step.choices, next.choices);
  w->hashes[++w->depth] = model_hash(w->m);
  return true;
}

static void walk_back(struct walk *w) {
  w->depth = rng_below(&w->rng, (uint32_t)w->depth + 1);
  w->s->ops->undo(w->s, w->depth);
  assert_true(w->hashes[w->depth] == model_hash(w->m));
}

static void test_undo(void **state) {
  (void)state;
  struct program g = {0};
  for (unsigned i = 0; i < 500; i++) {
    generate_one(&g, i);
    struct walk w = {.m = model_new(&g)};
    w.s = model_system(w.m);
    rng_seed(&w.rng, i);
    w.hashes[0] = model_hash(w.m);
    for (int k = 0; k < 60; k++)
      if (!walk_forward(&w) || rng_percent(&w.rng, 20))
        walk_back(&w);
    model_free(w.m);
  }
  program_free(&g);
}

/* ---- the judge ------------------------------------------------------------
 */

static void assert_counts(const char *text, uint64_t interleavings,
                          size_t traces, size_t reads_from) {
  struct program g = {0};
  parse(&g, text);
  struct model *m = model_new(&g);
  struct judge *judge = judge_new();
  for (int plain = 0; plain < 2; plain++) {
    struct judge_limits limits = {
        .prefixes = UINT64_MAX, .plain = plain, .reads_from = true};
    const struct judgement *j = judge_run(judge, m, &limits);
    assert_true(j->complete && j->commutes);
    assert_int_equal(j->interleavings, interleavings);
    assert_int_equal(j->traces.size, traces);
    assert_int_equal(j->reads_from.size, reads_from);
  }
  judge_free(judge);
  model_free(m);
  program_free(&g);
}

static void test_counts(void **state) {
  (void)state;
  assert_counts("p: a = 1", 1, 1, 1); /* no step at all */
  assert_counts("var x\np: x = 1\nq: x = 2", 2, 2, 1);
  assert_counts("var x, y\np: x = 1\nq: y = 2", 2, 1, 1);
  assert_counts("var x\np: r = x\nq: x = 1\ns: r = x", 6, 4, 4);
  assert_counts("var x\np: x.lo = 1\nq: x.hi = 2", 2, 1, 1);
  assert_counts("var x\np: x.lo = 1\nq: x.hi = 2\nr: a = x", 6, 4, 4);
  assert_counts("var x\np: x = 1\nq: x.lo = 2\nr: a = x.hi", 6, 4, 2);
  assert_counts("mutex m\np: lock m; unlock m\nq: lock m; unlock m", 2, 2, 2);
  assert_counts("p: a = choose(3)\nq: a = choose(2)", 12, 6, 6);
  assert_counts("var x, y\np: y = 1; x = 1\nq: x = 2\n"
                "r: a = x; assert a < 3; b = x; assert b < 2",
                30, 12, 7);
}

/* ---- the shrinker ---------------------------------------------------------
 */

/* Some process writes 2 after a branch. */
static bool writes_two(void *context, struct program *g) {
  (void)context;
  for (size_t i = 0; i < g->statements.size; i++) {
    const struct statement *s = &g->statements.at[i];
    if (s->kind == STATEMENT_WRITE &&
        g->expressions.at[s->a].kind == EXPRESSION_NUMBER &&
        g->expressions.at[s->a].value == 2)
      return true;
  }
  return false;
}

static void test_shrink(void **state) {
  (void)state;
  struct program g = {0};
  string printed = {0};
  parse(&g, "var x = 1, y\nmutex m\np: a = y; lock m; x = 3; unlock m\n"
            "q: b = x; if (b == 1) { repeat 3 { y = 1; x = 2 } }\n"
            "r: join q");
  shrink(&g, writes_two, NULL);
  program_print(&g, collect, &printed);
  assert_string_equal(printed.at, "var x = 0\nq: x = 2\n");
  VEC_FREE(printed);
  program_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_loop_text),
      cmocka_unit_test(test_layout),
      cmocka_unit_test(test_random_round_trip),
      cmocka_unit_test(test_undo),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_shrink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

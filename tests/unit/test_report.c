/* Reports: JSON strings, the order of outcomes, words; and that messages of the
 * exploring process are taken apart wherever the pipe cuts them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "supervise/messages.h"
#include "report/memo.h"
#include "report/result.h"

#define BYTES(literal) literal, sizeof literal - 1

/* ---- JSON ---------------------------------------------------------------- */

static void expect_json(const char *bytes, size_t length, const char *json) {
  char *made;
  size_t size;
  FILE *to = open_memstream(&made, &size);
  json_string(to, bytes, length);
  fclose(to);
  assert_string_equal(made, json);
  free(made);
}

static void json_strings(void **state) {
  (void)state;
  expect_json(BYTES(""), "\"\"");
  expect_json(BYTES("plain"), "\"plain\"");
  expect_json(BYTES("a\"b\\c/"), "\"a\\\"b\\\\c/\"");
  expect_json(BYTES("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"");
  expect_json(BYTES("\0\x01\x1f\x7f"), "\"\\u0000\\u0001\\u001f\\u007f\"");
}

static void json_utf8(void **state) {
  (void)state;
  expect_json(BYTES("\xc3\xa9"), "\"\xc3\xa9\"");
  expect_json(BYTES("\xe2\x82\xac!"), "\"\xe2\x82\xac!\"");
  expect_json(BYTES("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
  /* A lone continuation, a cut character, overlong forms, a surrogate, beyond
   * the last character. */
  expect_json(BYTES("\x80"), "\"\\u0080\"");
  expect_json(BYTES("\xe2\x82"), "\"\\u00e2\\u0082\"");
  expect_json(BYTES("\xc0\xaf"), "\"\\u00c0\\u00af\"");
  expect_json(BYTES("\xe0\x80\xaf"), "\"\\u00e0\\u0080\\u00af\"");
  expect_json(BYTES("\xed\xa0\x80"), "\"\\u00ed\\u00a0\\u0080\"");
  expect_json(BYTES("\xf4\x90\x80\x80"), "\"\\u00f4\\u0090\\u0080\\u0080\"");
  expect_json(BYTES("\xff\xfe"), "\"\\u00ff\\u00fe\"");
}

/* ---- words of a shell ---------------------------------------------------- */

static void expect_word(const char *word, const char *quoted) {
  struct text text = {0};
  text_shell_word(&text, word);
  text_add(&text, "", 1);
  assert_string_equal(text.at, quoted);
  VEC_FREE(text);
}

static void shell_words(void **state) {
  (void)state;
  expect_word("/tmp/a-1.error", "/tmp/a-1.error");
  expect_word("", "''");
  expect_word("a b", "'a b'");
  expect_word("it's", "'it'\\''s'");
  expect_word("$x`y`\"*", "'$x`y`\"*'");
  expect_word("-x", "./-x");
  expect_word("~x", "'~x'");
}

/* ---- results ------------------------------------------------------------- */

static void add_outcome(struct result *result, const char *bytes, size_t length,
                        uint64_t count) {
  struct result_outcome outcome = {.count = count};
  text_add(&outcome.output, bytes, length);
  VEC_PUSH(result->outcomes, outcome);
}

static void outcomes_are_sorted(void **state) {
  (void)state;
  struct result result = {0};
  add_outcome(&result, BYTES("b"), 1);
  add_outcome(&result, BYTES("a\0x"), 2);
  add_outcome(&result, BYTES(""), 3);
  add_outcome(&result, BYTES("b"), 4);
  add_outcome(&result, BYTES("a"), 5);
  result_sort_outcomes(&result);
  assert_int_equal(result.outcomes.size, 4);
  assert_int_equal(result.outcomes.at[0].count, 3);
  assert_int_equal(result.outcomes.at[1].count, 5);
  assert_int_equal(result.outcomes.at[2].count, 2);
  assert_int_equal(result.outcomes.at[3].count, 5);
  result_free(&result);
}

static void expect_sentence(struct result_step step, const char *words) {
  struct result_finding finding = {0};
  VEC_PUSH(finding.threads, ((struct result_thread){.proc = 1, .function = "worker"}));
  struct text text = {0};
  op_text_full(&text, &finding, &step);
  text_add(&text, "", 1);
  assert_string_equal(text.at, words);
  VEC_FREE(text);
  result_finding_free(&finding);
}

static void steps_in_words(void **state) {
  (void)state;
  expect_sentence(
      (struct result_step){.op = OP_WRITE, .variable = "x", .value = "5"},
      "writes x = 5");
  expect_sentence(
      (struct result_step){
          .op = OP_CAS, .variable = "x", .value = "5", .failed = true},
      "compares and swaps x = 5, and fails");
  expect_sentence((struct result_step){.op = OP_RMW,
                                       .variable = "x",
                                       .before = "4",
                                       .value = "5"},
                  "atomically updates x: 4 -> 5");
  expect_sentence((struct result_step){.op = OP_SCAN,
                                       .variable = "c->user",
                                       .value = "\"bob\""},
                  "reads memory at c->user: \"bob\"");
  struct result_step one = {.op = OP_WRITE,
                            .variable = "c->n",
                            .value = "1",
                            .object = "conn#2"};
  expect_sentence(one, "writes c->n = 1");
  one.several = true;
  expect_sentence(one, "writes c->n [conn#2] = 1");
  one.variable = "conn#2.n";
  expect_sentence(one, "writes conn#2.n = 1");
  expect_sentence((struct result_step){.op = OP_CREATE, .target = 1},
                  "creates a thread: T1 worker");
  expect_sentence((struct result_step){.op = OP_JOIN}, "joins a thread: main");
  expect_sentence((struct result_step){.op = OP_READ}, "reads memory");
  expect_sentence((struct result_step){.op = OP_CHOOSE, .target = 3},
                  "chooses 3");
}

static char *report_text(const struct result *result, struct text_style style) {
  char *made;
  size_t size;
  FILE *to = open_memstream(&made, &size);
  report_as_text(to, result, style);
  fclose(to);
  return made;
}

static void verdicts(void **state) {
  (void)state;
  struct text_style quiet = {.detail = DETAIL_VERDICT};
  struct result result = {.verdict = VERDICT_SAFE, .complete = true};
  result.counters.executions = 1;
  char *text = report_text(&result, quiet);
  assert_ptr_equal(strstr(text, "SAFE: no error exists: 1 execution, "), text);
  free(text);
  result.verdict = VERDICT_INCOMPLETE;
  result.limit = "interrupted";
  text = report_text(&result, quiet);
  assert_ptr_equal(strstr(text, "INCOMPLETE: interrupted: no error so far: "),
                   text);
  free(text);
  result.verdict = VERDICT_ERROR;
  struct result_finding finding = {
      .kind = FINDING_ASSERTION, .message = "x == 1", .place = {"f", "a.c", 3}};
  VEC_PUSH(result.errors, finding);
  text = report_text(&result, quiet);
  assert_string_equal(text, "ERROR: assertion failed: x == 1 (a.c:3)\n");
  free(text);
  result_free(&result);
}

/* What a program prints must not steer the terminal. */
static void output_is_tamed(void **state) {
  (void)state;
  struct result result = {.verdict = VERDICT_ERROR};
  struct result_finding finding = {.kind = FINDING_CRASH, .message = ""};
  text_add(&finding.output, BYTES("a\x1b[2Jb\nc"));
  VEC_PUSH(result.errors, finding);
  char *text =
      report_text(&result, (struct text_style){.detail = DETAIL_USUAL});
  assert_non_null(strstr(text, "  | a\\x1b[2Jb\n  | c\n"));
  assert_null(strchr(text, 0x1b));
  free(text);
  result_free(&result);
}

static void memo_remembers(void **state) {
  (void)state;
  struct memo memo = {0};
  static int answers[1000];
  assert_null(memo_get(&memo, 1, 2));
  for (uint64_t i = 0; i < 1000; i++)
    memo_put(&memo, i * 4096, i % 3, &answers[i]);
  for (uint64_t i = 0; i < 1000; i++) {
    assert_ptr_equal(memo_get(&memo, i * 4096, i % 3), &answers[i]);
    assert_null(memo_get(&memo, i * 4096, 3));
  }
  memo_free(&memo);
}

/* ---- messages ------------------------------------------------------------ */

static void put(struct text *to, uint32_t type, const void *head, size_t size,
                const char *rest, size_t length) {
  struct message message = {type, (uint32_t)(size + length)};
  text_add(to, (const char *)&message, sizeof message);
  text_add(to, head, size);
  text_add(to, rest, length);
}

static void put_finding(struct text *to, uint32_t kind, uint64_t pc,
                        const char *message, uint32_t moves) {
  struct wire_finding wire = {.kind = kind, .pc = pc, .moves = moves};
  struct move at[8] = {{0, 0}};
  wire.message_length = (uint32_t)strlen(message);
  struct text rest = {0};
  text_add(&rest, message, wire.message_length);
  text_add(&rest, (const char *)at, moves * sizeof *at);
  put(to, MESSAGE_FINDING, &wire, sizeof wire, rest.at, rest.size);
  VEC_FREE(rest);
}

/* One step with two accesses and three bytes of text, a local variable, and
 * where a thread stands. */
static void put_replay(struct text *to) {
  struct wire_local local = {.addr = 0x2000, .size = 8, .proc = 1};
  struct wire_step step = {.op = OP_SCAN, .accesses = 2, .text = 3};
  struct wire_stand stand = {.op = OP_LOCK, .looks = 1};
  struct access accesses[2] = {{0x2000, 4, 0}, {0x3000, 4, ACCESS_WRITE}};
  struct text rest = {0};
  put(to, MESSAGE_LOCAL, &local, sizeof local, BYTES("pool\tmain\ta.c:1:2\t"));
  text_add(&rest, (const char *)accesses, sizeof accesses);
  text_add(&rest, BYTES("bobc->user\tf\ta.c:3:4\tconn"));
  put(to, MESSAGE_STEP, &step, sizeof step, rest.at, rest.size);
  rest.size = sizeof *accesses;
  text_add(&rest, BYTES("stack"));
  put(to, MESSAGE_STAND, &stand, sizeof stand, rest.at, rest.size);
  VEC_FREE(rest);
}

static void expect_replay(const struct run *run) {
  assert_int_equal(run->steps.size, 1);
  assert_string_equal(run->steps.at[0].site.object, "c->user");
  assert_string_equal(run->steps.at[0].site.function, "f");
  assert_string_equal(run->steps.at[0].site.type, "conn");
  assert_int_equal(run->steps.at[0].access[1].addr, 0x3000);
  assert_memory_equal(run->steps.at[0].text, "bob", 3);
  assert_memory_equal(run->steps.at[0].printed.at, "abc", 3);
  assert_string_equal(run->locals.at[0].site.object, "pool");
  assert_int_equal(run->locals.at[0].step, 0);
  assert_int_equal(run->stands.at[0].looks[0].addr, 0x2000);
  assert_memory_equal(run->stands.at[0].stack.at, "stack", 5);
}

static struct text sample(void) {
  struct text stream = {0};
  struct wire_module module = {0x1000};
  struct wire_outcome outcome = {.count = 3, .status = 1};
  put(&stream, MESSAGE_MODULE, &module, sizeof module, BYTES("/bin/x"));
  put_finding(&stream, FINDING_CRASH, 0x1010, "boom", 5);
  put_finding(&stream, FINDING_CRASH, 0x1010, "boom", 3); /* shorter */
  put_finding(&stream, FINDING_CRASH, 0x1020, "boom", 4); /* elsewhere */
  put(&stream, MESSAGE_OUTCOME, &outcome, sizeof outcome, BYTES("out"));
  put_replay(&stream);
  put(&stream, MESSAGE_OUTPUT, 0, 0, BYTES("ab"));
  put(&stream, MESSAGE_OUTPUT, 0, 0, BYTES("c"));
  put(&stream, MESSAGE_DONE, 0, 0, 0, 0);
  return stream;
}

static void cut_anywhere(void **state) {
  (void)state;
  struct text stream = sample();
  for (size_t piece = 1; piece <= stream.size; piece++) {
    struct run run = {0};
    struct message_reader listener = {.run = &run};
    for (size_t at = 0; at < stream.size; at += piece)
      message_reader_take(&listener, stream.at + at,
                    stream.size - at < piece ? stream.size - at : piece);
    assert_true(listener.done && !listener.garbled);
    assert_int_equal(run.modules.size, 1);
    assert_int_equal(run.findings.size, 2);
    assert_int_equal(run.findings.at[0].wire.moves, 3);
    assert_int_equal(run_offset(&run, 0x1010), 0x10);
    assert_int_equal(run.outcomes.at[0].count, 3);
    assert_int_equal(run.outcomes.at[0].status, 1);
    assert_memory_equal(run.output.at, "abc", 3);
    expect_replay(&run);
    VEC_FREE(listener.pending);
    run_free(&run);
  }
  VEC_FREE(stream);
}

/* A program may write anything into the pipe. */
static void garbage(void **state) {
  (void)state;
  struct text stream = sample();
  uint32_t seed = 1;
  for (int round = 0; round < 2000; round++) {
    struct run run = {0};
    struct message_reader listener = {.run = &run};
    struct text copy = {0};
    text_add(&copy, stream.at, stream.size);
    for (int i = 0; i < 3; i++) {
      seed = seed * 1664525 + 1013904223;
      copy.at[(seed >> 8) % copy.size] = (char)(seed >> 24);
    }
    message_reader_take(&listener, copy.at, copy.size);
    VEC_FREE(copy);
    VEC_FREE(listener.pending);
    run_free(&run);
  }
  VEC_FREE(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_strings),
      cmocka_unit_test(json_utf8),
      cmocka_unit_test(shell_words),
      cmocka_unit_test(outcomes_are_sorted),
      cmocka_unit_test(steps_in_words),
      cmocka_unit_test(verdicts),
      cmocka_unit_test(output_is_tamed),
      cmocka_unit_test(memo_remembers),
      cmocka_unit_test(cut_anywhere),
      cmocka_unit_test(garbage),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}

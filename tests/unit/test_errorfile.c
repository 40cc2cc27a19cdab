/* Error files: what is written is read; what is damaged is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "supervise/errorfile.h"
#include "supervise/settings.h"

static const struct move schedule[] = {{0, 0}, {0, 0}, {1, 0},  {1, 2},
                                       {1, 2}, {0, 0}, {31, 7}, {0, 0}};

static void make(struct errorfile *file) {
  memset(file, 0, sizeof *file);
  file->directory = "/home/me/a \\ b\nc";
  VEC_PUSH(file->build, (struct errorfile_word){"-DX=\"a b\"", false});
  VEC_PUSH(file->build, (struct errorfile_word){"sub/f.c", true});
  VEC_PUSH(file->arguments, "");
  VEC_PUSH(file->arguments, "\xff\x01");
  file->algorithm = "source";
  explore_settings_default(&file->options);
  file->options.races = RACES_ERROR;
  file->options.seed = 77;
  memcpy(file->externals, "f\0gh", 5);
  file->externals_length = 5;
  file->binary = 0xfedcba9876543210u;
  file->kind = FINDING_DEADLOCK;
  file->file = "sub/f.c";
  file->line = 31;
  file->pc = 0x1139;
  file->other_pc = UINT64_MAX;
  file->message = "T1 waits\nfor T2";
  for (size_t i = 0; i < sizeof schedule / sizeof *schedule; i++)
    VEC_PUSH(file->moves, schedule[i]);
}

/* Two different events, the second one three times. */
static void add_events(struct errorfile *file) {
  for (size_t i = 0; i < file->moves.size; i++) {
    bool second = i > 1 && i < 5;
    errorfile_add_event(file, second ? 0xfedc : 7, second ? "T1 b\n" : "main a");
  }
}

static void expect_events(const struct errorfile *file) {
  assert_int_equal(file->known.size, 2);
  assert_int_equal(file->known.at[1].key, 0xfedc);
  assert_string_equal(file->known.at[1].words, "T1 b\n");
  assert_int_equal(file->events.size, file->moves.size);
  assert_int_equal(file->events.at[1], 1);
  assert_int_equal(file->events.at[2], 2);
  assert_int_equal(file->events.at[5], 1);
}

static void round_trip(void **state) {
  (void)state;
  struct errorfile a, b;
  make(&a);
  add_events(&a);
  struct text text = errorfile_print(&a);
  assert_null(errorfile_parse(&b, text.at, text.size));
  expect_events(&b);
  assert_string_equal(b.directory, a.directory);
  assert_int_equal(b.build.size, 2);
  assert_string_equal(b.build.at[0].text, a.build.at[0].text);
  assert_false(b.build.at[0].is_file);
  assert_true(b.build.at[1].is_file);
  assert_int_equal(b.arguments.size, 2);
  assert_string_equal(b.arguments.at[0], "");
  assert_string_equal(b.arguments.at[1], "\xff\x01");
  assert_string_equal(b.algorithm, "source");
  assert_memory_equal(&b.options, &a.options, sizeof a.options);
  assert_int_equal(b.externals_length, 5);
  assert_memory_equal(b.externals, a.externals, sizeof a.externals);
  assert_true(b.binary == a.binary);
  assert_int_equal(b.kind, FINDING_DEADLOCK);
  assert_string_equal(b.file, "sub/f.c");
  assert_int_equal(b.line, 31);
  assert_true(b.pc == a.pc && b.other_pc == a.other_pc);
  assert_string_equal(b.message, a.message);
  assert_int_equal(b.moves.size, a.moves.size);
  assert_memory_equal(b.moves.at, schedule, sizeof schedule);
  VEC_FREE(text);
  errorfile_free(&a);
  errorfile_free(&b);
}

static void long_schedule(void **state) {
  (void)state;
  struct errorfile a, b;
  make(&a);
  for (uint32_t i = 0; i < 100000; i++)
    VEC_PUSH(a.moves, (struct move){i % 7 / 3, i % 1000 == 0});
  struct text text = errorfile_print(&a);
  assert_null(errorfile_parse(&b, text.at, text.size));
  assert_int_equal(b.moves.size, a.moves.size);
  assert_memory_equal(b.moves.at, a.moves.at,
                      a.moves.size * sizeof *a.moves.at);
  VEC_FREE(text);
  errorfile_free(&a);
  errorfile_free(&b);
}

/* Copies are exactly as long as they look, so that the sanitizer sees every
 * byte read behind the end. */
static const char *parse_copy(const char *bytes, size_t length) {
  struct errorfile file;
  char *copy = malloc(length ? length : 1);
  memcpy(copy, bytes, length);
  const char *fault = errorfile_parse(&file, copy, length);
  errorfile_free(&file);
  free(copy);
  return fault;
}

static void truncated(void **state) {
  (void)state;
  struct errorfile a;
  make(&a);
  struct text text = errorfile_print(&a);
  for (size_t length = 0; length < text.size; length++)
    if (!parse_copy(text.at, length))
      fail_msg("accepted with %zu of %zu bytes", length, text.size);
  assert_null(parse_copy(text.at, text.size));
  VEC_FREE(text);
  errorfile_free(&a);
}

static void damaged(void **state) {
  (void)state;
  struct errorfile a;
  make(&a);
  struct text text = errorfile_print(&a);
  for (size_t i = 0; i < text.size; i++)
    for (int bit = 0; bit < 8; bit++) {
      text.at[i] ^= (char)(1 << bit);
      /* The case of a hexadecimal digit in the checksum is no damage. */
      bool harmless = i >= text.size - 17 && bit == 5;
      if (!harmless && !parse_copy(text.at, text.size))
        fail_msg("accepted with bit %d of byte %zu flipped", bit, i);
      text.at[i] ^= (char)(1 << bit);
    }
  text_add(&text, "\n", 1);
  assert_non_null(parse_copy(text.at, text.size));
  VEC_FREE(text);
  errorfile_free(&a);
}

static void foreign(void **state) {
  (void)state;
  static const char older[] = "heddle error file 1\nend 0000000000000000\n";
  static const char newer[] = "heddle error file 3\nend 0000000000000000\n";
  static const char *const foreign_files[] = {"",
                                              "\n",
                                              "heddle",
                                              "#!/bin/sh\n",
                                              "heddle error file \n",
                                              "heddle error file x\n"};
  for (size_t i = 0; i < sizeof foreign_files / sizeof *foreign_files; i++)
    assert_string_equal(parse_copy(foreign_files[i], strlen(foreign_files[i])),
                        "this is not an error file of heddle");
  assert_non_null(strstr(parse_copy(older, sizeof older - 1), "version"));
  assert_non_null(strstr(parse_copy(newer, sizeof newer - 1), "version"));
}

static void written_and_read(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-errorfile-XXXXXX";
  struct errorfile a, b;
  close(mkstemp(path));
  make(&a);
  assert_true(errorfile_write(path, &a));
  assert_true(errorfile_read(path, &b));
  assert_string_equal(b.message, a.message);
  errorfile_free(&a);
  errorfile_free(&b);
  unlink(path);
  assert_false(errorfile_read(path, &b));
  assert_false(errorfile_read("/tmp", &b));
  assert_false(errorfile_read("/dev/null", &b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip), cmocka_unit_test(long_schedule),
      cmocka_unit_test(truncated),  cmocka_unit_test(damaged),
      cmocka_unit_test(foreign),    cmocka_unit_test(written_and_read),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}

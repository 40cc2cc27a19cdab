#define _GNU_SOURCE
#include "cli/fuzz_c_run.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/complain.h"
#include "cli/json_read.h"
#include "cli/process.h"
#include "util/ensure.h"

#define HASTY_MS 200    /* a real run takes one or two */
#define PATIENT_MS 9000 /* the machine may have other things to do */
#define REFUSALS_MOST 200

/* ---- building --------------------------------------------------------------
 */

static bool write_source(const struct c_run *run) {
  text_buffer source = {0};
  c_file_print(run->programs, run->count, &source);
  FILE *file = fopen(text("%s/c.c", run->folder), "w");
  bool good = file && fwrite(source.at, 1, source.size, file) == source.size;
  VEC_FREE(source);
  return file && !fclose(file) && good;
}

bool c_run_open(struct c_run *run, const struct c_program *programs,
                unsigned count) {
  *run = (struct c_run){.programs = programs, .count = count};
  run->folder = scratch_open();
  run->refused = calloc(count, sizeof *run->refused);
  ensure(run->refused);
  if (!run->folder || !write_source(run))
    return false;
  char *source = text("%s/c.c", run->folder);
  char *binary = text("%s/c", run->folder);
  char *words[] = {"/proc/self/exe", "cc", "-gline-tables-only",
                   source,           "-o", binary,
                   "-latomic",       NULL};
  return !process_run(words, PROCESS_QUIET, NULL);
}

void c_run_close(struct c_run *run) {
  free(run->refused);
  scratch_close();
}

void c_run_build_real(struct c_run *run, enum c_builder builder) {
  char *source = text("%s/c.c", run->folder);
  char *binary = text("%s/real", run->folder);
  bool clang = builder == CLANG_O0 || builder == CLANG_O2;
  bool optimise = builder == GCC_O2 || builder == CLANG_O2;
  char *words[] = {clang ? "clang" : "gcc",
                   "-pthread",
                   optimise ? "-O2" : "-O0",
                   source,
                   "-o",
                   binary,
                   "-latomic",
                   NULL};
  run->builder = builder;
  run->has_real = !process_run(words, PROCESS_QUIET, NULL);
}

/* An optimising compiler does what it likes with data races, and so does
 * another compiler than ours with bit-fields. */
bool c_run_is_real(const struct c_run *run, unsigned number) {
  const struct c_program *p = &run->programs[number];
  bool gcc = run->builder == GCC_O0 || run->builder == GCC_O2;
  return run->has_real && p->real && !(p->clang && gcc) &&
         (!p->racy || run->builder == CLANG_O0);
}

/* ---- exploring -------------------------------------------------------------
 */

static struct words check_words(const struct c_run *run, unsigned number,
                                const char *const options[]) {
  struct words words = {0};
  words_add_list(&words, "/proc/self/exe", "check", "--keep-going",
                 "--outcomes", "--time-limit=30", "--json=-", NULL);
  words_add(&words, text("--error-file=%s/error", run->folder));
  for (; *options; options++)
    words_add(&words, *options);
  words_add_all(&words, &run->allowed);
  words_add(&words, text("%s/c", run->folder));
  words_add(&words, "--");
  words_add(&words, text("%u", number));
  return words;
}

/* The program that the first name pNUMBER_... in a message belongs to. */
static unsigned program_in(const struct c_run *run, const char *message) {
  for (const char *at = message; (at = strchr(at, 'p')); at++) {
    char *end;
    if (!isdigit((unsigned char)at[1]))
      continue;
    unsigned long number = strtoul(at + 1, &end, 10);
    if (*end == '_' && number < run->count)
      return (unsigned)number;
  }
  return run->count;
}

/* heddle refuses a file as a whole.  The function that it names is allowed, so
 * that the other programs can be checked, and its own never is.  False: the
 * message names none. */
static bool allow_refused(struct c_run *run, unsigned number,
                          const char *const options[]) {
  static const char remedy[] = "--allow-external=";
  char *message = NULL;
  struct words words = check_words(run, number, options);
  process_run(words_argv(&words), PROCESS_KEEP_ALL, &message);
  unsigned named = program_in(run, message);
  const char *option = strstr(message, remedy);
  bool known =
      named < run->count && option && run->allowed.size < REFUSALS_MOST;
  if (known) {
    size_t length = strcspn(option, " \n,;");
    words_add(&run->allowed, text("%.*s", (int)length, option));
    run->refused[named] = true;
  }
  free(message);
  return known;
}

enum c_ran c_run_check(struct c_run *run, unsigned number,
                       const char *const options[], struct c_verdict *v) {
  for (;;) {
    *v = (struct c_verdict){0};
    if (run->refused[number])
      return RAN_REFUSED;
    char *json = NULL;
    struct words words = check_words(run, number, options);
    int code = process_run(words_argv(&words), PROCESS_KEEP, &json);
    bool good = json_read(json, c_verdict_take, v);
    free(json);
    c_verdict_settle(v);
    if (code != EXIT_UNCHECKED)
      return good ? RAN : RAN_WITHOUT_RESULT;
    c_verdict_free(v);
    if (!allow_refused(run, number, options))
      return RAN_REFUSED;
  }
}

/* ---- real threads ----------------------------------------------------------
 */

static char *run_really(const struct c_run *run, unsigned number,
                        unsigned times, uint32_t seed, unsigned limit_ms) {
  char *output = NULL;
  char *words[] = {
      text("%s/real", run->folder), text("%u", number),   text("%u", times),
      text("%u", seed >> 1),        text("%u", limit_ms), NULL};
  process_run(words, PROCESS_KEEP, &output);
  return output;
}

/* Each run's output ends with \1, its status and a newline. */
static bool allows_all(char *output, const struct c_verdict *v,
                       struct c_complaint *c, int *status) {
  for (char *mark; (mark = strchr(output, 1)); output = mark) {
    *mark = 0;
    *status = (int)strtol(mark + 1, &mark, 10);
    mark += *mark == '\n';
    if (!c_verdict_allows(v, output, *status, c))
      return false;
  }
  return true;
}

bool c_run_real(const struct c_run *run, unsigned number, unsigned times,
                uint32_t seed, const struct c_verdict *v,
                struct c_complaint *c) {
  int status = 0;
  char *output = run_really(run, number, times, seed, HASTY_MS);
  bool right = allows_all(output, v, c, &status);
  if (!right && status == 128 + SIGALRM) { /* only slow? */
    free(output);
    output = run_really(run, number, times, seed, PATIENT_MS);
    right = allows_all(output, v, c, &status);
  }
  free(output);
  return right;
}

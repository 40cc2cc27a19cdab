/* Running for real: the program's own server does the runs; see
 * src/real/server.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/complain.h"
#include "host/process.h"
#include "fuzz/real/real_threads.h"
#include "util/ensure.h"

bool real_same(const struct real_result *a, const struct real_result *b) {
  return a->end == b->end && a->code == b->code && a->asserted == b->asserted &&
         !strcmp(a->output, b->output);
}

static struct real_result *find(struct real_set *set,
                                const struct real_result *wanted) {
  for (size_t i = 0; i < set->results.size; i++)
    if (real_same(&set->results.at[i], wanted))
      return &set->results.at[i];
  return NULL;
}

/* Takes the output over.  What a run printed before it failed is no outcome. */
static void add(struct real_set *set, const struct real_record *record,
                char *output) {
  struct real_result new = {.end = (enum real_end)record->end,
                            .code = record->code,
                            .asserted = record->marks & REAL_ASSERTED,
                            .output = output};
  if (new.end != REAL_EXIT)
    output[0] = 0;
  struct real_result *known = find(set, &new);
  if (known) {
    free(output);
  } else {
    VEC_PUSH(set->results, new);
    known = &VEC_TOP(set->results);
  }
  known->count++;
  known->alone += !!(record->marks & REAL_ALONE);
}

static bool read_one(FILE *file, struct real_set *set) {
  struct real_record record;
  if (fread(&record, sizeof record, 1, file) != 1)
    return false;
  char *output = calloc(record.length + 1, 1);
  ensure(output);
  if (fread(output, 1, record.length, file) != record.length) {
    free(output);
    return false;
  }
  set->runs++;
  set->blocks = set->blocks || (record.marks & REAL_BLOCKS);
  if (record.marks & REAL_ASSUMED) {
    set->assumed++;
    free(output);
  } else {
    add(set, &record, output);
  }
  return true;
}

static bool read_results(const char *path, struct real_set *set) {
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  while (read_one(file, set))
    continue;
  fclose(file);
  return true;
}

bool real_run(const char *binary, char *const arguments[], const char *folder,
              const struct real_plan *plan, struct real_set *set) {
  struct word_list words = {0};
  char *results = text_format("%s/results", folder);
  unlink(results);
  word_list_add(&words, binary);
  for (; *arguments; arguments++)
    word_list_add(&words, *arguments);
  setenv(REAL_ENV,
         text_format(REAL_PLAN_FORMAT "%s", plan->runs,
                     (unsigned long long)plan->seed, plan->patience,
                     plan->hangs, plan->seconds, plan->alone, results),
         1);
  int code = process_run(word_list_argv(&words), PROCESS_QUIET, NULL);
  unsetenv(REAL_ENV);
  if (!code && read_results(results, set))
    return true;
  complain("%s: cannot be run (exit code %d)", binary, code);
  return false;
}

void real_set_free(struct real_set *set) {
  for (size_t i = 0; i < set->results.size; i++)
    free(set->results.at[i].output);
  VEC_FREE(set->results);
}

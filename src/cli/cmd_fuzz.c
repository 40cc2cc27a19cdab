/* heddle fuzz: judges the algorithms by random programs. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/fuzz_options.h"
#include "host/complain.h"
#include "host/file.h"
#include "fuzz/model/emit.h"
#include "util/ensure.h"

struct fuzz_job {
  struct fuzz_options options;
  struct campaign_plan plan;
};

/* ---- failures -------------------------------------------------------------
 */

static void print_failure(FILE *to, const struct fuzz_job *f, uint64_t index,
                          const char *profile, const char *message,
                          const struct program *g) {
  fprintf(to, "# %s\n", message);
  fprintf(to, "# found by: heddle fuzz --seed %" PRIu64 " --index %" PRIu64,
          f->plan.seed, index);
  if (f->options.profiles)
    fprintf(to, " --profile %s", f->options.profiles);
  fprintf(to, "%s%s%s%s (%s)\n", f->options.as_printed ? " --as-printed" : "",
          f->plan.native ? " --native 1" : "",
          f->options.algorithms ? " --algo " : "",
          f->options.algorithms ? f->options.algorithms : "", profile);
  program_print_file(g, to);
}

static void save_failure(const struct fuzz_job *f, uint64_t index,
                         const char *profile, const char *message,
                         const struct program *g) {
  char *path;
  ensure(asprintf(&path, "%s/fuzz-%" PRIu64 "-%" PRIu64 ".model",
                  f->options.save, f->plan.seed, index) >= 0);
  FILE *file = fopen(path, "w");
  if (file)
    print_failure(file, f, index, profile, message, g);
  if (file && !fclose(file))
    printf("# show it again: heddle fuzz%s%s %s\n",
           f->options.as_printed ? " --as-printed" : "",
           f->plan.native ? " --native 1" : "", path);
  else
    complain("%s: %s", path, strerror(errno));
  free(path);
}

static void failure(void *context, uint64_t index) {
  const struct fuzz_job *f = context;
  struct program g = {0};
  char message[256];
  const char *profile = campaign_make(&f->plan, index, &g);
  if (campaign_test(&f->plan, &g, message) == COMPARED_WRONG) {
    campaign_shrink(&f->plan, &g);
    campaign_test(&f->plan, &g, message);
  } else {
    snprintf(message, sizeof message, "fails only after other programs");
  }
  printf("\n");
  print_failure(stdout, f, index, profile, message, &g);
  save_failure(f, index, profile, message, &g);
  fflush(stdout);
  program_free(&g);
}

/* ---- given programs -------------------------------------------------------
 */

static int emit_program(const struct program *g) {
  struct emitted emitted = {0};
  program_emit(g, &emitted);
  fwrite(emitted.text.at, 1, emitted.text.size, stdout);
  emitted_free(&emitted);
  return EXIT_SAFE;
}

static int check_program(const struct fuzz_job *f, const char *name,
                         struct program *g) {
  char message[256];
  if (f->options.emit)
    return emit_program(g);
  enum compared compared = campaign_test(&f->plan, g, message);
  if (compared != COMPARED_WRONG) {
    printf("%s: %s\n", name,
           compared == COMPARED_EQUAL ? "right" : "too large to be judged");
    return EXIT_SAFE;
  }
  printf("%s: %s\n", name, message);
  campaign_shrink(&f->plan, g);
  program_print_file(g, stdout);
  return EXIT_ERROR;
}

static int check_file(const struct fuzz_job *f, const char *path) {
  size_t length;
  struct program g = {0};
  struct model_error error;
  char *text = file_read_any(path, &length);
  if (!text)
    return complain("%s: %s", path, strerror(errno));
  int code = EXIT_UNCHECKED;
  if (program_parse(&g, path, text, length, &error))
    code = check_program(f, path, &g);
  else
    fprintf(stderr, "%s:%u:%u: %s\n", path, error.line, error.column,
            error.message);
  free(text);
  program_free(&g);
  return code;
}

static int check_index(const struct fuzz_job *f) {
  struct program g = {0};
  char name[64];
  const char *profile = campaign_make(&f->plan, f->options.index, &g);
  snprintf(name, sizeof name, "%" PRIu64 " (%s)", f->options.index, profile);
  if (f->options.print)
    program_print_file(&g, stdout);
  int code = check_program(f, name, &g);
  program_free(&g);
  return code;
}

/* ---- the command ----------------------------------------------------------
 */

static int check_random(struct fuzz_job *f) {
  struct campaign_totals t = {0};
  printf("seed %" PRIu64 ":", f->plan.seed);
  for (unsigned i = 0; i < f->plan.demand_count; i++)
    printf(" %s", f->plan.demands[i].algorithm->name);
  printf("\n");
  campaign_run(&f->plan, &t, failure, f);
  printf("%" PRIu64 " programs in %.1f s (%.0f a minute), %" PRIu64
         " too large; %" PRIu64 " traces, %" PRIu64 " executions, %" PRIu64
         " blocked; %" PRIu64 " checked natively; %u wrong\n",
         t.programs, t.seconds, (double)t.programs / t.seconds * 60, t.skipped,
         t.traces, t.executions, t.blocked, t.natives, t.failures);
  return t.failures ? EXIT_ERROR : EXIT_SAFE;
}

static int check_c(const struct fuzz_options *o) {
  struct c_campaign_plan plan;
  return fuzz_options_c_plan(o, &plan) ? c_campaign_run(&plan) : EXIT_UNCHECKED;
}

static int check_files(const struct fuzz_job *f) {
  int code = EXIT_SAFE;
  for (size_t i = 0; i < f->options.files.size; i++) {
    int one = check_file(f, f->options.files.at[i]);
    code = one > code ? one : code;
  }
  return code;
}

static int check_models(struct fuzz_job *f) {
  if (!fuzz_options_plan(&f->options, &f->plan))
    return EXIT_UNCHECKED;
  if (f->options.index != UINT64_MAX)
    return check_index(f);
  return f->options.files.size ? check_files(f) : check_random(f);
}

int cmd_fuzz(char **argv) {
  struct fuzz_job f;
  if (!fuzz_options_parse(&f.options, argv))
    return EXIT_UNCHECKED;
  int code = f.options.help ? fuzz_help(stdout)
             : f.options.c  ? check_c(&f.options)
                            : check_models(&f);
  VEC_FREE(f.options.files);
  return fflush(stdout) ? EXIT_UNCHECKED : code;
}

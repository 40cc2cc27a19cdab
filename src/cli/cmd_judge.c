/* heddle judge: what real threads do must be among what heddle lists. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/command.h"
#include "host/complain.h"
#include "cli/judge_options.h"
#include "cli/judge_report.h"
#include "host/process.h"
#include "fuzz/real/claims.h"
#include "fuzz/real/home.h"
#include "fuzz/real/real_threads.h"

/* A run that may hang is soon given up.  Where a hang would be news, it must
 * be beyond doubt. */
enum {
  PATIENCE_SHORT = 20,
  HANGS_SHORT = 20,
  PATIENCE_LONG = 2000,
  HANGS_LONG = 1,
};

struct judge_job {
  struct judge_options options;
  struct claims claims;
  const char *folder;
  char *binary;
  time_t deadline;
  unsigned binaries; /* still to be run */
  struct judge_result result;
};

static bool hang_is_news(const struct judge_job *j) {
  const struct claims *claims = &j->claims;
  return !claims_have(claims, FINDING_DEADLOCK) &&
         !claims_have(claims, FINDING_LIVELOCK) &&
         (!claims_undefined(claims) || j->options.strict);
}

/* The runs of one binary get their part of the time that is left. */
static struct real_plan plan_runs(const struct judge_job *j) {
  bool news = hang_is_news(j);
  time_t left = j->deadline - time(NULL);
  time_t part = left > 0 ? left / (time_t)j->binaries : 0;
  return (struct real_plan){.runs = (unsigned)j->options.runs,
                            .seed = j->options.seed,
                            .patience = news ? PATIENCE_LONG : PATIENCE_SHORT,
                            .hangs = news ? HANGS_LONG : HANGS_SHORT,
                            .seconds = part > 0 ? (unsigned)part : 1,
                            .alone = j->options.sequential};
}

static void compare(struct judge_job *j, const char *compiler,
                    const struct real_set *set) {
  bool demanded =
      j->options.strict || (!claims_undefined(&j->claims) && !set->blocks);
  j->result.runs += set->runs;
  j->result.assumed += set->assumed;
  for (size_t i = 0; i < set->results.size; i++)
    if (!claims_allow(&j->claims, &set->results.at[i]))
      judge_result_add(&j->result, compiler, set, &set->results.at[i],
                       demanded);
}

static bool build(const struct judge_job *j, const char *compiler) {
  struct real_build build = {.program = {.at = j->options.check.build.at,
                                         .size = j->options.check.build.size},
                             .folder = j->folder,
                             .messages = PROCESS_QUIET};
  word_list_split(&build.compiler, compiler, ' ');
  return !real_build(&build, j->binary);
}

/* False: it cannot be run. */
static bool judge_binary(struct judge_job *j, const char *compiler) {
  struct real_set set = {0};
  struct real_plan plan = plan_runs(j);
  if (!build(j, compiler)) {
    word_list_add(&j->result.not_built, compiler);
    return true;
  }
  word_list_add(&j->result.built, compiler);
  bool good =
      real_run(j->binary, j->options.check.arguments, j->folder, &plan, &set);
  if (good)
    compare(j, compiler, &set);
  real_set_free(&set);
  return good;
}

static int judge_all(struct judge_job *j) {
  const struct word_list *compilers = &j->options.compilers;
  j->deadline = time(NULL) + (time_t)j->options.seconds;
  for (size_t i = 0; i < compilers->size; i++) {
    j->binaries = (unsigned)(compilers->size - i);
    if (!judge_binary(j, compilers->at[i]))
      return EXIT_UNCHECKED;
  }
  if (!j->result.built.size)
    return complain("judge: no compiler builds the program; see what %s says",
                    compilers->at[0]);
  j->result.outcomes = j->claims.outcomes.size;
  j->result.seen = claims_seen(&j->claims);
  judge_report(&j->options, &j->result);
  return judge_result_wrong(&j->result) ? EXIT_ERROR : EXIT_SAFE;
}

/* ---- what heddle says -----------------------------------------------------
 */

static int judge_program(struct judge_job *j) {
  int code = claims_check(&j->claims, &j->options.check_words, j->folder,
                          PROCESS_COLLECT);
  if (code > EXIT_ERROR && code != EXIT_INCOMPLETE)
    return complain("judge: the check has no result (exit code %d)", code);
  if (claims_have(&j->claims, FINDING_NONDETERMINISM))
    return complain("judge: the program is not deterministic under heddle; "
                    "nothing can be demanded");
  if (!j->claims.complete) {
    printf("INCOMPLETE: the check has not seen everything: %s\n",
           j->claims.limit ? j->claims.limit : "a limit was reached");
    return EXIT_INCOMPLETE;
  }
  return judge_all(j);
}

static int judge(struct judge_job *j) {
  if (!home_found())
    return EXIT_UNCHECKED;
  j->folder = scratch_open();
  if (!j->folder)
    return EXIT_UNCHECKED;
  const char *file = j->options.check.files.at[0];
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  j->binary = text_format("%s/%.*s", j->folder, (int)strcspn(name, "."), name);
  int code = judge_program(j);
  scratch_close();
  return code;
}

int cmd_judge(char **argv) {
  struct judge_job j = {0};
  int code = EXIT_UNCHECKED;
  if (judge_options_parse(&j.options, argv))
    code = j.options.help ? judge_help(stdout) : judge(&j);
  claims_free(&j.claims);
  judge_result_free(&j.result);
  judge_options_free(&j.options);
  return fflush(stdout) ? EXIT_UNCHECKED : code;
}

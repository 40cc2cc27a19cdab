#define _GNU_SOURCE
#include "cli/fuzz_options.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/algorithm_names.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "explore/algorithms.h"
#include "fuzz/c/pieces.h"
#include "fuzz/model/compare_native.h"
#include "host/complain.h"
#include "util/ensure.h"
#include "util/rng.h"

#define SETTINGS_OF struct fuzz_options

static const struct setting rows[] = {
#include "host/setting_rows.h"
#include "cli/fuzz_options.def"
};

const struct setting_list fuzz_settings = {rows, sizeof rows / sizeof *rows};

#define JOBS_MOST 64

int fuzz_help(FILE *to) {
  fputs("usage: heddle fuzz [options]                  random programs\n"
        "       heddle fuzz [options] FILE.model ...   these programs\n"
        "       heddle fuzz --c [options]              random C programs\n\n"
        "Runs each program with every algorithm and compares what they find "
        "with\neverything that the program can do: traces, outcomes, failed "
        "assertions,\ndeadlocks, counts.  A program on which an algorithm is "
        "wrong is made as\nsmall as possible, printed, and saved.\n\n"
        "With --c the programs are C as people write it: structs, bit-fields, "
        "atomics,\nlocks, the heap, the C library.  What the algorithms find "
        "is compared with naive,\nand what real threads do with what heddle "
        "finds.  Options of models do not count\nthere: --algo, --as-printed, "
        "--profile, --verify, --native.\n\noptions:\n",
        to);
  help_options(to, &fuzz_settings);
  fputs("\nexit codes:\n"
        "  0  nothing is wrong\n"
        "  1  something is wrong\n"
        "  2  usage\n",
        to);
  return ferror(to) ? EXIT_UNCHECKED : EXIT_SAFE;
}

/* ---- words ----------------------------------------------------------------
 */

static void set_defaults(struct fuzz_options *o) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  memset(o, 0, sizeof *o);
  settings_default(&fuzz_settings, o);
  o->seed = rng_mix((uint64_t)time(NULL) ^ ((uint64_t)getpid() << 32)) >> 32;
  o->jobs = processors > 0 ? (uint64_t)processors : 1;
  o->save = ".";
}

bool fuzz_options_parse(struct fuzz_options *o, char **argv) {
  const struct option_group own = {&fuzz_settings, o};
  struct command_line line = {"fuzz", argv + 1};
  set_defaults(o);
  while (*line.at) {
    char *word = command_line_next(&line);
    if (!starts_with(word, "--"))
      word_list_add(&o->files, word);
    else if (!option_take(&line, word, &own, 1))
      return false;
  }
  if (o->as_printed && o->native) {
    complain("fuzz: --as-printed: there is nothing to compare with --native");
    return false;
  }
  return true;
}

/* ---- algorithms -----------------------------------------------------------
 */

/* What is tried of quasi=K if nothing else is asked for; natively, where an
 * algorithm takes a second, only the last. */
static const char *const quasi[] = {"quasi=1", "quasi=3", "quasi=4", "quasi=2"};

#define QUASIS (sizeof quasi / sizeof *quasi)

/* False: nothing is demanded of an algorithm of that name. */
static bool add_algorithm(struct campaign_plan *plan, const char *name,
                          bool as_printed) {
  const struct algorithm *algorithm = algorithm_find(name, as_printed);
  struct demand demand;
  if (!algorithm || !demand_for(algorithm, &demand))
    return false;
  ensure(plan->demand_count < CAMPAIGN_DEMANDS);
  plan->demands[plan->demand_count++] = demand;
  return true;
}

static void add_all_algorithms(const struct fuzz_options *o,
                               struct campaign_plan *plan) {
  if (o->as_printed) {
    for (size_t i = 0; i < printed_name_count; i++)
      add_algorithm(plan, printed_names[i].name, true);
    return;
  }
  for (size_t i = 0; i < algorithm_name_count; i++)
    add_algorithm(plan, algorithm_names[i].name, false);
  for (size_t i = o->native ? QUASIS - 1 : 0; i < QUASIS; i++)
    add_algorithm(plan, quasi[i], false);
}

static bool add_algorithms(const struct fuzz_options *o,
                           struct campaign_plan *plan) {
  struct word_list names = {0};
  word_list_split(&names, o->algorithms, ',');
  for (size_t i = 0; i < names.size; i++)
    if (!add_algorithm(plan, names.at[i], o->as_printed)) {
      complain("--algo %s: %s", names.at[i],
               algorithm_find(names.at[i], o->as_printed)
                   ? "nothing is known about its counts"
                   : "there is no such algorithm");
      return false;
    }
  return true;
}

/* ---- profiles and pieces --------------------------------------------------
 */

static bool complain_profiles(void) {
  fprintf(stderr, "heddle: --profile is one of");
  for (unsigned i = 0; i < generate_profile_count; i++)
    fprintf(stderr, " %s", generate_profiles[i].name);
  fprintf(stderr, "\n");
  return false;
}

/* Program number i of a seed depends on the whole list. */
static bool add_profiles(const struct fuzz_options *o,
                         struct campaign_plan *plan) {
  struct word_list names = {0};
  word_list_split(&names, o->profiles, ',');
  if (names.size > CAMPAIGN_PROFILES) {
    complain("--profile: more than %d of them", CAMPAIGN_PROFILES);
    return false;
  }
  for (size_t i = 0; i < names.size; i++) {
    const struct knobs *profile = generate_profile(names.at[i]);
    if (!profile)
      return complain_profiles();
    plan->profiles[plan->profile_count++] = profile;
  }
  return true;
}

static bool is_piece(const char *name) {
  for (unsigned i = 0; i < piece_count; i++)
    if (!strcmp(pieces[i].name, name))
      return true;
  return false;
}

/* False, with a message that names them all: the list has no piece. */
static bool know_pieces(const char *list) {
  struct word_list names = {0};
  word_list_split(&names, list, ',');
  for (size_t i = 0; i < names.size; i++)
    if (is_piece(names.at[i]))
      return true;
  fprintf(stderr, "heddle: --pieces is some of");
  for (unsigned i = 0; i < piece_count; i++)
    fprintf(stderr, " %s", pieces[i].name);
  fprintf(stderr, "\n");
  return false;
}

/* ---- plans ----------------------------------------------------------------
 */

static unsigned at_most(uint64_t number, unsigned most) {
  return number < most ? (unsigned)number : most;
}

bool fuzz_options_plan(const struct fuzz_options *o,
                       struct campaign_plan *plan) {
  *plan = (struct campaign_plan){.seed = o->seed,
                                 .seconds = (double)o->seconds,
                                 .programs = o->programs,
                                 .failures = at_most(o->failures, UINT32_MAX),
                                 .jobs = at_most(o->jobs, JOBS_MOST),
                                 .verify = o->verify,
                                 .native = o->native,
                                 .native_check = compare_native};
  if (!o->algorithms)
    add_all_algorithms(o, plan);
  return (!o->algorithms || add_algorithms(o, plan)) &&
         (!o->profiles || add_profiles(o, plan));
}

bool fuzz_options_c_plan(const struct fuzz_options *o,
                         struct c_campaign_plan *plan) {
  *plan = (struct c_campaign_plan){.seed = o->seed,
                                   .index = o->index,
                                   .programs = o->programs,
                                   .seconds = (double)o->seconds,
                                   .jobs = at_most(o->jobs, JOBS_MOST),
                                   .failures = at_most(o->failures, UINT32_MAX),
                                   .save = o->save,
                                   .pieces = o->pieces,
                                   .without = o->without,
                                   .print = o->print,
                                   .emit = o->emit};
  return !o->pieces || know_pieces(o->pieces);
}

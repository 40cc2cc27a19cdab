/* heddle fuzz: judges the algorithms by random programs. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/fuzz_c.h"
#include "cli/fuzz_native.h"
#include "cli/number.h"
#include "explore/algorithms.h"
#include "run/local_fuzz.h"
#include "system/model/emit.h"
#include "util/ensure.h"

static const char usage[] =
    "heddle fuzz [options]              random programs\n"
    "heddle fuzz [options] FILE.model ...   these programs\n"
    "heddle fuzz --c [options]              random C programs\n"
    "\n"
    "Runs each program with every algorithm and compares what they find with\n"
    "everything that the program can do: traces, outcomes, failed assertions,\n"
    "deadlocks, counts.  A program on which an algorithm is wrong is made as\n"
    "small as possible, printed, and saved.\n"
    "\n"
    "  --seconds N      how long (default 60)\n"
    "  --programs N     how many at most\n"
    "  --seed N         which random programs (default: another one each "
    "time)\n"
    "  --index N        only program number N of that seed\n"
    "  --algo A,B,...   these algorithms (default: all whose counts are "
    "known)\n"
    "  --as-printed     the algorithms as their papers print them: they may "
    "lose\n"
    "                   executions, but must end, and invent nothing\n"
    "  --profile A,B,...   programs of these kinds (--profile help lists "
    "them;\n"
    "                   those called halves are taken only if they are named)\n"
    "  --jobs N         processes (default: one for each processor)\n"
    "  --failures N     end after so many failures (default 5)\n"
    "  --verify N       verify the model's claims in every N-th program "
    "(default 16,\n"
    "                   0: in none)\n"
    "  --save DIR       where failing programs go (default: here)\n"
    "  --print          print the program of --index\n"
    "  --native N       every N-th program is also emitted as C, compiled and\n"
    "                   checked natively: the same must be found (1: all)\n"
    "  --emit           only print the programs given, or that of --index, as\n"
    "                   C with threads\n"
    "\n"
    "With --c the programs are C as people write it: structs, bit-fields,\n"
    "atomics, locks, the heap, the C library.  What the algorithms find is\n"
    "compared with naive, and what real threads do with what heddle finds.\n"
    "Options: --seconds, --programs, --seed, --index, --jobs, --failures,\n"
    "--save, --print, --emit, and\n"
    "\n"
    "  --pieces A,B,...    programs of these pieces only (--pieces help lists\n"
    "                   them)\n"
    "  --without A,B,...   without these pieces, places, guards, kinds of "
    "thread,\n"
    "                   \"races\", \"if\" or \"for\"\n"
    "\n"
    "Exit code: 0 nothing wrong, 1 something is, 2 usage.\n";

#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct fuzz {
  struct fuzz_plan plan;
  const char *algorithms; /* as given, or NULL */
  const char *profiles;   /* likewise */
  const char *save;
  uint64_t index; /* UINT64_MAX: all */
  bool as_printed;
  bool print;
  bool emit;
  bool help;
  bool c;             /* random C programs */
  const char *pieces; /* for these */
  const char *without;
};

/* ---- the command line -----------------------------------------------------
 */

/* Takes the names of a list A,B,... one by one. */
static bool each_name(struct fuzz *f, const char *list,
                      bool (*take)(struct fuzz *, const char *)) {
  char *copy = strdup(list), *rest = copy, *name;
  ensure(copy);
  bool good = true;
  while (good && (name = strsep(&rest, ",")))
    good = take(f, name);
  free(copy);
  return good;
}

/* What is tried of quasi=K if nothing else is asked for; natively, where an
 * algorithm takes a second, only the last. */
static const char *const quasi[] = {"quasi=1", "quasi=3", "quasi=4", "quasi=2"};

static bool add_algorithm(struct fuzz *f, const char *name, bool asked) {
  const struct algorithm *algorithm = algorithm_find(name, f->as_printed);
  struct demand demand;
  if (!algorithm || !demand_for(algorithm, &demand)) {
    if (asked)
      complain("--algo %s: %s", name,
               algorithm ? "nothing is known about its counts"
                         : "there is no such algorithm");
    return !asked;
  }
  ensure(f->plan.demand_count < FUZZ_DEMANDS);
  f->plan.demands[f->plan.demand_count++] = demand;
  return true;
}

static bool add_asked(struct fuzz *f, const char *name) {
  return add_algorithm(f, name, true);
}

static bool take_algorithms(struct fuzz *f, const char *list) {
  static const char *const built[] = {
#define ALGORITHM(id, name, help) name,
#define PRINTED(id, name, help)
#include "explore/algorithms.def"
#undef PRINTED
#undef ALGORITHM
  };
  static const char *const printed[] = {
#define ALGORITHM(id, name, help)
#define PRINTED(id, name, help) name,
#include "explore/algorithms.def"
#undef PRINTED
#undef ALGORITHM
  };
  for (size_t i = 0; !list && f->as_printed && i < LENGTH(printed); i++)
    add_algorithm(f, printed[i], false);
  for (size_t i = 0; !list && !f->as_printed && i < LENGTH(built); i++)
    add_algorithm(f, built[i], false);
  size_t first = f->plan.native ? LENGTH(quasi) - 1 : 0;
  for (size_t i = first; !list && !f->as_printed && i < LENGTH(quasi); i++)
    add_algorithm(f, quasi[i], false);
  return !list || each_name(f, list, add_asked);
}

static bool add_profile(struct fuzz *f, const char *name) {
  const struct knobs *profile = generate_profile(name);
  if (profile && f->plan.profile_count < FUZZ_PROFILES) {
    f->plan.profiles[f->plan.profile_count++] = profile;
    return true;
  }
  if (profile) {
    complain("--profile: more than %d of them", FUZZ_PROFILES);
    return false;
  }
  fprintf(stderr, "heddle: --profile is one of");
  for (unsigned i = 0; i < generate_profile_count; i++)
    fprintf(stderr, " %s", generate_profiles[i].name);
  fprintf(stderr, "\n");
  return false;
}

/* The list counts as a whole: program number i of a seed is another one if the
 * list is. */
static bool take_profiles(struct fuzz *f, const char *list) {
  f->profiles = list;
  f->plan.profile_count = 0;
  return each_name(f, list, add_profile);
}

static bool set_option(struct fuzz *f, const char *name, const char *value) {
  uint64_t number = 0;
  if (!strcmp(name, "algo"))
    f->algorithms = value;
  else if (!strcmp(name, "save"))
    f->save = value;
  else if (!strcmp(name, "pieces"))
    f->pieces = value;
  else if (!strcmp(name, "without"))
    f->without = value;
  else if (!strcmp(name, "profile"))
    return take_profiles(f, value);
  else if (!strcmp(name, "seed"))
    return take_number(name, value, 0, &f->plan.seed);
  else if (!strcmp(name, "index"))
    return take_number(name, value, 0, &f->index);
  else if (!strcmp(name, "verify"))
    return take_number(name, value, 0, &f->plan.verify);
  else if (!strcmp(name, "programs"))
    return take_number(name, value, 1, &f->plan.programs);
  else if (!strcmp(name, "native"))
    return take_number(name, value, 1, &f->plan.native);
  else if (!take_number(name, value, 1, &number))
    return false;
  else if (!strcmp(name, "seconds"))
    f->plan.seconds = (double)number;
  else if (!strcmp(name, "jobs"))
    f->plan.jobs = number > 64 ? 64 : (unsigned)number;
  else
    f->plan.failures = number > UINT32_MAX ? UINT32_MAX : (unsigned)number;
  return true;
}

static bool is_option(const char *name) {
  static const char *const names[] = {
      "seconds",  "programs", "seed",   "index",  "algo",   "profile", "jobs",
      "failures", "save",     "verify", "native", "pieces", "without"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i]))
      return true;
  return false;
}

/* One option with its value, "--name value" or "--name=value"; how many words
 * it took, 0 after a message. */
static int take_option(struct fuzz *f, int argc, char **argv, int i) {
  char name[32];
  const char *value = strchr(argv[i], '=');
  size_t length = value ? (size_t)(value - argv[i]) : strlen(argv[i]);
  snprintf(name, sizeof name, "%.*s", (int)length - 2, argv[i] + 2);
  bool *flag = !strcmp(name, "help")         ? &f->help
               : !strcmp(name, "print")      ? &f->print
               : !strcmp(name, "emit")       ? &f->emit
               : !strcmp(name, "c")          ? &f->c
               : !strcmp(name, "as-printed") ? &f->as_printed
                                             : NULL;
  if (flag && !value) {
    *flag = true;
    return 1;
  }
  if (!is_option(name)) {
    complain("fuzz: unknown option '%s'; see heddle fuzz --help", argv[i]);
    return 0;
  }
  if (!value && i + 1 == argc) {
    complain("fuzz: --%s needs a value", name);
    return 0;
  }
  if (!set_option(f, name, value ? value + 1 : argv[i + 1]))
    return 0;
  return value ? 1 : 2;
}

/* Files come to the front of argv; their number, or -1. */
static int take_options(struct fuzz *f, int argc, char **argv) {
  int files = 0;
  for (int i = 1; i < argc;) {
    int words = 1;
    if (!strncmp(argv[i], "--", 2))
      words = take_option(f, argc, argv, i);
    else
      argv[files++] = argv[i];
    if (!words)
      return -1;
    i += words;
  }
  return take_algorithms(f, f->algorithms) ? files : -1;
}

/* ---- failures -------------------------------------------------------------
 */

static void print_failure(FILE *to, const struct fuzz *f, uint64_t index,
                          const char *profile, const char *message,
                          const struct program *g) {
  fprintf(to, "# %s\n", message);
  fprintf(to, "# found by: heddle fuzz --seed %" PRIu64 " --index %" PRIu64,
          f->plan.seed, index);
  if (f->profiles)
    fprintf(to, " --profile %s", f->profiles);
  fprintf(to, "%s%s%s%s (%s)\n", f->as_printed ? " --as-printed" : "",
          f->plan.native ? " --native 1" : "", f->algorithms ? " --algo " : "",
          f->algorithms ? f->algorithms : "", profile);
  program_print_file(g, to);
}

static void save_failure(const struct fuzz *f, uint64_t index,
                         const char *profile, const char *message,
                         const struct program *g) {
  char *path;
  ensure(asprintf(&path, "%s/fuzz-%" PRIu64 "-%" PRIu64 ".model", f->save,
                  f->plan.seed, index) >= 0);
  FILE *file = fopen(path, "w");
  if (file)
    print_failure(file, f, index, profile, message, g);
  if (file && !fclose(file))
    printf("# show it again: heddle fuzz%s%s %s\n",
           f->as_printed ? " --as-printed" : "",
           f->plan.native ? " --native 1" : "", path);
  else
    complain("%s: %s", path, strerror(errno));
  free(path);
}

static void failure(void *context, uint64_t index) {
  const struct fuzz *f = context;
  struct program g = {0};
  char message[256];
  const char *profile = fuzz_make(&f->plan, index, &g);
  if (fuzz_test(&f->plan, &g, message) == COMPARED_WRONG) {
    fuzz_shrink(&f->plan, &g);
    fuzz_test(&f->plan, &g, message);
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

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "r");
  VEC(char) text = {0};
  if (!file) {
    complain("%s: %s", path, strerror(errno));
    return NULL;
  }
  size_t got;
  do {
    VEC_RESERVE(text, 65536);
    got = fread(text.at + text.size, 1, 65536, file);
    text.size += got;
  } while (got);
  fclose(file);
  *length = text.size;
  return text.at;
}

static int emit_program(const struct program *g) {
  struct emitted emitted = {0};
  program_emit(g, &emitted);
  fwrite(emitted.text.at, 1, emitted.text.size, stdout);
  emitted_free(&emitted);
  return EXIT_SAFE;
}

static int check_program(const struct fuzz *f, const char *name,
                         struct program *g) {
  char message[256];
  if (f->emit)
    return emit_program(g);
  enum compared compared = fuzz_test(&f->plan, g, message);
  if (compared != COMPARED_WRONG) {
    printf("%s: %s\n", name,
           compared == COMPARED_EQUAL ? "right" : "too large to be judged");
    return EXIT_SAFE;
  }
  printf("%s: %s\n", name, message);
  fuzz_shrink(&f->plan, g);
  program_print_file(g, stdout);
  return EXIT_ERROR;
}

static int check_file(const struct fuzz *f, const char *path) {
  size_t length;
  struct program g = {0};
  struct model_error error;
  char *text = read_file(path, &length);
  if (!text)
    return EXIT_UNCHECKED;
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

static int check_index(const struct fuzz *f) {
  struct program g = {0};
  char name[64];
  const char *profile = fuzz_make(&f->plan, f->index, &g);
  snprintf(name, sizeof name, "%" PRIu64 " (%s)", f->index, profile);
  if (f->print)
    program_print_file(&g, stdout);
  int code = check_program(f, name, &g);
  program_free(&g);
  return code;
}

/* ---- the command ----------------------------------------------------------
 */

static int check_random(struct fuzz *f) {
  struct fuzz_totals t = {0};
  printf("seed %" PRIu64 ":", f->plan.seed);
  for (unsigned i = 0; i < f->plan.demand_count; i++)
    printf(" %s", f->plan.demands[i].algorithm->name);
  printf("\n");
  fuzz_run(&f->plan, &t, failure, f);
  printf("%" PRIu64 " programs in %.1f s (%.0f a minute), %" PRIu64
         " too large; %" PRIu64 " traces, %" PRIu64 " executions, %" PRIu64
         " blocked; %" PRIu64 " checked natively; %u wrong\n",
         t.programs, t.seconds, (double)t.programs / t.seconds * 60, t.skipped,
         t.traces, t.executions, t.blocked, t.natives, t.failures);
  return t.failures ? EXIT_ERROR : EXIT_SAFE;
}

static struct fuzz defaults(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return (struct fuzz){
      .plan = {.seed =
                   rng_mix((uint64_t)time(NULL) ^ ((uint64_t)getpid() << 32)) >>
                   32,
               .seconds = 60,
               .programs = UINT64_MAX,
               .failures = 5,
               .native_check = native_check,
               .verify = 16,
               .jobs = processors > 0 ? (unsigned)processors : 1},
      .save = ".",
      .index = UINT64_MAX};
}

static int check_c(const struct fuzz *f) {
  struct fuzz_c_plan plan = {.seed = f->plan.seed,
                             .index = f->index,
                             .programs = f->plan.programs,
                             .seconds = f->plan.seconds,
                             .jobs = f->plan.jobs,
                             .failures = f->plan.failures,
                             .save = f->save,
                             .pieces = f->pieces,
                             .without = f->without,
                             .print = f->print,
                             .emit = f->emit};
  return fuzz_c(&plan);
}

int cmd_fuzz(int argc, char **argv) {
  struct fuzz f = defaults();
  int files = take_options(&f, argc, argv), code = EXIT_SAFE;
  if (files < 0)
    return EXIT_UNCHECKED;
  if (f.as_printed && f.plan.native) {
    complain("fuzz: --as-printed: there is nothing to compare with --native");
    return EXIT_UNCHECKED;
  }
  if (f.help)
    fputs(usage, stdout);
  else if (f.c)
    code = check_c(&f);
  else if (f.index != UINT64_MAX)
    code = check_index(&f);
  else if (!files)
    code = check_random(&f);
  for (int i = 0; i < files && !f.help && !f.c; i++) {
    int one = check_file(&f, argv[i]);
    code = one > code ? one : code;
  }
  return fflush(stdout) ? EXIT_UNCHECKED : code;
}

#define _GNU_SOURCE
#include "fuzz/c/c_campaign.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/complain.h"
#include "fuzz/c/c_judge.h"
#include "fuzz/c/c_run.h"
#include "fuzz/c/c_generate.h"
#include "fuzz/c/c_shrink.h"
#include "fuzz/c/pieces.h"
#include "util/ensure.h"

#define BATCH 100      /* programs in a file: compiling the headers is dear */
#define FIRST_BATCH 20 /* ... the first files are done sooner */
#define FIRST_BATCHES 6
#define REAL_RUNS 20   /* of each program */
#define AGAIN_RUNS 300 /* ... that showed something wrong on real threads */
#define PIECES_MOST 256

/* Shared between the processes. */
struct totals {
  volatile sig_atomic_t stop;
  unsigned failures;
  uint64_t programs, too_large, refused;
  uint64_t seen_piece[PIECES_MOST], refused_piece[PIECES_MOST];
};

static struct totals *totals;

#define COUNT(counter) __atomic_fetch_add(&(counter), 1, __ATOMIC_RELAXED)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- what programs are made of ---------------------------------------------
 */

static bool listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (!strncmp(at, name, length) && (!at[length] || at[length] == ','))
      return true;
  }
  return false;
}

static unsigned piece_named(const char *name) {
  unsigned i = 0;
  while (i < piece_count && strcmp(pieces[i].name, name))
    i++;
  return i;
}

static bool is_wanted(void *context, const char *name) {
  const struct c_campaign_plan *plan = context;
  if (plan->without && listed(plan->without, name))
    return false;
  return !plan->pieces || piece_named(name) == piece_count ||
         listed(plan->pieces, name);
}

static void make(const struct c_campaign_plan *plan, uint64_t index,
                 struct c_program *p) {
  struct c_taste taste = {is_wanted, (void *)plan};
  c_generate(p, plan->seed, index, &taste);
}

/* ---- failures --------------------------------------------------------------
 */

/* A program that showed something, while it is made smaller. */
struct failing {
  const struct c_campaign_plan *plan;
  struct c_complaint complaint;
  struct c_effort effort;
  enum c_builder builder;
};

static size_t still_fails(void *context, const c_program_list *list) {
  struct failing *f = context;
  struct c_run run;
  size_t found = 0;
  bool built = c_run_open(&run, list->at, (unsigned)list->size);
  if (built)
    c_run_build_real(&run, f->builder);
  for (; built && found < list->size; found++) {
    struct c_complaint c;
    if (c_judge(&run, (unsigned)found, &f->effort, &c) == JUDGED_WRONG &&
        !strcmp(c.what, f->complaint.what)) {
      f->complaint = c;
      break;
    }
  }
  c_run_close(&run);
  return built ? found : list->size;
}

static void print_failure(const struct failing *f, const struct c_program *p,
                          struct text *to) {
  text_print(to, "// %s: ", f->complaint.what);
  for (const char *at = f->complaint.more; *at; at++)
    text_print(to, *at == '\n' ? "\\n" : "%c", *at);
  text_print(
      to, "\n// found by: heddle fuzz --c --seed %" PRIu64 " --index %" PRIu64,
      p->seed, p->index);
  if (f->plan->pieces)
    text_print(to, " --pieces %s", f->plan->pieces);
  if (f->plan->without)
    text_print(to, " --without %s", f->plan->without);
  text_print(to, "\n// real runs: heddle judge --strict%s --compilers '%s'\n",
             p->sequential ? " --sequential" : "", c_builders[f->builder]);
  c_file_print(p, 1, to);
}

static void save_failure(const struct failing *f, const struct c_program *p,
                         const struct text *report) {
  char *path = text_format("%s/fuzz-%" PRIu64 "-%" PRIu64 ".c", f->plan->save,
                           p->seed, p->index);
  FILE *file = fopen(path, "w");
  if (file)
    fwrite(report->at, 1, report->size, file);
  if (!file || fclose(file))
    complain("%s: %s", path, strerror(errno));
  else
    printf("// saved as %s\n", path);
}

/* The prelude is the same each time, and only in the file. */
static void print_short(const struct failing *f, const struct c_program *p) {
  struct text head = {0}, body = {0};
  print_failure(f, p, &head);
  c_program_print(p, 0, &body);
  const char *prelude = memmem(head.at, head.size, c_prelude, 32);
  printf("\n%.*s", (int)(prelude - head.at), head.at);
  save_failure(f, p, &head);
  fwrite(body.at, 1, body.size, stdout);
  fflush(stdout);
  VEC_FREE(head);
  VEC_FREE(body);
}

static void report(const struct c_campaign_plan *plan,
                   const struct c_program *p,
                   const struct c_complaint *complaint, enum c_builder builder,
                   bool all) {
  if (COUNT(totals->failures) >= plan->failures)
    return;
  bool really = strstr(complaint->what, "real run") != NULL;
  struct failing f = {
      .plan = plan,
      .complaint = *complaint,
      .effort = {.real_runs = really ? AGAIN_RUNS : 0, .all = all},
      .builder = builder};
  struct c_program small;
  c_program_copy(&small, p);
  c_shrink(&small, still_fails, &f);
  print_short(&f, &small);
  c_program_free(&small);
}

/* ---- a file of programs ----------------------------------------------------
 */

static void count_program(const struct c_program *p, enum c_judged judged) {
  COUNT(totals->programs);
  if (judged == JUDGED_TOO_LARGE)
    COUNT(totals->too_large);
  if (judged == JUDGED_REFUSED)
    COUNT(totals->refused);
  for (size_t i = 0; i < p->objects.size; i++) {
    unsigned piece = piece_named(p->objects.at[i].piece);
    COUNT(totals->seen_piece[piece]);
    if (judged == JUDGED_REFUSED)
      COUNT(totals->refused_piece[piece]);
  }
}

static void fail_to_build(const struct c_campaign_plan *plan,
                          const struct c_program *p) {
  struct c_complaint c;
  c_complain(&c, "heddle cc: does not compile", "%s", "see what it says");
  report(plan, p, &c, GCC_O0, false);
}

/* What was wrong, to be made smaller when the file is done with: there can be
 * only one folder at a time. */
struct wrong {
  unsigned number;
  struct c_complaint complaint;
};
typedef VEC(struct wrong) wrong_list;

/* How a file of programs is judged. */
struct c_batch {
  const struct c_campaign_plan *plan;
  enum c_builder builder;
  struct c_effort effort;
  double deadline;
};

static bool is_over(const struct c_batch *s) {
  return totals->stop || now() > s->deadline ||
         totals->failures >= s->plan->failures;
}

static void judge_built(const struct c_batch *s, struct c_run *run,
                        wrong_list *wrongs) {
  c_run_build_real(run, s->builder);
  for (unsigned i = 0; i < run->count && !is_over(s); i++) {
    struct wrong w = {.number = i};
    enum c_judged judged = c_judge(run, i, &s->effort, &w.complaint);
    count_program(&run->programs[i], judged);
    if (judged == JUDGED_WRONG)
      VEC_PUSH(*wrongs, w);
  }
}

/* A file that does not compile is halved until the program is found. */
static void judge_file(const struct c_batch *s,
                       const struct c_program *programs, unsigned count) {
  struct c_run run;
  wrong_list wrongs = {0};
  unsigned half = count / 2;
  if (is_over(s))
    return;
  bool built = c_run_open(&run, programs, count);
  if (built)
    judge_built(s, &run, &wrongs);
  c_run_close(&run);
  if (!built && count == 1)
    fail_to_build(s->plan, programs);
  else if (!built) {
    judge_file(s, programs, half);
    judge_file(s, programs + half, count - half);
  }
  for (size_t i = 0; i < wrongs.size; i++)
    report(s->plan, &programs[wrongs.at[i].number], &wrongs.at[i].complaint,
           s->builder, s->effort.all);
  VEC_FREE(wrongs);
}

/* Races are compared with clang's plainest code only. */
static enum c_builder choose_builder(const struct c_campaign_plan *plan,
                                     uint64_t batch) {
  static const enum c_builder chances[] = {CLANG_O0, CLANG_O0, CLANG_O2, GCC_O0,
                                           GCC_O2};
  struct rng rng;
  rng_seed(&rng, rng_mix(plan->seed ^ 2) ^ batch);
  return chances[rng_below(&rng, sizeof chances / sizeof *chances)];
}

/* The number of the first program in this file. */
static uint64_t batch_start(uint64_t batch) {
  return batch < FIRST_BATCHES
             ? batch * FIRST_BATCH
             : FIRST_BATCHES * FIRST_BATCH + (batch - FIRST_BATCHES) * BATCH;
}

static _Noreturn void work(const struct c_campaign_plan *plan, uint64_t batch,
                           double deadline) {
  struct c_batch s = {.plan = plan,
                      .builder = choose_builder(plan, batch),
                      .effort = {.real_runs = REAL_RUNS},
                      .deadline = deadline};
  struct c_program programs[BATCH];
  unsigned count = 0;
  uint64_t end = batch_start(batch + 1);
  for (uint64_t i = batch_start(batch); i < end && i < plan->programs; i++)
    make(plan, i, &programs[count++]);
  judge_file(&s, programs, count);
  fflush(stdout);
  _exit(0);
}

/* ---- many programs ---------------------------------------------------------
 */

static void interrupt(int signal) {
  (void)signal;
  totals->stop = 1;
}

static void open_totals(void) {
  totals = mmap(NULL, sizeof *totals, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ensure(totals != MAP_FAILED && piece_count <= PIECES_MOST);
}

static void print_refused(void) {
  const char *before = "refused, of all with the piece:";
  for (unsigned i = 0; i < piece_count; i++)
    if (totals->refused_piece[i]) {
      printf("%s %s %" PRIu64 "/%" PRIu64, before, pieces[i].name,
             totals->refused_piece[i], totals->seen_piece[i]);
      before = ",";
    }
  if (*before == ',')
    printf("\n");
}

static bool goes_on(const struct c_campaign_plan *plan, uint64_t batch,
                    double deadline) {
  return !totals->stop && totals->failures < plan->failures &&
         batch_start(batch) < plan->programs && now() < deadline;
}

static void run_all(const struct c_campaign_plan *plan, double deadline) {
  unsigned running = 0;
  for (uint64_t batch = 0;;) {
    if (running < plan->jobs && goes_on(plan, batch, deadline)) {
      fflush(NULL);
      pid_t child = fork();
      ensure(child >= 0);
      if (!child)
        work(plan, batch, deadline);
      batch++, running++;
      continue;
    }
    if (!running)
      return;
    int status;
    pid_t ended = wait(&status);
    ensure(ended > 0 || errno == EINTR);
    running -= ended > 0;
    if (ended > 0 && status && !totals->stop) {
      printf("a process that judged programs died: status %d\n", status);
      COUNT(totals->failures);
    }
  }
}

static int check_many(const struct c_campaign_plan *plan) {
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESETHAND};
  double start = now();
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  printf("seed %" PRIu64 ": C programs\n", plan->seed);
  run_all(plan, start + plan->seconds);
  double seconds = now() - start;
  print_refused();
  printf("%" PRIu64 " programs in %.1f s (%.0f a second), %" PRIu64
         " too large, %" PRIu64 " refused; %u wrong\n",
         totals->programs, seconds, (double)totals->programs / seconds,
         totals->too_large, totals->refused, totals->failures);
  return totals->failures ? EXIT_ERROR : EXIT_SAFE;
}

/* ---- one program -----------------------------------------------------------
 */

static void print_program(const struct c_program *p) {
  struct text file = {0};
  c_file_print(p, 1, &file);
  fwrite(file.at, 1, file.size, stdout);
  VEC_FREE(file);
}

/* By all algorithms, and with all compilers. */
static int check_one(const struct c_campaign_plan *plan) {
  struct c_program p;
  make(plan, plan->index, &p);
  if (plan->print || plan->emit)
    print_program(&p);
  for (unsigned b = 0; !plan->emit && b < C_BUILDERS && !totals->failures;
       b++) {
    struct c_batch s = {
        .plan = plan,
        .builder = (enum c_builder)b,
        .effort = {.real_runs = AGAIN_RUNS, .all = b == CLANG_O0},
        .deadline = 1e300};
    judge_file(&s, &p, 1);
  }
  if (!plan->emit && !totals->failures)
    printf("%" PRIu64 ": %s\n", plan->index,
           totals->refused     ? "refused"
           : totals->too_large ? "too large to be judged"
                               : "right");
  c_program_free(&p);
  return totals->failures ? EXIT_ERROR : EXIT_SAFE;
}

int c_campaign_run(const struct c_campaign_plan *plan) {
  open_totals();
  return plan->index == UINT64_MAX ? check_many(plan) : check_one(plan);
}

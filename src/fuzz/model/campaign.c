#define _GNU_SOURCE
#include "fuzz/model/campaign.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/model/shrink.h"
#include "util/ensure.h"

#define BATCH 64           /* programs a worker takes at a time */
#define NATIVE_BATCH 1     /* ... if these take a second each */
#define PROGRAM_SECONDS 10 /* a small program takes a millisecond */
#define ALONE_SECONDS 60   /* a program that a person wrote may take longer */
#define ALONE_PREFIXES 200000
#define JOBS_MOST 64

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *campaign_make(const struct campaign_plan *plan, uint64_t index,
                          struct program *g) {
  struct rng rng;
  rng_seed(&rng, rng_mix(plan->seed) ^ index);
  unsigned given = plan->profile_count;
  uint32_t which = rng_below(&rng, given ? given : generate_profile_drawn);
  const struct knobs *knobs =
      given ? plan->profiles[which] : &generate_profiles[which];
  generate(g, knobs, &rng);
  return knobs->name;
}

/* Of the processor: the machine may have other things to do. */
static void limit_time(unsigned seconds) {
  struct itimerval limit = {.it_value.tv_sec = seconds};
  ensure(setitimer(ITIMER_PROF, &limit, NULL) == 0);
}

/* What the model can do is then what `optimal` finds, so it must have an end.
 */
static bool can_be_native(const struct campaign_plan *plan,
                          const struct comparison *c) {
  return plan->native && !c->endless;
}

/* The native program has limits of its own, and is started by us: it should not
 * be left behind. */
static enum compared check_natively(const struct campaign_plan *plan,
                                    struct comparison *c,
                                    const struct program *g) {
  limit_time(0);
  return plan->native_check(plan, c, g);
}

/* ---- one program, apart ---------------------------------------------------
 */

/* Runs in a child, which may crash. */
static _Noreturn void test_apart(const struct campaign_plan *plan,
                                 const struct program *g, int message) {
  struct comparison c;
  comparison_init(&c);
  c.limits.prefixes = ALONE_PREFIXES;
  c.naive_most = 5000;
  c.verify = plan->verify;
  limit_time(ALONE_SECONDS);
  int quiet = dup(2);
  ensure(close(2) == 0); /* the exit code says it */
  enum compared result =
      compare_program(&c, g, plan->demands, plan->demand_count);
  c.races = true; /* then other things are demanded */
  if (result == COMPARED_EQUAL)
    result = compare_program(&c, g, plan->demands, plan->demand_count);
  dup2(quiet, 2);
  if (result == COMPARED_EQUAL && can_be_native(plan, &c))
    result = check_natively(plan, &c, g);
  ensure(write(message, c.message, sizeof c.message) == sizeof c.message);
  _exit((int)result);
}

static void explain_death(int status, char message[256]) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    snprintf(message, 256, "does not end within %d s", ALONE_SECONDS);
  else if (WIFSIGNALED(status))
    snprintf(message, 256, "crash: %s", strsignal(WTERMSIG(status)));
  else
    snprintf(message, 256, "internal error, exit code %d", WEXITSTATUS(status));
}

enum compared campaign_test(const struct campaign_plan *plan,
                            const struct program *g, char message[256]) {
  int pipe_ends[2], status;
  fflush(NULL);
  ensure(pipe(pipe_ends) == 0);
  pid_t child = fork();
  ensure(child >= 0);
  if (!child)
    test_apart(plan, g, pipe_ends[1]);
  close(pipe_ends[1]);
  bool told = read(pipe_ends[0], message, 256) == 256;
  close(pipe_ends[0]);
  while (waitpid(child, &status, 0) < 0)
    ensure(errno == EINTR);
  if (told && WIFEXITED(status) && WEXITSTATUS(status) <= COMPARED_WRONG)
    return (enum compared)WEXITSTATUS(status);
  explain_death(status, message);
  return COMPARED_WRONG;
}

static bool still_fails(void *context, struct program *g) {
  char message[256];
  return campaign_test(context, g, message) == COMPARED_WRONG;
}

void campaign_shrink(const struct campaign_plan *plan, struct program *g) {
  shrink(g, still_fails, (void *)plan);
}

/* ---- workers --------------------------------------------------------------
 */

/* Shared between the processes: what a worker is at, and has done. */
struct worker {
  uint64_t at, end; /* its batch; `at` is the program in hand */
  struct campaign_totals totals;
};

struct shared {
  volatile sig_atomic_t stop; /* a process was interrupted */
  uint64_t next;              /* first program that no worker has taken */
  struct worker workers[JOBS_MOST];
};

static struct shared *interruptible;

static void interrupt(int signal) {
  (void)signal;
  interruptible->stop = 1;
}

/* A signal to one process ends them all, and what they did counts.  A second
 * signal ends the process at once. */
static void stop_on_signals(struct shared *shared) {
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESETHAND};
  interruptible = shared;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

enum { WORKER_DONE, WORKER_FAILED };

static bool take_batch(const struct campaign_plan *plan, struct shared *shared,
                       struct worker *w) {
  uint64_t batch = plan->native ? NATIVE_BATCH : BATCH;
  w->at = __atomic_fetch_add(&shared->next, batch, __ATOMIC_RELAXED);
  w->end = w->at + batch < plan->programs ? w->at + batch : plan->programs;
  return w->at < plan->programs;
}

static void take_totals(struct worker *w, const struct comparison *c) {
  w->totals.skipped += c->skipped;
  w->totals.traces += c->traces;
  w->totals.executions += c->executions;
  w->totals.blocked += c->blocked;
}

/* Now and then the judge and `naive` run more interleavings, and data races
 * are looked for, and the model's claims verified. */
static void vary(const struct campaign_plan *plan, struct comparison *c,
                 uint64_t index) {
  c->naive_most = index % 32 ? 100 : 1000;
  c->races = index % 16 == 0;
  c->verify = plan->verify && index % plan->verify == 0;
}

static int work_on(const struct campaign_plan *plan, struct shared *shared,
                   struct worker *w, struct comparison *c, double deadline) {
  struct program g = {0};
  for (;; w->at++) {
    if (w->at >= w->end && !take_batch(plan, shared, w))
      return WORKER_DONE;
    if (shared->stop || now() >= deadline)
      return WORKER_DONE;
    limit_time(PROGRAM_SECONDS);
    campaign_make(plan, w->at, &g);
    vary(plan, c, w->at);
    w->totals.programs++;
    enum compared result =
        compare_program(c, &g, plan->demands, plan->demand_count);
    if (result == COMPARED_EQUAL && can_be_native(plan, c) &&
        w->at % plan->native == 0) {
      result = check_natively(plan, c, &g);
      w->totals.natives++;
    }
    if (result == COMPARED_WRONG)
      return WORKER_FAILED;
  }
}

static _Noreturn void work(const struct campaign_plan *plan,
                           struct shared *shared, struct worker *w,
                           double deadline) {
  struct comparison c;
  comparison_init(&c);
  int code = work_on(plan, shared, w, &c, deadline);
  take_totals(w, &c);
  _exit(code);
}

static pid_t start_worker(const struct campaign_plan *plan,
                          struct shared *shared, unsigned i, double deadline) {
  fflush(NULL);
  pid_t child = fork();
  ensure(child >= 0);
  if (!child)
    work(plan, shared, &shared->workers[i], deadline);
  return child;
}

static unsigned worker_of(const pid_t *pids, unsigned jobs, pid_t pid) {
  for (unsigned i = 0; i < jobs; i++)
    if (pids[i] == pid)
      return i;
  return jobs;
}

static void add_up(const struct campaign_plan *plan,
                   const struct shared *shared,
                   struct campaign_totals *totals) {
  for (unsigned i = 0; i < plan->jobs; i++) {
    const struct campaign_totals *one = &shared->workers[i].totals;
    totals->programs += one->programs;
    totals->skipped += one->skipped;
    totals->natives += one->natives;
    totals->traces += one->traces;
    totals->executions += one->executions;
    totals->blocked += one->blocked;
  }
}

/* Waits for workers; one that met a failure starts again behind it. */
static void mind_workers(const struct campaign_plan *plan,
                         struct shared *shared, pid_t *pids, double deadline,
                         struct campaign_totals *totals,
                         void (*failure)(void *, uint64_t), void *context) {
  unsigned running = plan->jobs;
  while (running) {
    int status;
    pid_t pid = wait(&status);
    unsigned i = pid > 0 ? worker_of(pids, plan->jobs, pid) : plan->jobs;
    if (pid < 0)
      ensure(errno == EINTR);
    if (i == plan->jobs)
      continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_DONE) {
      running--;
      continue;
    }
    if (totals->failures < plan->failures) {
      totals->failures++;
      failure(context, shared->workers[i].at);
    }
    shared->workers[i].at++;
    if (totals->failures < plan->failures) {
      pids[i] = start_worker(plan, shared, i, deadline);
    } else {
      __atomic_store_n(&shared->next, plan->programs, __ATOMIC_RELAXED);
      running--;
    }
  }
}

void campaign_run(const struct campaign_plan *given,
                  struct campaign_totals *totals,
                  void (*failure)(void *, uint64_t), void *context) {
  struct campaign_plan plan = *given;
  if (plan.jobs > JOBS_MOST)
    plan.jobs = JOBS_MOST;
  struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ensure(shared != MAP_FAILED);
  stop_on_signals(shared);
  pid_t pids[JOBS_MOST];
  double start = now(), deadline = start + plan.seconds;
  for (unsigned i = 0; i < plan.jobs; i++)
    pids[i] = start_worker(&plan, shared, i, deadline);
  mind_workers(&plan, shared, pids, deadline, totals, failure, context);
  add_up(&plan, shared, totals);
  totals->seconds = now() - start;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  munmap(shared, sizeof *shared);
}

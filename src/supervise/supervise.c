#define _GNU_SOURCE
#include "supervise/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/futex.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/complain.h"
#include "supervise/estimate.h"
#include "supervise/memory_limit.h"
#include "supervise/messages.h"
#include "util/ensure.h"

/* Descriptors in the exploring process: always the same, and above those that
 * the program opens. */
enum { CONTROL_FD = 100, MESSAGE_FD = 101 };

#define CONTROL_PATH "/proc/self/fd/100"

#define TICK 0.1       /* seconds between two looks at the clock */
#define REDRAW 0.2     /* seconds between two progress lines */
#define PATIENCE 2.0   /* seconds from asking to end until killing */
#define UNPAUSED 2.0   /* seconds of its time until a search pauses anyway */
#define UNBALANCED 2.0 /* so many times another's processor time is too much */
#define SOON 0.01      /* the same, where memory is getting short, ... */
#define AT_ONCE 0.001  /* ... and where half of it is in use */
#define SETTLED 0.5    /* seconds in which memory is looked at as often */
/* Seconds of no progress until asking why; the second answer counts. */
#define QUIET (SUPERVISE_PATIENCE / 2.0)

/* ---- signals ------------------------------------------------------------- */

static volatile sig_atomic_t signal_came;
static volatile sig_atomic_t signals_counted;

static void note_signal(int number) {
  signal_came = number;
  signals_counted++;
}

void supervise_signals(void) {
  static const int noted[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
    struct sigaction old, action = {.sa_handler = note_signal};
    sigaction(noted[i], 0, &old);
    if (old.sa_handler != SIG_IGN) /* nohup, or a shell's background job */
      sigaction(noted[i], &action, 0);
  }
}

int supervise_interrupted(void) {
  return signal_came;
}

/* ---- starting ------------------------------------------------------------ */

/* Adds the variables of --env; they come first, so that they win. */
static size_t add_variables(const struct options *options, char **to) {
  static char lines[LINES_MOST / 2][LINES_MOST];
  const char *at = options->environment.at;
  size_t count = 0;
  while ((at = lines_text_next(at, lines[count]))) {
    to[count] = lines[count];
    count++;
  }
  return count;
}

char **supervise_environment(const char *control_path,
                             const struct options *options) {
  static char control[4200], library[4200];
  static char *environment[LINES_MOST / 2 + 5];
  const char *path = getenv("LD_LIBRARY_PATH");
  size_t count = add_variables(options, environment);
  snprintf(control, sizeof control, "%s=%s", WIRE_ENV, control_path);
  environment[count++] = "PATH=/usr/bin:/bin";
  environment[count++] = "LANG=C";
  environment[count++] = control;
  if (path && strlen(path) < 4096) {
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s", path);
    environment[count++] = library;
  }
  environment[count] = 0;
  return environment;
}

void supervise_control(struct control *control, enum wire_mode mode) {
  memset(control, 0, sizeof *control);
  control->magic = WIRE_MAGIC;
  control->version = wire_version();
  control->mode = mode;
  control->messages = MESSAGE_FD;
}

/* The exploring process while it runs. */
struct child {
  const struct run_request *request;
  struct child *older; /* that is alive, too */
  pid_t pid;           /* 0: it has ended */
  int pipe;            /* messages come out of it */
  struct control *control;
  size_t control_size;
  struct message_reader listener;
  double started;
  double drawn;    /* when the progress line was */
  double asked;    /* when it was asked to end, 0: not yet */
  double tick;     /* seconds until the next look */
  double looked;   /* at the clock, last */
  clockid_t clock; /* of the processor time it uses */
  double ran;      /* seconds of that, at the last look */
  bool sleeps;     /* it waits in a call */
  double quiet;    /* seconds without progress */
  bool questioned; /* it was asked why */
  uint64_t memory_limit;
  uint64_t trace;  /* of the counters, to see progress */
  size_t received; /* bytes, to see progress */
  bool shown;      /* a progress line is on the screen */
  bool hurried;    /* it was asked to pause because its steps are slow */
  double rests;    /* between two turns: since then, or 0 */
  struct estimate estimate;
  double estimated; /* when that was asked for */
  const struct checkpoint_plan *plan;
  double written; /* when the last checkpoint was asked for */
};

/* All that are alive, the youngest first. */
static struct child *living;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The control file: structure and schedule. */
static int make_control(struct child *child) {
  const struct run_request *request = child->request;
  size_t moves = request->settings.moves * sizeof(struct move);
  size_t keys =
      request->keys ? request->settings.moves * sizeof *request->keys : 0;
  size_t resume = request->resume ? request->resume->size : 0;
  child->control_size = sizeof(struct control) + moves + keys + resume;
  int fd = memfd_create("heddle-control", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, (off_t)child->control_size))
    return -1;
  void *map =
      mmap(0, child->control_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED)
    return -1;
  child->control = map;
  *child->control = request->settings;
  child->control->by_events = keys > 0;
  if (moves)
    memcpy(child->control + 1, request->moves, moves);
  if (keys)
    memcpy((char *)(child->control + 1) + moves, request->keys, keys);
  child->control->checkpoint = !request->checkpoint        ? CHECKPOINT_NONE
                               : request->checkpoint->take ? CHECKPOINT_UNIT
                                                           : CHECKPOINT_FILE;
  child->control->resume = resume;
  if (resume)
    memcpy((char *)(child->control + 1) + moves + keys, request->resume->at,
           resume);
  return fd;
}

static _Noreturn void cannot_start(const char *what) {
  dprintf(2, "heddle: cannot run the program: %s: %s\n", what, strerror(errno));
  _exit(127);
}

/* In the child: everything that makes one run like the next, then the
 * program.  Where addresses cannot be fixed (some containers forbid it) only
 * those of the stack and the libraries vary; the program's own heap does not
 * depend on it. */
static _Noreturn void become_program(const struct run_request *request,
                                     pid_t parent, int control, int messages) {
  struct rlimit no_core = {0, 0};
  static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127); /* the parent died before this took effect */
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    signal(defaults[i], SIG_DFL);
  signal(WIRE_ARE_YOU_STUCK, SIG_IGN); /* until it can answer */
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0)
    cannot_start("/dev/null");
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  if (dup2(control, CONTROL_FD) < 0 || dup2(messages, MESSAGE_FD) < 0)
    cannot_start("descriptors");
  setrlimit(RLIMIT_CORE, &no_core);
  personality(ADDR_NO_RANDOMIZE);
  execve(request->binary, request->argv,
         supervise_environment(CONTROL_PATH, &request->settings.options));
  cannot_start(request->binary);
}

static bool start(struct child *child) {
  const struct run_request *request = child->request;
  int control = make_control(child), ends[2];
  if (control < 0 || pipe2(ends, O_CLOEXEC)) {
    complain("cannot talk to the exploring process: %s", strerror(errno));
    if (control >= 0)
      close(control);
    return false;
  }
  pid_t parent = getpid();
  child->started = child->looked = child->written = now();
  child->tick = SOON;
  child->memory_limit = memory_limit(request->settings.options.memory_limit);
  child->pid = fork();
  if (!child->pid) {
    /* Descriptors that dup2 would overwrite must lie elsewhere. */
    int safe_control = fcntl(control, F_DUPFD_CLOEXEC, MESSAGE_FD + 1);
    int safe_messages = fcntl(ends[1], F_DUPFD_CLOEXEC, MESSAGE_FD + 1);
    become_program(request, parent, safe_control, safe_messages);
  }
  if (child->pid > 0) {
    setpgid(child->pid,
            child->pid); /* parent and child both do this; one is first */
    clock_getcpuclockid(child->pid, &child->clock);
    child->older = living;
    living = child;
  }
  close(control);
  close(ends[1]);
  child->pipe = ends[0];
  fcntl(child->pipe, F_SETFL, O_NONBLOCK);
  fcntl(child->pipe, F_SETPIPE_SZ, 1 << 20); /* fewer switches; may fail */
  if (child->pid < 0)
    complain("cannot start the exploring process: %s", strerror(errno));
  return child->pid > 0;
}

/* ---- the progress line --------------------------------------------------- */

static void erase_progress(struct child *child) {
  if (child->shown)
    fputs("\r\033[K", stderr);
  child->shown = false;
}

/* "; some 40 s left (20 to 80)" */
static void add_left(const struct child *child, double elapsed, char *to,
                     size_t size) {
  const struct counters *c = &child->control->counters;
  double likely, least, most;
  *to = 0;
  if (!c->executions ||
      !estimate_left(&child->estimate, c, &likely, &least, &most))
    return;
  double each = elapsed / (double)c->executions;
  snprintf(to, size, "; some %.3g s left (%.3g to %.3g)", likely * each,
           least * each, most * each);
}

static void draw_progress(struct child *child, double time) {
  const char *label = child->request->label;
  struct winsize window;
  char line[256];
  const struct counters *c = &child->control->counters;
  double elapsed = time - child->started;
  int width =
      !ioctl(2, TIOCGWINSZ, &window) && window.ws_col ? window.ws_col - 1 : 79;
  int length = snprintf(line, sizeof line,
                        "%s%" PRIu64 " executions, %.0f per second, %" PRIu64
                        " blocked, depth %u, %.0f s",
                        label ? label : "", c->executions,
                        (double)c->executions / elapsed, c->blocked,
                        child->control->depth, elapsed);
  add_left(child, elapsed, line + length, sizeof line - (size_t)length);
  fprintf(stderr, "\r\033[K%.*s", width, line);
  fflush(stderr);
  child->shown = true;
  child->drawn = time;
}

/* ---- estimates ----------------------------------------------------------- */

#define ESTIMATE 1.0 /* seconds between two estimates */

static void write_status(struct child *child, double time, const char *state) {
  if (child->request->status)
    status_write(child->request->status, state, &child->control->counters,
                 &child->estimate, time - child->started);
}

/* Takes the answer to the last question, and asks again. */
static void watch_estimate(struct child *child, double time) {
  const struct run_request *request = child->request;
  struct control *c = child->control;
  if ((!request->status && !request->progress) ||
      time - child->estimated < ESTIMATE)
    return;
  if (child->estimated > 0 && !__atomic_load_n(&c->ask_done, __ATOMIC_RELAXED))
    estimate_add(&child->estimate, &c->counters, c->done,
                 time - child->started);
  child->estimated = time;
  __atomic_store_n(&c->ask_done, 1, __ATOMIC_RELAXED);
  write_status(child, time, request->state ? request->state : "searching");
}

/* ---- checkpoints --------------------------------------------------------- */

static void take_checkpoint(void *context, struct text *state) {
  struct child *child = context;
  struct run *run = child->listener.run;
  if (!child->plan)
    return;
  if (child->plan->take) {
    child->plan->take(child->plan->context, state);
    return;
  }
  struct checkpoint c = child->plan->head;
  c.executions = child->control->counters.executions;
  c.state = *state;
  if (checkpoint_write(child->plan->path, &c))
    run->checkpoints = true;
}

static void watch_checkpoint(struct child *child, double time) {
  if (!child->plan || child->plan->take || child->asked ||
      time - child->written < child->plan->seconds)
    return;
  child->written = time;
  __atomic_store_n(&child->control->ask_checkpoint, 1, __ATOMIC_RELAXED);
}

/* ---- watching ------------------------------------------------------------ */

static void ask_to_end(struct child *child, double time) {
  if (!child->asked)
    child->asked = time;
  __atomic_store_n(&child->control->stop, 1, __ATOMIC_SEQ_CST);
}

static void kill_child(struct child *child) {
  kill(-child->pid, SIGKILL);
}

/* All that is in the pipe now; false at its end. */
static bool receive(struct child *child) {
  char buffer[65536];
  for (;;) {
    ssize_t count = read(child->pipe, buffer, sizeof buffer);
    if (count < 0)
      return errno == EAGAIN || errno == EINTR;
    if (count == 0)
      return false;
    child->received += (size_t)count;
    message_reader_take(&child->listener, buffer, (size_t)count);
  }
}

/* A number that changes when anything happens: the sum of all counters. */
static uint64_t progress_trace(const struct child *child) {
  const struct counters *c = &child->control->counters;
  uint64_t sum =
      child->control->depth + child->control->alive + child->received;
#define COUNTER(field, name, words) sum += c->field;
#define SOMETIMES COUNTER
#define STATISTIC COUNTER
#include "core/counters.def"
#undef STATISTIC
#undef SOMETIMES
#undef COUNTER
  return sum;
}

/* Does the process wait in a call?  The letter behind the name in brackets. */
static bool is_asleep(pid_t pid) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
  if (fd >= 0)
    close(fd);
  line[length > 0 ? length : 0] = 0;
  const char *name_end = strrchr(line, ')');
  return name_end && (name_end[1] == ' ') && name_end[2] == 'S';
}

/* Seconds since the last look in which the process ran, or slept of its own
 * accord.  Time in which it had no processor, or in which the command was
 * suspended, does not count. */
static double time_spent(struct child *child, double time) {
  struct timespec used = {0};
  clock_gettime(child->clock, &used);
  double ran = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
  double spent = ran - child->ran, passed = time - child->looked;
  child->ran = ran;
  child->looked = time;
  child->sleeps = spent < 0.01 * passed && is_asleep(child->pid);
  if (!child->sleeps)
    return spent;
  return passed < 10 * TICK ? passed : 10 * TICK;
}

/* Asks a process that makes no progress whether the program is the reason: see
 * WIRE_ARE_YOU_STUCK.  Before main it cannot answer. */
static void watch_progress(struct child *child, double time) {
  struct run *run = child->listener.run;
  uint64_t trace = progress_trace(child);
  child->quiet += time_spent(child, time);
  if (trace != child->trace) {
    child->quiet = 0;
    child->questioned = false;
  }
  child->trace = trace;
  if (child->quiet >= QUIET && !child->questioned) {
    union sigval sleeps = {.sival_int = child->sleeps};
    sigqueue(child->pid, WIRE_ARE_YOU_STUCK, sleeps);
    child->questioned = true;
  }
  if (child->quiet >= 2 * QUIET && !run->stuck) {
    run->stuck = true;
    kill_child(child);
  }
}

static uint64_t memory_of_all(void) {
  uint64_t used = 0;
  for (const struct child *c = living; c; c = c->older)
    used += memory_of(c->pid);
  return used;
}

/* What all use together.  A process that rests is not worth the end of one that
 * runs: it is killed if they use more than they should. */
static uint64_t memory_used(uint64_t most) {
  uint64_t used = memory_of_all();
  for (struct child *c = living; c && used >= most; c = c->older) {
    siginfo_t info;
    if (!c->rests)
      continue;
    kill_child(c);
    waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT);
    used = memory_of_all();
  }
  return used;
}

/* The process is asked to end a little before the limit, so that it can still
 * send its findings.  If it goes on, it is killed, still before the limit:
 * until the next look it may take more. */
static void watch_memory(struct child *child, double time) {
  uint64_t limit = child->memory_limit;
  uint64_t used = memory_used(limit - limit / 8);
  if (used >= limit - limit / 16)
    kill_child(child);
  bool unknown = time - child->started < SETTLED; /* how fast it grows */
  child->tick = used > limit / 2              ? AT_ONCE
                : unknown || used > limit / 4 ? SOON
                                              : TICK;
  if (used < limit - limit / 8 || child->asked)
    return;
  char text[64];
  memory_text(limit, text, sizeof text);
  run_add_limit(child->listener.run, "memory limit of %s reached", text);
  ask_to_end(child, time);
}

/* A search whose steps are slow pauses after a while, too. */
static void watch_pause(struct child *child) {
  if (child->request->paused && !child->hurried && child->ran >= UNPAUSED) {
    child->hurried = true;
    child->control->pause_at = 1;
  }
}

/* A checkpoint may take a moment. */
static double patience(const struct child *child) {
  return child->plan ? 10 * PATIENCE : PATIENCE;
}

/* Is the process, or one that pauses meanwhile, at its time limit?  That limit,
 * or 0. */
static uint64_t time_limit_reached(double time) {
  for (const struct child *c = living; c; c = c->older) {
    uint64_t limit = c->request->settings.options.time_limit;
    double spent = time - c->started + c->request->before;
    if (!c->rests && limit < UINT32_MAX && spent >= (double)limit)
      return limit;
  }
  return 0;
}

/* Its steps are much slower than what was reckoned with. */
static bool takes_too_much(const struct child *child) {
  const struct child *other = child->older;
  double spent = other ? other->ran : child->request->before;
  return child->request->modest && child->ran > UNBALANCED * spent + UNPAUSED;
}

bool supervise_must_end(void) {
  return signal_came || time_limit_reached(now());
}

/* One look at the clock and the signals. */
static void watch(struct child *child) {
  const struct run_request *request = child->request;
  struct run *run = child->listener.run;
  double time = now();
  uint64_t limit = child->asked ? 0 : time_limit_reached(time);
  if (signal_came && !child->asked) {
    run_add_limit(run, "interrupted");
    ask_to_end(child, time);
  }
  if (limit) {
    run_add_limit(run, "time limit of %" PRIu64 " s reached", limit);
    ask_to_end(child, time);
  }
  if (!child->asked && ((request->asked && request->asked(request->context)) ||
                        takes_too_much(child)))
    ask_to_end(child, time);
  watch_memory(child, time);
  if (request->asked && child->tick > SOON)
    child->tick = SOON;
  watch_progress(child, time);
  watch_estimate(child, time);
  watch_pause(child);
  watch_checkpoint(child, time);
  if (child->listener.garbled || signals_counted > 1 ||
      (child->asked && time - child->asked > patience(child)))
    kill_child(child);
  if (request->progress && !child->asked && time - child->drawn >= REDRAW &&
      time - child->started >= REDRAW)
    draw_progress(child, time);
}

/* Has the process ended?  It remains for wait4: until then no other process, or
 * process group, gets its number. */
static bool has_ended(const struct child *child) {
  siginfo_t info = {0};
  return !waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
         info.si_pid == child->pid;
}

/* From a pause at which the process waits, see control_pause(). */
static void resume(struct child *child, uint64_t pause_at) {
  struct control *c = child->control;
  child->looked = now(); /* the time of a pause is none of the process's */
  c->pause_at = pause_at;
  child->listener.paused = false;
  __atomic_store_n(&c->paused, 0, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &c->paused, FUTEX_WAKE, 1, 0, 0, 0);
}

static void use_pause(struct child *child) {
  const struct run_request *request = child->request;
  erase_progress(child);
  write_status(child, now(), "hunting");
  uint64_t next = request->paused(request->context, &child->control->counters);
  if (!next)
    ask_to_end(child, now());
  resume(child, next);
}

/* Does it pause, and is not to go on yet? */
static bool stays(struct child *child) {
  if (!child->listener.paused)
    return false;
  if (child->asked)
    resume(child, 0);
  else if (child->request->paused)
    use_pause(child);
  else
    return true;
  return false;
}

/* Until the process has ended and the pipe is empty: false.  True: it rests. */
static bool follow(struct child *child) {
  bool open = true;
  while (!has_ended(child)) {
    struct pollfd messages = {child->pipe, POLLIN, 0};
    /* When the pipe has ended, the process ends at once. */
    poll(&messages, open, open ? (int)(1000 * child->tick) : 1);
    open = open && receive(child);
    if (stays(child))
      return true;
    watch(child);
  }
  if (open)
    receive(child);
  return false;
}

static enum run_end how_it_ended(const struct child *child) {
  const struct run *run = child->listener.run;
  if (run->refused)
    return RUN_REFUSED;
  if (child->listener.done)
    return RUN_DONE;
  return run->stuck || child->asked || run->limit ? RUN_STOPPED : RUN_DIED;
}

static void bury(struct child *child, struct rusage *usage) {
  struct child **at = &living;
  kill_child(child); /* and the processes that it started */
  while (wait4(child->pid, &child->listener.run->status, 0, usage) < 0)
    ensure(errno == EINTR);
  while (*at != child)
    at = &(*at)->older;
  *at = child->older;
  child->pid = 0;
}

static void finish(struct child *child) {
  struct run *run = child->listener.run;
  struct rusage usage = {0};
  bury(child, &usage);
  erase_progress(child);
  if (WIFEXITED(run->status) && WEXITSTATUS(run->status) == WIRE_NO_MEMORY)
    run_add_limit(run, "the system gives no more memory; see ulimit -v");
  run->time = now() - child->started;
  estimate_add(&child->estimate, &child->control->counters,
               child->control->done, run->time);
  if (!child->request->state)
    write_status(child, now(), "ended");
  run->end = how_it_ended(child);
  run->counters = child->control->counters;
  run->complete = run->end == RUN_DONE && child->control->complete;
  run->left = run->end != RUN_DONE || child->control->left;
  run->max_rss = (uint64_t)usage.ru_maxrss;
  run->garbled = child->listener.garbled;
}

static bool begin(const struct run_request *request, struct child *child,
                  struct run *run) {
  memset(run, 0, sizeof *run);
  *child = (struct child){.request = request,
                          .pipe = -1,
                          .plan = request->checkpoint,
                          .listener.run = run,
                          .listener.take_checkpoint = take_checkpoint};
  child->listener.context = child;
  return start(child);
}

static void release(struct child *child) {
  if (child->pipe >= 0)
    close(child->pipe);
  if (child->control)
    munmap(child->control, child->control_size);
  VEC_FREE(child->listener.pending);
  VEC_FREE(child->listener.checkpoint);
}

bool supervise(const struct run_request *request, struct run *run) {
  struct child child;
  bool started = begin(request, &child, run);
  if (started) {
    follow(&child);
    finish(&child);
  }
  release(&child);
  return started;
}

/* ---- in turns ------------------------------------------------------------ */

struct child *supervise_begin(const struct run_request *request,
                              struct run *run) {
  struct child *child = malloc(sizeof *child);
  ensure(child);
  if (begin(request, child, run))
    return child;
  release(child);
  free(child);
  return 0;
}

bool supervise_turn(struct child *child, uint64_t steps) {
  if (child->rests) { /* the clock of its run stood still */
    child->started += now() - child->rests;
    child->rests = 0;
    resume(child, steps);
  }
  write_status(child, now(), child->request->state);
  if (!follow(child)) {
    finish(child);
    return false;
  }
  erase_progress(child);
  child->rests = now();
  return true;
}

const struct counters *supervise_counters(const struct child *child) {
  return &child->control->counters;
}

double supervise_seconds(const struct child *child) {
  return (child->rests ? child->rests : now()) - child->started;
}

void supervise_free(struct child *child) {
  struct rusage usage;
  if (!child)
    return;
  if (child->pid)
    bury(child, &usage);
  release(child);
  free(child);
}

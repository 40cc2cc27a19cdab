/* Runs the program many times.
 *
 * Before main and before the program's constructors the process becomes a
 * server: for each run it forks, and the child goes on into the program.  So
 * the program is started and linked once, and each run costs a fork.
 *
 * A run hangs if it has used its patience in processor time, or if all of its
 * threads sleep and it uses no processor time any more. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "real/real.h"
#include "real/record.h"
#include "util/rng.h"

#define MILLION 1000000

/* More output and more memory than any run needs. */
#define OUTPUT_MOST ((rlim_t)1 << 24)
#define MEMORY_MOST ((rlim_t)1 << 32)

static struct server {
  unsigned runs;
  unsigned long long seed;
  unsigned patience; /* in ms */
  unsigned hangs;    /* ends after so many */
  unsigned seconds;  /* ends after so long */
  unsigned alone;    /* 1: always on one processor */
  int results;       /* the file for the records */
  int output;        /* for the output of a run */
  sigset_t signals;  /* of the program */
  cpu_set_t processors;
} server;

static uint32_t *marks; /* of the run, shared with it */

void heddle_real_mark(uint32_t mark) {
  if (marks)
    __atomic_fetch_or(marks, mark, __ATOMIC_RELAXED);
}

static _Noreturn void give_up(const char *what) {
  perror(what);
  _exit(127);
}

/* ---- the run --------------------------------------------------------------
 */

/* Lets the process use only one of its processors. */
static void stay_alone(struct rng *rng) {
  cpu_set_t one;
  uint32_t skipped = rng_below(rng, (uint32_t)CPU_COUNT(&server.processors));
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &server.processors) && !skipped--)
      CPU_SET(i, &one);
  if (!sched_setaffinity(0, sizeof one, &one))
    heddle_real_mark(REAL_ALONE);
}

static void limit(int resource, rlim_t most) {
  struct rlimit limits = {most, most};
  setrlimit(resource, &limits);
}

static void become_run(pid_t parent, unsigned number) {
  struct rng rng;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(0); /* the server was gone before the request */
  rng_seed(&rng, server.seed + rng_mix(number));
  if (server.alone || rng_percent(&rng, 50))
    stay_alone(&rng);
  heddle_real_delay(rng_next(&rng));
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_TIMERSLACK, 1);
  limit(RLIMIT_FSIZE, OUTPUT_MOST);
  limit(RLIMIT_AS, MEMORY_MOST);
  if (dup2(server.output, 1) < 0)
    give_up("output");
  close(server.output);
  close(server.results);
  sigprocmask(SIG_SETMASK, &server.signals, NULL);
  errno = 0; /* as in a new process */
}

/* ---- waiting for it -------------------------------------------------------
 */

/* The state of a thread follows its name in parentheses. */
static bool thread_sleeps(int folder, const char *thread) {
  char path[64], text[512];
  snprintf(path, sizeof path, "%.20s/stat", thread);
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0)
    close(file);
  if (length < 0)
    return true; /* it has ended */
  text[length] = 0;
  const char *name_end = strrchr(text, ')');
  return name_end && name_end[1] && name_end[2] == 'S';
}

static bool all_sleep(pid_t run) {
  char path[64];
  bool sleep = true;
  snprintf(path, sizeof path, "/proc/%d/task", (int)run);
  DIR *folder = opendir(path);
  if (!folder)
    return false;
  for (struct dirent *entry; sleep && (entry = readdir(folder));)
    if (isdigit((unsigned char)entry->d_name[0]))
      sleep = thread_sleeps(dirfd(folder), entry->d_name);
  closedir(folder);
  return sleep;
}

/* In microseconds; 0 if it has ended meanwhile. */
static uint64_t processor_time(pid_t run) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(run, &clock) || clock_gettime(clock, &time))
    return 0;
  return (uint64_t)time.tv_sec * MILLION + (uint64_t)time.tv_nsec / 1000;
}

/* Called after each half of the patience. */
static bool hangs(pid_t run, uint64_t *used_before) {
  uint64_t used = processor_time(run);
  bool idle = used == *used_before && all_sleep(run);
  *used_before = used;
  return idle || used >= (uint64_t)server.patience * 1000;
}

/* False: it hung. */
static bool await(pid_t run, int *status) {
  sigset_t child;
  uint64_t used = UINT64_MAX;
  uint64_t half = (uint64_t)server.patience * MILLION / 2;
  struct timespec wait = {(time_t)(half / (1000 * MILLION)),
                          (long)(half % (1000 * MILLION))};
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  while (waitpid(run, status, WNOHANG) == 0) {
    if (sigtimedwait(&child, NULL, &wait) > 0 || !hangs(run, &used))
      continue;
    kill(run, SIGKILL);
    waitpid(run, status, 0);
    return false;
  }
  return true;
}

/* ---- telling --------------------------------------------------------------
 */

static void write_all(const void *bytes, size_t length) {
  const char *at = bytes;
  while (length) {
    ssize_t done = write(server.results, at, length);
    if (done < 0 && errno != EINTR)
      give_up("results");
    at += done > 0 ? done : 0;
    length -= done > 0 ? (size_t)done : 0;
  }
}

static void copy_output(size_t length) {
  void *text = length
                   ? mmap(NULL, length, PROT_READ, MAP_SHARED, server.output, 0)
                   : NULL;
  if (text == MAP_FAILED)
    give_up("output");
  write_all(text, length);
  if (text)
    munmap(text, length);
}

/* Returns whether the run hung. */
static bool tell(bool ended, int status) {
  struct stat output;
  if (fstat(server.output, &output))
    give_up("output");
  struct real_record record = {.marks = *marks,
                               .length = (uint32_t)output.st_size};
  if (!ended) {
    record.end = REAL_HANG;
  } else if (WIFSIGNALED(status)) {
    record.end = REAL_SIGNAL;
    record.code = (uint32_t)WTERMSIG(status);
  } else {
    record.end = REAL_EXIT;
    record.code = (uint32_t)WEXITSTATUS(status);
  }
  write_all(&record, sizeof record);
  copy_output(record.length);
  return !ended;
}

/* ---- the server -----------------------------------------------------------
 */

static bool read_plan(const char *plan) {
  int length = 0;
  if (sscanf(plan, REAL_PLAN_FORMAT "%n", &server.runs, &server.seed,
             &server.patience, &server.hangs, &server.seconds, &server.alone,
             &length) < 6)
    return false;
  const char *path = plan + length;
  server.results = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (server.results < 0)
    give_up(path);
  return true;
}

static void prepare(void) {
  sigset_t child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  server.output = memfd_create("output", MFD_CLOEXEC);
  marks = mmap(NULL, sizeof *marks, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  /* Without O_APPEND two threads that write at once would write to the same
   * place: the kernel gives such a file no lock for its position. */
  if (server.output < 0 || fcntl(server.output, F_SETFL, O_APPEND) ||
      marks == MAP_FAILED ||
      sched_getaffinity(0, sizeof server.processors, &server.processors))
    give_up("cannot run the program");
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, 0) < 0)
    give_up("/dev/null");
  close(nothing);
  limit(RLIMIT_CORE, 0);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &server.signals);
}

/* Returns in each run; the server itself ends here. */
static void serve(void) {
  unsigned hung = 0;
  time_t start = time(NULL);
  pid_t self = getpid();
  for (unsigned i = 0; i < server.runs && hung < server.hangs &&
                       time(NULL) - start < (time_t)server.seconds;
       i++) {
    *marks = 0;
    if (ftruncate(server.output, 0) || lseek(server.output, 0, SEEK_SET))
      give_up("output");
    pid_t run = fork();
    if (run < 0)
      give_up("fork");
    if (!run) {
      become_run(self, i);
      return;
    }
    int status = 0;
    bool ended = await(run, &status);
    hung += tell(ended, status);
  }
  _exit(0);
}

/* glibc gives constructors the arguments of main.  The program sees its plain
 * name, as under heddle check. */
__attribute__((constructor(101))) static void start(int argc, char **argv) {
  const char *plan = getenv(REAL_ENV);
  if (!plan || !read_plan(plan))
    return;
  unsetenv(REAL_ENV);
  char *slash = argc ? strrchr(argv[0], '/') : NULL;
  if (slash)
    argv[0] = slash + 1;
  prepare();
  serve();
}

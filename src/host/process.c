#define _GNU_SOURCE
#include "host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/folder.h"
#include "util/ensure.h"
#include "util/vec.h"

extern char **environ;

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define ENDING_SIGNALS (sizeof ending_signals / sizeof *ending_signals)

static volatile sig_atomic_t child;          /* runs now; 0: none */
static volatile sig_atomic_t pending_signal; /* asked us to end; 0: none */
static struct folder scratch;
static struct text *kept_errors; /* NULL: errors are not kept */

/* Ending the child ends our wait for it: there is no moment at which the
 * signal could be missed. */
static void on_signal(int number) {
  pending_signal = number;
  if (child)
    kill(child, SIGTERM);
}

static void catch_signals(void) {
  for (size_t i = 0; i < ENDING_SIGNALS; i++) {
    struct sigaction old, action = {.sa_handler = on_signal};
    sigaction(ending_signals[i], NULL, &old);
    if (old.sa_handler != SIG_IGN) /* nohup stays in force */
      sigaction(ending_signals[i], &action, NULL);
  }
}

static void release_signals(void) {
  for (size_t i = 0; i < ENDING_SIGNALS; i++) {
    struct sigaction old;
    sigaction(ending_signals[i], NULL, &old);
    if (old.sa_handler == on_signal)
      signal(ending_signals[i], SIG_DFL);
  }
}

/* Removes the folder, and ends as the signal would have ended the command. */
static void obey_signal(void) {
  if (pending_signal)
    scratch_close();
}

/* ---- children ----------------------------------------------------------- */

/* What becomes of a standard stream of the child. */
enum stream { PRINTED, THROWN_AWAY, READ };

static const struct {
  enum stream out, errors;
} streams[] = {
    [PROCESS_INHERIT] = {PRINTED, PRINTED},
    [PROCESS_QUIET] = {THROWN_AWAY, THROWN_AWAY},
    [PROCESS_KEEP] = {READ, THROWN_AWAY},
    [PROCESS_KEEP_ALL] = {READ, READ},
    [PROCESS_COLLECT] = {READ, PRINTED},
    [PROCESS_ERRORS] = {PRINTED, READ},
};

static bool passes_errors_on(enum process_output output) {
  return output == PROCESS_INHERIT && kept_errors;
}

static bool is_read(enum process_output output) {
  return streams[output].out == READ || streams[output].errors == READ ||
         passes_errors_on(output);
}

static void redirect(posix_spawn_file_actions_t *actions, int stream,
                     enum stream what, int pipe_end) {
  if (what == READ)
    posix_spawn_file_actions_adddup2(actions, pipe_end, stream);
  else if (what == THROWN_AWAY)
    posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_WRONLY, 0);
}

/* Signals are held back from before the child exists until `child` says so. */
static int start(char *const argv[], enum process_output output, int pipe_end) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  for (size_t i = 0; i < ENDING_SIGNALS; i++)
    sigaddset(&blocked, ending_signals[i]);
  sigprocmask(SIG_BLOCK, &blocked, &before);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  redirect(&actions, 1, streams[output].out, pipe_end);
  redirect(&actions, 2,
           passes_errors_on(output) ? READ : streams[output].errors, pipe_end);
  pid_t pid = 0;
  int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  child = error ? 0 : pid;
  sigprocmask(SIG_SETMASK, &before, NULL);
  return error;
}

/* Adds what comes next; false at the end. */
static bool read_more(int descriptor, struct text *text) {
  ssize_t got;
  VEC_RESERVE(*text, 4096);
  do
    got = read(descriptor, text->at + text->size, text->capacity - text->size);
  while (got < 0 && errno == EINTR);
  text->size += got > 0 ? (size_t)got : 0;
  return got > 0;
}

static char *read_all(int descriptor) {
  struct text text = {0};
  while (read_more(descriptor, &text))
    ;
  return text_take(&text);
}

/* Keeps what the program prints, and prints it at once. */
static void pass_on_errors(int descriptor) {
  for (size_t shown = kept_errors->size; read_more(descriptor, kept_errors);
       shown = kept_errors->size)
    fwrite(kept_errors->at + shown, 1, kept_errors->size - shown, stderr);
}

void process_keep_errors(struct text *text) {
  kept_errors = text;
}

static int wait_for_child(void) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    ensure(errno == EINTR);
  child = 0;
  obey_signal();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run(char *const argv[], enum process_output output,
                char **collected) {
  int ends[2] = {-1, -1};
  if (is_read(output))
    ensure(pipe2(ends, O_CLOEXEC) == 0);
  obey_signal();
  int error = start(argv, output, ends[1]);
  if (is_read(output)) {
    close(ends[1]);
    if (output == PROCESS_INHERIT)
      pass_on_errors(ends[0]);
    else
      *collected = read_all(ends[0]);
    close(ends[0]);
  }
  if (error) {
    fprintf(stderr, "heddle: cannot run %s: %s\n", argv[0], strerror(error));
    return 127;
  }
  return wait_for_child();
}

int process_exec(char *const argv[]) {
  execvp(argv[0], argv);
  fprintf(stderr, "heddle: cannot run %s: %s\n", argv[0], strerror(errno));
  return 127;
}

char *process_find(const char *name) {
  const char *path = getenv("PATH");
  if (strchr(name, '/'))
    return access(name, X_OK) == 0 ? strdup(name) : NULL;
  for (const char *at = path ? path : "/usr/bin:/bin"; at;) {
    const char *colon = strchrnul(at, ':');
    char full[PATH_MAX];
    bool here = colon == at; /* an empty entry is the current folder */
    int length = snprintf(full, sizeof full, "%.*s/%s",
                          here ? 1 : (int)(colon - at), here ? "." : at, name);
    if (length < (int)sizeof full && access(full, X_OK) == 0)
      return strdup(full);
    at = *colon ? colon + 1 : NULL;
  }
  return NULL;
}

/* ---- the folder --------------------------------------------------------- */

const char *scratch_open(void) {
  static bool registered; /* LLVM may end the process by exit() */
  ensure(!scratch.path);
  if (!registered)
    atexit(scratch_close);
  registered = true;
  catch_signals();
  if (!folder_make(&scratch))
    release_signals();
  return scratch.path;
}

void scratch_close(void) {
  folder_remove(&scratch);
  release_signals();
  int number = pending_signal;
  pending_signal = 0;
  if (number)
    raise(number);
}

/* Ends that lose what stdio holds back.
 *
 * An implementation may hold text back or not; under heddle a text is printed
 * when printf returns.  So here each line is written at once, and the rest is
 * flushed at the end.  (Whole lines, since without a buffer the newline would
 * be written by itself.)
 *
 * exit() of this glibc flushes without a lock: a line that another thread is
 * just writing would be printed twice.  So the lock is taken before. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void flush(void) {
  fflush(stdout);
}

/* A thread in printf gives the lock back soon; one that called flockfile may
 * keep it for ever. */
#define LOCK_TRIES 10000

/* Other threads print nothing any more; destructors of this thread may. */
static void keep_stdout(void) {
  for (int tries = 0; tries < LOCK_TRIES && ftrylockfile(stdout); tries++)
    sched_yield();
}

/* The first to be registered, so that it is the last to run. */
__attribute__((constructor(101))) static void begin(void) {
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  atexit(keep_stdout);
  at_quick_exit(flush);
}

void _exit(int status) {
  flush();
  for (;;)
    syscall(SYS_exit_group, status);
}

void _Exit(int status) {
  _exit(status);
}

/* Ends that lose what stdio holds back.
 *
 * An implementation may hold text back or not; under heddle a text is printed
 * when printf returns.  So here each line is written at once, and the rest is
 * flushed at the end.  (Whole lines, since without a buffer the newline would
 * be written by itself.  Not everything at the end, since exit() in another
 * thread flushes without a lock and could print the same text once more.) */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void flush(void) {
  fflush(stdout);
}

/* The first to be registered, so that it is the last to run. */
__attribute__((constructor(101))) static void begin(void) {
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
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

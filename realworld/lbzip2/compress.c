/* lbzip2's scheduler and queues: it compresses a few bytes, with a thread that
 * reads, one that writes, and WORKERS workers.  The command line, messages and
 * signals are replaced: the end is told by a condition variable. */
#include "common.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "main.h"
#include "signals.h"

#ifndef WORKERS
#define WORKERS 1
#endif

unsigned num_worker = WORKERS, bs100k = 1;
size_t max_mem;
bool decompress, force, keep, verbose, print_cctrs, small, ultra;
struct filespec ispec = {-1, "", "in", 0, 0}, ospec = {-1, "", "out", 0, 0};

void info(const char *format, ...) { (void)format; }
void display(const char *format, ...) { (void)format; }
void failf(const struct filespec *f, const char *format, ...) {
  (void)f, (void)format;
  abort();
}
void failx(int error, const char *format, ...) {
  (void)error, (void)format;
  abort();
}
void failfx(const struct filespec *f, int error, const char *format, ...) {
  (void)f, (void)error, (void)format;
  abort();
}
void xalloc_die(void) { abort(); }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static bool has_ended;
void xraise(int signal) {
  assert(signal == SIGUSR2);
  pthread_mutex_lock(&mutex);
  has_ended = true;
  pthread_cond_signal(&ended);
  pthread_mutex_unlock(&mutex);
}
void halt(void) {
  pthread_mutex_lock(&mutex);
  while (!has_ended) pthread_cond_wait(&ended, &mutex);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  int in[2], out[2];
  char result[256];
  assert(pipe(in) == 0 && pipe(out) == 0);
  assert(write(in[1], "abc", 3) == 3);
  close(in[1]);
  ispec.fd = in[0];
  ospec.fd = out[1];
  work();
  close(out[1]);
  ssize_t size = read(out[0], result, sizeof result);
  assert(size > 14 && memcmp(result, "BZh1", 4) == 0);
}

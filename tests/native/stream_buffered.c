// A log that is not flushed: another thread that is told that it is written may
// not find it.
// expect error assertion
// expect message fgets
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/heddle-test-XXXXXX";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written;

static void *look(void *unused) {
  char line[20];
  pthread_mutex_lock(&mutex);
  if (written) {
    FILE *file = fopen(path, "r");
    assert(fgets(line, sizeof line, file));
    fclose(file);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  FILE *file = fdopen(mkstemp(path), "w");
  pthread_create(&thread, 0, look, 0);
  pthread_mutex_lock(&mutex);
  fprintf(file, "a line\n");
  written = 1;
  pthread_mutex_unlock(&mutex);
  fclose(file);
  pthread_join(thread, 0);
  unlink(path);
}

// Memory from before main, changed and freed by every execution.
// expect optimal: executions 2, blocked 0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void make(void) {
  text = malloc(8);
  strcpy(text, "abc");
}

static void *append(void *letter) {
  pthread_mutex_lock(&mutex);
  strcat(text, letter);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  assert(!strcmp(text, "abc"));
  pthread_create(&thread, 0, append, "d");
  append("e");
  pthread_join(thread, 0);
  assert(!strcmp(text, "abcde") || !strcmp(text, "abced"));
  free(text);
}

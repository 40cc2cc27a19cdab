// Where getopt stands is undone with the rest: all executions have both threads.
// expect error assertion
// expect message increments == started
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int increments;

static void *increment(void *unused) {
  increments++;
  return unused;
}

int main(void) {
  char *words[] = {"program", "file", "-n", "2", 0};
  pthread_t thread[8];
  int started = 1, option;
  while ((option = getopt(4, words, "n:")) != -1)
    if (option == 'n')
      started = atoi(optarg);
  assert(started == 2 && optind == 3 && *words[optind] == 'f');
  for (int i = 0; i < started; i++)
    pthread_create(&thread[i], 0, increment, 0);
  for (int i = 0; i < started; i++)
    pthread_join(thread[i], 0);
  assert(increments == started);
}

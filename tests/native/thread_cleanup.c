// pthread_exit runs the handlers that were pushed, innermost first; a pop runs
// its handler only if it is told to.
#include <assert.h>
#include <pthread.h>

static int order[3], count;

static void note(void *number) {
  order[count++] = *(int *)number;
}

static void *thread(void *unused) {
  static int one = 1, two = 2, three = 3, four = 4;
  (void)unused;
  pthread_cleanup_push(note, &four);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(note, &three);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(note, &one);
  pthread_cleanup_push(note, &two);
  pthread_exit(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(count == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
}

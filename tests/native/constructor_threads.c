// Constructors may use mutexes and create threads: the thread's section and
// main's come in either order.
// expect optimal: executions 2, blocked 0
// expect output "12\n"
// expect output "21\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static pthread_t early;
static int order[2], count;

static void *section(void *number) {
  pthread_mutex_lock(&mutex);
  order[count++] = *(int *)number;
  pthread_mutex_unlock(&mutex);
  return 0;
}

__attribute__((constructor)) static void before_main(void) {
  static int two = 2;
  pthread_mutex_init(&mutex, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_create(&early, 0, section, &two);
}

static void *nothing(void *unused) {
  return unused;
}

int main(void) {
  int one = 1;
  pthread_t late;
  pthread_create(&late, 0, nothing, 0);
  section(&one);
  pthread_join(early, 0);
  pthread_join(late, 0);
  printf("%d%d\n", order[0], order[1]);
}

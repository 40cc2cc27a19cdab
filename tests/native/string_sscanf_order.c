// Both orders of a sscanf and a change of its string under a lock are explored.
// expect output "12\n"
// expect output "13\n"
// expect optimal: executions 2, blocked 0
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[8] = "12";
static int number;

static void *scan(void *unused) {
  pthread_mutex_lock(&lock);
  sscanf(text, "%d", &number);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, scan, 0);
  pthread_mutex_lock(&lock);
  text[1] = '3';
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  printf("%d\n", number);
}

// What a section reads was written by the thread itself or by the one that
// created it, without the mutex, while another thread ran: that has an order.
// expect output "5\n"
// expect optimal: executions 1, blocked 0
// algorithms naive dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static struct {
  int *place;
  int own, sum;
} task;

static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  done = 2;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *waits(void *unused) {
  int seen;
  task.own = 3;
  do {
    pthread_mutex_lock(&m);
    seen = *task.place ? *task.place + task.own : 0;
    pthread_mutex_unlock(&m);
  } while (!seen);
  task.sum = seen;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, worker, 0);
  task.place = &done;
  pthread_create(&t[1], 0, waits, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", task.sum);
}

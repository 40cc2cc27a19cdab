// --interfere=locks: all data is protected, so the traces are the orders of the
// critical sections.  Two threads with one section each, and a third one that
// gets its item by a semaphore: 2 orders.  What they print is what they print
// with every access interleaved.
// expect all: blocked 0
// expect optimal: executions 2
// expect source: executions 2
// expect output "1 2 7\n"
// expect output "2 1 7\n"
// options --interfere=locks
// algorithms naive source optimal cs optimal-cs dpor
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int list[2], length, item, taken;

static void *add(void *argument) {
  pthread_mutex_lock(&lock);
  list[length] = (int)(long)argument;
  length++;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *take(void *unused) {
  (void)unused;
  sem_wait(&ready);
  taken = item;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  sem_init(&ready, 0, 0);
  pthread_create(&a, 0, add, (void *)1L);
  pthread_create(&b, 0, add, (void *)2L);
  pthread_create(&c, 0, take, 0);
  item = 7;
  sem_post(&ready);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  printf("%d %d %d\n", list[0], list[1], taken);
}

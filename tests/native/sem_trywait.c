// The trywait comes before or after the post: 2.
// expect optimal: executions 2, blocked 0
// expect output "got it\n"
// expect output "did not\n"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t sem;

static void *poster(void *unused) {
  (void)unused;
  sem_post(&sem);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&sem, 0, 0);
  pthread_create(&t, 0, poster, 0);
  int result = sem_trywait(&sem);
  pthread_join(t, 0);
  puts(result == 0 ? "got it" : "did not");
}

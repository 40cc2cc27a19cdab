// Another thread writes to a variable deep on the stack that is not
// initialised.  What an earlier execution left there must not show in whether
// that changes anything, whichever way heddle goes back.  2 orders of the writes
// to x (theory).
// expect optimal: executions 2, blocked 0
// options --verify
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x;
static int *_Atomic where;
static sem_t there, written;

static void *write_there(void *unused) {
  (void)unused;
  sem_wait(&there);
  int *to = atomic_load(&where);
  *to = 5;
  atomic_store(&x, 1);
  sem_post(&written);
  return 0;
}

static void *write_x(void *unused) {
  (void)unused;
  atomic_store(&x, 2);
  return 0;
}

static __attribute__((noinline)) void lend(void) {
  int room[40000];
  atomic_store(&where, &room[1]);
  sem_post(&there);
  sem_wait(&written);
}

int main(void) {
  pthread_t t, u;
  sem_init(&there, 0, 0);
  sem_init(&written, 0, 0);
  pthread_create(&t, 0, write_there, 0);
  pthread_create(&u, 0, write_x, 0);
  lend();
  pthread_join(t, 0);
  pthread_join(u, 0);
}

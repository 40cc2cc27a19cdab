// Two locks: one has two readers and no writer, the other a writer and a reader, in
// two orders (theory).
// expect optimal: executions 2, blocked 0
// expect source: executions 2
// expect unfold: executions 2, blocked 0
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t quiet = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t busy = PTHREAD_RWLOCK_INITIALIZER;
static int value, seen;

static void *writer(void *unused) {
  pthread_rwlock_rdlock(&quiet);
  pthread_rwlock_unlock(&quiet);
  pthread_rwlock_wrlock(&busy);
  value = 1;
  pthread_rwlock_unlock(&busy);
  return unused;
}

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&quiet);
  pthread_rwlock_rdlock(&busy);
  seen = value;
  pthread_rwlock_unlock(&busy);
  pthread_rwlock_unlock(&quiet);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, writer, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", seen);
}

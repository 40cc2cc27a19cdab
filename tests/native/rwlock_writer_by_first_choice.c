// Main locks for writing only if it makes the first choice, so that one of the two
// tests has executions with readers alone before there is a writer.  Two readers have 6
// orders of l1 u1 l2 u2 where there is no writer, and 14 with one
// (rwlock_readers_writer.c): 20.
// expect optimal: executions 20, blocked 0
// expect source: executions 20
// expect unfold: executions 20, blocked 0
// expect output "0\n"
// expect output "1\n"
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, seen;

static void *reader(void *sees) {
  pthread_rwlock_rdlock(&lock);
  if (sees)
    seen = value;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, reader, i ? t : 0);
  if (heddle_choose(2) == 0) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", seen);
}

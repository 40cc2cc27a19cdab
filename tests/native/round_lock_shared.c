// A loop looks while it holds a read-write lock for reading.  It may see either
// of two values, or come too late for both: one execution each.
// expect output "1\n"
// expect output "2\n"
// expect error livelock
// expect optimal: executions 3, blocked 0
// algorithms naive dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void set(int to) {
  pthread_rwlock_wrlock(&lock);
  value = to;
  pthread_rwlock_unlock(&lock);
}

static int get(void) {
  pthread_rwlock_rdlock(&lock);
  int now = value;
  pthread_rwlock_unlock(&lock);
  return now;
}

static void *writer(void *unused) {
  set(1);
  set(2);
  set(0);
  return unused;
}

int main(void) {
  pthread_t t;
  int seen;
  pthread_create(&t, 0, writer, 0);
  while (!(seen = get()))
    ;
  pthread_join(t, 0);
  printf("%d\n", seen);
}

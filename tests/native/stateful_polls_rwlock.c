// One thread looks under a lock for reading, one under the lock for writing.
// expect error livelock
// expect message T2 look waits in a loop for a change of ready
// algorithms naive source optimal observers unfold stateful
// real no: it never ends
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int ready;

static void *wait_for_ready(void *unused) {
  int now;
  do {
    pthread_rwlock_rdlock(&l);
    now = ready;
    pthread_rwlock_unlock(&l);
  } while (!now);
  return unused;
}

static void *look(void *unused) {
  int now;
  do {
    pthread_rwlock_wrlock(&l);
    now = ready;
    pthread_rwlock_unlock(&l);
  } while (!now);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wait_for_ready, 0);
  pthread_create(&u, 0, look, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}

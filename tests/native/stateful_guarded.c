// A loop that comes back to its state accesses data under a lock. The other
// thread does so, too, but its last access is under another lock: a data race,
// though at first nothing asked who knows of these accesses (guards.h).
// algorithms stateful
// real no: a data race
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static int data, seen;

static void *repeat(void *unused) {
  while (!atomic_load_explicit(&done, memory_order_relaxed)) {
    pthread_mutex_lock(&m);
    data = !seen;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

static void *finish(void *unused) {
  pthread_mutex_lock(&m);
  data = 1;
  pthread_mutex_unlock(&m);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  pthread_mutex_lock(&other);
  data = 2; // expect race with line 18
  pthread_mutex_unlock(&other);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, repeat, 0);
  pthread_create(&b, 0, finish, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

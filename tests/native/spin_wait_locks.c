// Home-made locks: by compare-and-swap through a helper that gets the address
// of a local, by test-and-set (which writes what is there), by trylock.
// algorithms source optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int word;
static atomic_flag bit = ATOMIC_FLAG_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counters[3];

static bool swap(int *expected) {
  return atomic_compare_exchange_strong(&word, expected, 1);
}

static void *increment(void *unused) {
  (void)unused;
  int expected = 0;
  while (!swap(&expected))
    expected = 0;
  counters[0]++;
  atomic_store(&word, 0);
  return 0;
}

static void *increment_flag(void *unused) {
  (void)unused;
  while (atomic_flag_test_and_set(&bit)) {
  }
  counters[1]++;
  atomic_flag_clear(&bit);
  while (pthread_mutex_trylock(&mutex) != 0) {
  }
  counters[2]++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void run_twice(void *(*body)(void *)) {
  pthread_t t;
  pthread_create(&t, 0, body, 0);
  body(0);
  pthread_join(t, 0);
}

int main(void) {
  run_twice(increment);
  run_twice(increment_flag);
  assert(counters[0] == 2 && counters[1] == 2 && counters[2] == 2);
}

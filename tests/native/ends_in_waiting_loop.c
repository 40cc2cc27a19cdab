// Local variables that begin and end in each round do not keep a loop from being
// one that waits, in the search and in the replay that confirms it.
// expect error livelock
// algorithms naive optimal source observers
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool flag;

static __attribute__((noinline)) void look(bool *to) {
  *to = flag;
}

static bool is_set(void) {
  bool seen = false;
  look(&seen);
  return seen;
}

static void *wait_for_flag(void *unused) {
  while (!is_set())
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_flag, NULL);
  pthread_join(thread, NULL);
}

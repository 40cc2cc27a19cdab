// The routine runs once, before anybody goes on, whoever comes first.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, done;

static void routine(void) {
  runs++;
  done = 1;
}

static void *user(void *unused) {
  (void)unused;
  assert(pthread_once(&once, routine) == 0);
  assert(done && runs == 1);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, user, 0);
  user(0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}

// Default attributes are set when a thread runs already: a creation is one more
// step from then on, in the replay of a data race, too.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_attr_t usual;
static int x;

static void *work(void *unused) {
  x = 1; // expect race with line 10
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, work, NULL);
  pthread_attr_init(&usual);
  pthread_setattr_default_np(&usual);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}

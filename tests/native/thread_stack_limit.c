// A thread that asked for more stack than heddle has, and uses it.
// expect refused asked for a stack of 536870912 bytes
// real no: there the stack is large enough
#include <pthread.h>

static char *fill(char *at) {
  at[0] = 1;
  return at;
}

static char *(*volatile use)(char *) = fill;

static void *work(void *unused) {
  char room[300 << 20];
  return use(room)[0] ? unused : 0;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, (size_t)512 << 20);
  pthread_create(&thread, &large, work, 0);
  pthread_join(thread, 0);
  return 0;
}

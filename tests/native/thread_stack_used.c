// A thread that asked for more stack than heddle has, and uses it.
// expect refused asked for a stack of 67108864 bytes
// real no: there the stack is large enough
#include <pthread.h>

static int descend(int n, volatile char *outer) {
  volatile char room[1 << 16];
  room[0] = (char)(n + *outer);
  return n ? descend(n - 1, room) + room[0] : 0;
}

static void *work(void *unused) {
  volatile char first = 0;
  return descend(500, &first) ? unused : 0;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, (size_t)64 << 20);
  pthread_create(&thread, &large, work, 0);
  pthread_join(thread, 0);
  return 0;
}

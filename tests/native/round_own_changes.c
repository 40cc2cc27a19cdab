// A loop that keeps what it saw in memory that no other thread uses, and leaves
// when it sees something else: a round that changes that memory is not in vain.
// It leaves with 1 and 2, or comes too late for 1 and stays.
// expect output "1 2\n"
// expect error livelock
// algorithms dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, last;

static void set(int to) {
  pthread_mutex_lock(&m);
  value = to;
  pthread_mutex_unlock(&m);
}

static void get(int *to) {
  pthread_mutex_lock(&m);
  *to = value;
  pthread_mutex_unlock(&m);
}

static void *writer(void *unused) {
  set(1);
  set(2);
  return unused;
}

int main(void) {
  pthread_t t;
  int now;
  pthread_create(&t, 0, writer, 0);
  for (;;) {
    get(&now);
    if (last && now != last)
      break;
    last = now;
  }
  pthread_join(t, 0);
  printf("%d %d\n", last, now);
}

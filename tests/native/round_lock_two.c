// A round of two sections, by two mutexes: the first look may be out of date
// when the second one ends the loop.
// expect output "0 1\n"
// expect output "1 1\n"
// waits for several places
// algorithms naive dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
                       n = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static int get(pthread_mutex_t *by, const int *place) {
  pthread_mutex_lock(by);
  int now = *place;
  pthread_mutex_unlock(by);
  return now;
}

static void set(pthread_mutex_t *by, int *place) {
  pthread_mutex_lock(by);
  *place = 1;
  pthread_mutex_unlock(by);
}

static void *writer(void *unused) {
  set(&m, &x);
  set(&n, &y);
  return unused;
}

int main(void) {
  pthread_t t;
  int a, b;
  pthread_create(&t, 0, writer, 0);
  do {
    a = get(&m, &x);
    b = get(&n, &y);
  } while (!b);
  pthread_join(t, 0);
  printf("%d %d\n", a, b);
}

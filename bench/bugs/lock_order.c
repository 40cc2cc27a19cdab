// Two locks in two orders, deep in threads that do much before.
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int log_line, lines[8];
static void note(int x) { lines[atomic_fetch_add(&log_line, 1) % 8] = x; }
static void *first(void *unused) {
  for (int i = 0; i < 3; i++) note(i);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}
static void *second(void *unused) {
  for (int i = 0; i < 3; i++) note(i);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  for (int i = 0; i < 2; i++) note(9);
  pthread_join(s, 0);
  pthread_join(t, 0);
}

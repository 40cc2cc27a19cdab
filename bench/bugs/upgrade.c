// Two readers of a lock want to become its writer: each waits for the other to go.
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int readers;
static atomic_int looked[3];
static void enter(void) {
  pthread_mutex_lock(&lock);
  readers++;
  pthread_mutex_unlock(&lock);
}
static void leave(void) {
  pthread_mutex_lock(&lock);
  readers--;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
}
static void become_writer(void) {
  pthread_mutex_lock(&lock);
  while (readers > 1) pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
}
static void *work(void *argument) {
  int me = *(int *)argument;
  enter();
  for (int i = 0; i < 2; i++) looked[(me + i) % 3]++;
  if (me < 2) become_writer();
  leave();
  return 0;
}
int main(void) {
  static int ids[3] = {0, 1, 2};
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &ids[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}

// Double-checked initialisation without the second check.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, made, uses[4];
static void *user(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 2; i++) uses[me % 2]++;
  if (!ready) {
    pthread_mutex_lock(&lock);
    assert(!made++);
    ready = 1;
    pthread_mutex_unlock(&lock);
  }
  for (int i = 0; i < 2; i++) uses[(me + 1) % 2] = uses[me % 2];
  return 0;
}
int main(void) {
  static int ids[3] = {0, 1, 2};
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, user, &ids[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}

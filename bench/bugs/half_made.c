// Double-checked locking: the flag is set before the object is complete.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made, width, height, seen[4];
static void *user(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 2; i++) seen[(me + i) % 4]++;
  if (!made) {
    pthread_mutex_lock(&lock);
    if (!made) { width = 3; made = 1; height = 4; }
    pthread_mutex_unlock(&lock);
  }
  assert(width * height == 12);
  seen[me] = seen[(me + 1) % 4];
  return 0;
}
int main(void) {
  static int ids[3] = {0, 1, 2};
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, user, &ids[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}

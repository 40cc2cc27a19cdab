// A cache: the entry is looked up under the lock and used without it.  Meanwhile
// another thread gives its place to another key.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { PLACES = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int keys[PLACES], values[PLACES], hits, misses;
static int victim;
static int find(int key) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < PLACES; i++)
    if (keys[i] == key) { hits++; pthread_mutex_unlock(&lock); return i; }
  int place = victim;
  victim = (victim + 1) % PLACES;
  keys[place] = key;
  values[place] = 10 * key;
  misses++;
  pthread_mutex_unlock(&lock);
  return place;
}
static void *user(void *argument) {
  int key = *(int *)argument, place = find(key);
  assert(values[place] == 10 * key);
  return 0;
}
int main(void) {
  static int asked[4] = {1, 2, 3, 1};
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, user, &asked[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}

// Two modules start at the same time; one of them counts on the other's table, and
// looks at its size first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(const int *) table;
static atomic_int size, started, notes[3];
static void *registry(void *unused) {
  static const int entries[2] = {5, 6};
  for (int i = 0; i < 3; i++) notes[i]++;
  size = 2;
  table = entries;
  started++;
  return unused;
}
static void *lookup(void *unused) {
  for (int i = 0; i < 3; i++) notes[i] = notes[(i + 1) % 3];
  const int *t = table;
  int n = size;
  for (int i = 0; i < n; i++) { assert(t); notes[i] = t[i]; }
  started++;
  return unused;
}
static void *monitor(void *unused) {
  for (int i = 0; i < 3; i++) notes[i] += started;
  return unused;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, registry, 0);
  pthread_create(&t[1], 0, lookup, 0);
  pthread_create(&t[2], 0, monitor, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}

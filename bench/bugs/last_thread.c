// Only if the thread that was created last comes first; the others race much.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int order, cells[3];
static void *racer(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 3; i++) cells[i] = cells[(i + me) % 3] + 1;
  order++;
  return 0;
}
static void *late(void *unused) {
  assert(order);
  return unused;
}
int main(void) {
  static int ids[3] = {0, 1, 2};
  pthread_t t[4];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, racer, &ids[i]);
  pthread_create(&t[3], 0, late, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}

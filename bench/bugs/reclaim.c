// A hazard pointer that is not checked again after it was published: the object is
// freed in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) shared, hazard[2];
static atomic_int reads[3];
static void *reader(void *argument) {
  int me = *(int *)argument;
  reads[me]++;
  int *p = shared;
  hazard[me] = p;
  assert(*p);
  reads[(me + 1) % 3]++;
  hazard[me] = NULL;
  return 0;
}
static void *writer(void *unused) {
  int *fresh = malloc(sizeof *fresh);
  *fresh = 2;
  for (int i = 0; i < 3; i++) reads[i] = 0;
  int *old = atomic_exchange(&shared, fresh);
  if (hazard[0] != old && hazard[1] != old) free(old);
  return unused;
}
int main(void) {
  static int ids[2] = {0, 1};
  pthread_t t[3];
  int *object = malloc(sizeof *object);
  *object = 1;
  shared = object;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, reader, &ids[i]);
  pthread_create(&t[2], 0, writer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}

/* json-c: THREADS threads and main share an object by its count of references; the
 * last that puts it back frees it. */
#include <assert.h>
#include <json.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

static struct json_object *shared;
static int freed[THREADS];

static void *worker(void *argument) {
  int *last = argument;
  assert(json_object_get_int(json_object_object_get(shared, "key")) == 1);
  *last = json_object_put(shared);
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  int sum;
  shared = json_object_new_object();
  json_object_object_add(shared, "key", json_object_new_int(1));
  for (int i = 0; i < THREADS; i++) {
    json_object_get(shared);
    pthread_create(&thread[i], NULL, worker, &freed[i]);
  }
  sum = json_object_put(shared);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    sum += freed[i];
  }
  assert(sum == 1);
}

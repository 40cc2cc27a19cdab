// Two threads hold references to a value, read it and let it go.  The last one
// frees it: a count that is not atomic frees it twice, or never.
#include <assert.h>
#include <jansson.h>
#include <pthread.h>

static json_t *shared;

static void *reader(void *unused) {
  assert(json_integer_value(json_object_get(shared, "a")) == 1);
  json_decref(shared);
  return unused;
}

int main(void) {
  shared = json_pack("{s:i}", "a", 1);
  json_incref(shared);
  json_incref(shared);
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(shared->refcount == 1);
  json_decref(shared);
}

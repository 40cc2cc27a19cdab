// A local struct whose address another thread has: its owner's accesses through
// a member are steps, too.  The reader sees 0 or 1; main's write and the read
// of the second thread are ordered by its creation.
// expect error assertion
#include <assert.h>
#include <pthread.h>

struct arg {
  int pad;
  int id;
};

static void *get(void *p) {
  return (void *)(long)((struct arg *)p)->id;
}

int main(void) {
  pthread_t t[2];
  struct arg a = {0, 0};
  void *r[2];
  for (int i = 0; i < 2; i++) {
    a.id = i;
    pthread_create(&t[i], 0, get, &a);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], &r[i]);
  assert(r[0] != r[1]); // expect assertion here
}

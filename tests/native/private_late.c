// What looks private at first turns out to be shared in a later execution only:
// the reader looks at y if it comes before x is set.  The search must begin
// anew, or y == 1 would never be seen.
// expect error assertion
// options --races=off
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *writer(void *unused) {
  y = 1;
  y = 2;
  x = 1;
  return unused;
}

static void *reader(void *unused) {
  if (!x)
    assert(y != 1); // expect assertion here
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}

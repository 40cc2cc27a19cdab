// Many discoveries, for each of which the search begins anew: an element is
// found to be shared only in the execution that looks at it.  If there are too
// many, every access becomes a step; nothing is lost in either case.  Two threads
// that read and write 30 elements one after another, coupled by a flag.
// How often the search begins anew, and so the numbers of steps, depends on the
// way of going back if --verify is on.
// modes undo
// expect error assertion
// algorithms optimal
// options --races=off
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 30
static atomic_int seen;
static int a[N];

static void *writer(void *unused) {
  for (int i = 0; i < N; i++)
    a[i] = 1;
  atomic_store(&seen, 1);
  return unused;
}

static void *reader(void *unused) {
  int i = 0;
  if (!atomic_load(&seen))
    while (i < N && a[i])
      i++;
  assert(i < N - 1); // expect assertion here
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}

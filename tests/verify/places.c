// One variable, in one of four places, is used by one thread with hooks and by
// main (WHO=1) or a second thread (WHO=2) with ACCESS: 1 reads, 2 writes, both
// with hooks; 3 reads, 4 writes without.  The result of a read is not used at
// once.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int unseen_read(const int *);
void unseen_write(int *, int);

enum { GLOBAL = 1, HEAP, LOCAL, TLS };

static int *where;
static int global;
static _Thread_local int thread_local_variable;
static int result;
static atomic_int created;

static int touch(void) {
  switch (ACCESS) {
  case 1:
    return *where;
  case 2:
    *where = 7;
    return 0;
  case 3:
    return unseen_read(where);
  default:
    unseen_write(where, 7);
    return 0;
  }
}

static void *use(void *unused) {
  *where += 1;
  return unused;
}

static void *touch_too(void *unused) {
  result = touch();
  return unused;
}

int main(void) {
  pthread_t user, other;
  int local = 0;
  switch (PLACE) {
  case GLOBAL:
    where = &global;
    break;
  case HEAP:
    where = calloc(1, sizeof *where);
    break;
  case LOCAL:
    where = &local;
    break;
  default:
    where = &thread_local_variable;
  }
  pthread_create(&user, NULL, use, NULL);
  // What the thread does before its first step belongs to the step that creates
  // it: what main does next must be another step.
  created = 1;
  if (WHO == 1) {
    int seen = touch();
    pthread_join(user, NULL);
    result = seen;
    return 0;
  }
  pthread_create(&other, NULL, touch_too, NULL);
  pthread_join(user, NULL);
  pthread_join(other, NULL);
}

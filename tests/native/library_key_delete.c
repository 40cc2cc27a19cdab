// Two threads set a value while main deletes its key: the destructors of none,
// of one or of both of them run.  The order matters with --interfere=locks, too.
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
// options --interfere=locks
// algorithms optimal source
// modes undo
// real no: POSIX leaves the use of a deleted key undefined
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *unused) {
  (void)unused;
  destroyed++;
}

static void *set(void *unused) {
  (void)unused;
  pthread_setspecific(key, &key);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, destroy);
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, set, 0);
  pthread_key_delete(key);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%d\n", destroyed);
}

// A lock that turns out to be an ordinary one, since another thread tries it, is one from
// the beginning of the search: otherwise the swap behind the section is a look or none,
// depending on what was explored before, and --verify finds the step changed.
// options --verify --races=off
// modes undo
// waits for several places
// expect output "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) {
  int c = 0;
  do {
    if (!pthread_mutex_trylock(&m))
      pthread_mutex_unlock(&m);
  } while (!atomic_compare_exchange_weak(&x, &c, (c + 1) & 3));
  return unused;
}
static void *two(void *unused) {
  int c = 0;
  do {
    c = x;
    if (!pthread_mutex_trylock(&m))
      pthread_mutex_unlock(&m);
  } while (!atomic_compare_exchange_weak(&x, &c, (c + 1) & 3));
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d\n", x);
  return 0;
}

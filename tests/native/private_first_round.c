// Rounds of a loop that change memory are no rounds in vain, though there is no other
// thread yet; and a loop of main alone may have many rounds.
// expect output "3 1100000\n"
// expect optimal: executions 1, blocked 0
// algorithms optimal source dc unfold stateful
#include <pthread.h>
#include <stdio.h>

static volatile int n, many;

static void *looks(void *unused) {
  printf("%d %d\n", n, many);
  return unused;
}

int main(void) {
  pthread_t t;
  while (n < 3)
    n++;
  while (many < 1100000)
    many++;
  pthread_create(&t, 0, looks, 0);
  pthread_join(t, 0);
}

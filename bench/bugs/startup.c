// A server whose workers may begin before the handlers are set: the error needs
// one early switch, and what the workers then do has very many orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int (*handler)(int);
static atomic_int statistics[4], total;
static int twice(int x) { return 2 * x; }
static void *worker(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 3; i++) {
    statistics[me] = handler ? handler(i) : -1;
    total += statistics[(me + 1) % 4];
    assert(handler);
  }
  return 0;
}
int main(void) {
  static int ids[4] = {0, 1, 2, 3};
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, worker, &ids[i]);
  handler = twice;
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
}

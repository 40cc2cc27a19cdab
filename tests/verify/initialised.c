/* Variables with initial values of which a page is first used in a step. */
#include <pthread.h>
static volatile int large[200000] = {[150000] = 1};
static void *use(void *unused) { large[150001]++; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, use, 0);
  pthread_join(t, 0);
  return large[150001] != 1;
}

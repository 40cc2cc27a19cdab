#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z[3];

static void *run(void *number) {
  for (int i = 0; i < 2; i++) {
    y = x++ == 2 ? 1 : 2;
    z[(long)number] = y;
  }
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}

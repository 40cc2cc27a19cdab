// A hundred threads that do not disturb each other: one execution.
// expect all: executions 1, blocked 0
// algorithms optimal source
#include <assert.h>
#include <pthread.h>

static int cell[100];

static void *set(void *mine) {
  *(int *)mine = 1;
  return mine;
}

int main(void) {
  pthread_t t[100];
  for (int i = 0; i < 100; i++)
    pthread_create(&t[i], 0, set, &cell[i]);
  for (int i = 0; i < 100; i++) {
    void *result;
    pthread_join(t[i], &result);
    assert(result == &cell[i] && cell[i] == 1);
  }
}

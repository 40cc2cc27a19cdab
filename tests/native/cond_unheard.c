// Signals and broadcasts that no thread waits for have no order: one trace.
// expect all: executions 1, blocked 0
// algorithms optimal source dpor observers unfold dc
#include <pthread.h>

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *tell(void *all) {
  if (all)
    pthread_cond_broadcast(&changed);
  else
    pthread_cond_signal(&changed);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, tell, i % 2 ? &t : 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}

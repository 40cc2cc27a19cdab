// A condition variable is signalled after its end.
// expect error misuse
// expect message use of a condition variable that was destroyed
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void) {
  (void)mutex;
  pthread_cond_destroy(&cond);
  pthread_cond_signal(&cond); // expect misuse here
}

// A mutex is used after its end.
// expect error misuse
// expect message use of a mutex that was destroyed
#include <pthread.h>

static pthread_mutex_t mutex;

int main(void) {
  pthread_mutex_init(&mutex, 0);
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex); // expect misuse here
}

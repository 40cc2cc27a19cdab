// The bytes are no mutex.
// expect error misuse
// expect message use of a mutex that was never initialised
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex;

int main(void) {
  memset(&mutex, 0x5a, sizeof mutex);
  pthread_mutex_lock(&mutex); // expect misuse here
}

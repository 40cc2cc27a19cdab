// The mutex lies in a block that was freed.
// expect error memory
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t *mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, 0);
  pthread_mutex_lock(mutex);
  free(mutex);
  pthread_mutex_unlock(mutex); // expect memory here
}

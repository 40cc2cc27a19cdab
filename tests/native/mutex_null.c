// A null pointer in place of a mutex.
// expect error crash
#include <pthread.h>

int main(void) {
  pthread_mutex_t *volatile none = 0;
  pthread_mutex_lock(none); // expect crash here
}

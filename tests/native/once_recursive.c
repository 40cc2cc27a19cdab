// The routine of a pthread_once calls it again.
// expect error misuse
// expect message calls it again
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void routine(void) {
  pthread_once(&once, routine); // expect misuse here
}

int main(void) {
  pthread_once(&once, routine);
}

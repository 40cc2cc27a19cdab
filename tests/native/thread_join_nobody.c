// What is joined is no thread.
// expect error misuse
// expect message join of something that is not a thread
#include <pthread.h>


int main(void) {
  pthread_t t = 0;
  pthread_join(t, 0); // expect misuse here
}

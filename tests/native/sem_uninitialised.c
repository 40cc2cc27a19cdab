// A semaphore that sem_init has not seen.
// expect error misuse
// expect message use of a semaphore that was never initialised
#include <semaphore.h>

static sem_t sem;

int main(void) {
  sem_post(&sem); // expect misuse here
}

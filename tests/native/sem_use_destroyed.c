// A semaphore is used after its end.
// expect error misuse
// expect message use of a semaphore that was destroyed
#include <semaphore.h>

static sem_t sem;

int main(void) {
  sem_init(&sem, 0, 1);
  sem_destroy(&sem);
  sem_wait(&sem); // expect misuse here
}

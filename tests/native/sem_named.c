// Named semaphores are shared with other processes.
// expect refused sem_open
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  sem_open("/name", O_CREAT, 0600, 1);
}

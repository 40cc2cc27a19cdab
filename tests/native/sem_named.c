// Named semaphores: both threads open the same one, whoever is first makes it,
// and only then with O_EXCL.  Opened by its name, it is the same semaphore.
// expect output "made by main 1\n"
// expect output "made by main 0\n"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static int made;
static char name[32]; /* on real threads, no other process has it */

static void *work(void *unused) {
  sem_t *s = sem_open(name, O_CREAT, 0600, 0);
  sem_post(s);
  sem_close(s);
  return unused;
}

int main(void) {
  pthread_t t;
  snprintf(name, sizeof name, "/turns-%d", (int)getpid());
  if (sem_open(name, 0) != SEM_FAILED || errno != ENOENT)
    return 1;
  pthread_create(&t, 0, work, 0);
  sem_t *s = sem_open(name + 1, O_CREAT | O_EXCL, 0600, 0);
  made = s != SEM_FAILED;
  if (!made)
    s = sem_open(name, 0);
  sem_wait(s);
  pthread_join(t, 0);
  if (sem_close(s) || sem_close(s) != -1 || sem_unlink(name) ||
      sem_unlink(name) != -1)
    return 2;
  printf("made by main %d\n", made);
}

#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next, done[3], finished;

static void *work(void *unused) {
  int out = 0;
  for (int i = 0; i < 4; i++) {
    if (out)
      continue;
    pthread_mutex_lock(&m);
    int job = next;
    if (job < 3)
      next = job + 1;
    pthread_mutex_unlock(&m);
    if (job == 3) {
      out = 1;
      continue;
    }
    done[job] = 1;
    pthread_mutex_lock(&m);
    finished++;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}

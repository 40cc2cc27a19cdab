// Two consumers wait with a timeout, for one item each.  The second signal may
// find one of them, both or none.
// expect output "done\n"
// algorithms dpor source optimal
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused) {
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&m);
  while (!items)
    pthread_cond_timedwait(&c, &m, &soon);
  items--;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, consumer, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  puts(items ? "left" : "done");
}

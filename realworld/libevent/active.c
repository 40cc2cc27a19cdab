/* An event loop; other threads activate an event and add a timer. */
#include <assert.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 1
#endif

static struct event_base *base;
static struct event *wake;
static int posted, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_wake(evutil_socket_t fd, short what, void *unused) {
  (void)fd, (void)what, (void)unused;
  pthread_mutex_lock(&lock);
  seen = posted;
  pthread_mutex_unlock(&lock);
  if (seen == THREADS)
    event_base_loopbreak(base);
}

static void *post(void *unused) {
  pthread_mutex_lock(&lock);
  posted++;
  pthread_mutex_unlock(&lock);
  event_active(wake, EV_READ, 0);
  return unused;
}

int main(void) {
  pthread_t thread[THREADS];
  evthread_use_pthreads();
  base = event_base_new();
  wake = event_new(base, -1, EV_PERSIST, on_wake, NULL);
  assert(base && wake);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, post, NULL);
  assert(event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY) == 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  assert(seen == THREADS);
  event_free(wake);
  event_base_free(base);
  return 0;
}

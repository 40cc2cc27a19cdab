/* MPAT(K), nested critical sections: for each of K mutexes one thread takes it
 * alone, and one takes it inside a mutex that all of these share.
 *
 * Paper 4, table 1.  The inner sections are ordered K! ways, each outer one
 * comes before or after: 2^K * K! traces. */
#include "common.h"

#ifndef K
#define K 3
#endif

static pthread_mutex_t outer[K];
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static int count[K], sum;

static void *one(void *argument) {
  int id = (int)(long)argument;
  pthread_mutex_lock(&outer[id]);
  count[id]++;
  pthread_mutex_unlock(&outer[id]);
  return 0;
}

static void *two(void *argument) {
  int id = (int)(long)argument;
  pthread_mutex_lock(&all);
  pthread_mutex_lock(&outer[id]);
  sum += ++count[id];
  assert(sum >= 1 && sum <= 2 * K);
  pthread_mutex_unlock(&outer[id]);
  pthread_mutex_unlock(&all);
  return 0;
}

int main(void) {
  pthread_t ones[K], twos[K];
  for (int id = 0; id < K; id++)
    pthread_mutex_init(&outer[id], 0);
  for (int id = 0; id < K; id++) {
    start(&ones[id], 1, one, id);
    start(&twos[id], 1, two, id);
  }
}

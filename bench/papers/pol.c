/* POL(N,K): N threads each set a flag; K times one thread chooses a flag
 * while another takes the chosen one.
 *
 * Paper 4, table 1; the counts are the paper's. */
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

static pthread_mutex_t flag_lock[N];
static pthread_mutex_t choice_lock = PTHREAD_MUTEX_INITIALIZER;
static int flag[N], choice, taken;

static void *set(void *argument) {
  int id = (int)(long)argument;
  pthread_mutex_lock(&flag_lock[id]);
  flag[id] = 1;
  pthread_mutex_unlock(&flag_lock[id]);
  return 0;
}

static void *choose(void *argument) {
  for (int id = 1; id < N; id++) {
    pthread_mutex_lock(&choice_lock);
    choice = id;
    pthread_mutex_unlock(&choice_lock);
  }
  return argument;
}

static void *take(void *argument) {
  pthread_mutex_lock(&choice_lock);
  int id = choice;
  pthread_mutex_unlock(&choice_lock);
  pthread_mutex_lock(&flag_lock[id]);
  if (flag[id] == 1) {
    taken++;
    flag[id] = 0;
  }
  pthread_mutex_unlock(&flag_lock[id]);
  return argument;
}

int main(void) {
  pthread_t setters[N], others[2];
  for (int id = 0; id < N; id++)
    pthread_mutex_init(&flag_lock[id], 0);
  start(setters, N, set, 0);
  for (int i = 0; i < K; i++) {
    start(&others[0], 1, choose, 0);
    start(&others[1], 1, take, 0);
    join(others, 2);
  }
  assert(taken >= 0 && taken <= N);
  join(setters, N);
  for (int id = 0; id < N; id++)
    taken += flag[id];
  assert(taken == N);
}

/* DISP(S,R), a dispatcher: main gives R requests to S servers, and which server
 * gets one is decided by a thread that picks while main looks.
 *
 * Paper 4, table 1.  Everything shared is protected by a mutex, so that the
 * traces are the orders of critical sections: the counts are the paper's. */
#include "common.h"

#ifndef S
#define S 3
#endif
#ifndef R
#define R 2
#endif

static pthread_mutex_t server_lock[S];
static pthread_mutex_t choice_lock = PTHREAD_MUTEX_INITIALIZER;
static int choice, in[S], out[S];

static void *serve(void *argument) {
  int id = (int)(long)argument;
  pthread_mutex_lock(&server_lock[id]);
  if (in[id] > 0)
    out[id] = in[id];
  assert(out[id] <= R);
  pthread_mutex_unlock(&server_lock[id]);
  return 0;
}

static void *choose(void *argument) {
  for (int id = 0; id < S; id++) {
    pthread_mutex_lock(&choice_lock);
    choice = id;
    pthread_mutex_unlock(&choice_lock);
  }
  return argument;
}

static void request(void) {
  pthread_t chooser;
  start(&chooser, 1, choose, 0);
  pthread_mutex_lock(&choice_lock);
  int id = choice;
  pthread_mutex_unlock(&choice_lock);
  assert(id >= 0 && id < S);
  pthread_mutex_lock(&server_lock[id]);
  in[id]++;
  pthread_mutex_unlock(&server_lock[id]);
  join(&chooser, 1);
}

int main(void) {
  pthread_t servers[S];
  for (int id = 0; id < S; id++)
    pthread_mutex_init(&server_lock[id], 0);
  start(servers, S, serve, 0);
  for (int i = 0; i < R; i++)
    request();
}

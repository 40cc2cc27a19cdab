// nng's task queue: its threads run two tasks, and main waits for them.
#include <assert.h>

#include "core/nng_impl.h"

#ifndef THREADS
#define THREADS 1
#endif

/* The library's start sets these, and starts more threads. */
extern pthread_mutexattr_t nni_mxattr;
extern pthread_condattr_t nni_cvattr;
extern pthread_attr_t nni_thrattr;

static void work(void *done) {
  ++*(int *)done;
}

int main(void) {
  static nni_taskq *queue;
  static nni_task task[2];
  static int done[2];
  pthread_mutexattr_init(&nni_mxattr);
  pthread_condattr_init(&nni_cvattr);
  pthread_attr_init(&nni_thrattr);
  assert(nni_taskq_init(&queue, THREADS) == 0);
  for (int i = 0; i < 2; i++) {
    nni_task_init(&task[i], queue, work, &done[i]);
    nni_task_dispatch(&task[i]);
  }
  for (int i = 0; i < 2; i++) {
    nni_task_wait(&task[i]);
    assert(done[i] == 1);
    nni_task_fini(&task[i]);
  }
  nni_taskq_fini(queue);
}

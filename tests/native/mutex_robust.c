// A thread ends and holds a robust mutex.  The next one to lock it is told, and
// makes it consistent, unlocks it (then it is of no more use) or ends, too.
// Main has locked last.  2 orders of lock and end for each of 3 ways, where main's
// lock is not first (theory: in each way, the thread's lock is before main's or
// after it, and the end of the thread is ordered with main's lock by the join).
// expect output "0: thread 130, main 0\n"
// expect output "0: thread 0, main 130\n"
// expect output "1: thread 130, main 131\n"
// expect output "1: thread 0, main 130\n"
// expect output "2: thread 130, main 130\n"
// expect output "2: thread 0, main 130\n"
// expect optimal: executions 6, blocked 0
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include "heddle.h"

static pthread_mutex_t m;
static int way, result;

static void *dies(void *unused) {
  pthread_mutex_lock(&m);
  return unused;
}

static void *locks(void *unused) {
  result = pthread_mutex_lock(&m);
  if (way == 2)
    return unused;
  if (way == 0 && result)
    pthread_mutex_consistent(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  if (pthread_mutex_unlock(&m) != EPERM || pthread_mutex_consistent(&m) != EINVAL)
    return 1;
  pthread_create(&t, 0, dies, 0);
  pthread_join(t, 0);
  way = (int)heddle_choose(3);
  pthread_create(&t, 0, locks, 0);
  int mine = pthread_mutex_lock(&m);
  if (mine == EOWNERDEAD)
    pthread_mutex_consistent(&m);
  if (mine != ENOTRECOVERABLE)
    pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  printf("%d: thread %d, main %d\n", way, result, mine);
}

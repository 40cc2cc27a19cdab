/* fib(N): the task for n > 1 starts one for n-1 and one for n-2, which add
 * their results to it in an atomic block.
 *
 * Two blocks that meet in each task with children, and nothing else that is not
 * ordered by starting and joining: 2^K traces for K such tasks, that is K = 1,
 * 2, 4, 7 for N = 2..5.  A block reads the sum, so that observers changes
 * nothing; adding commutes. */
#include "common.h"

#ifndef N
#define N 3
#endif

struct task {
  int n, sum;
  struct task *parent;
};

block void add(struct task *to, int result) {
  heddle_atomic_begin();
  to->sum += result;
  heddle_atomic_end();
}

static void *fib(void *argument) {
  struct task *task = argument;
  if (task->n > 1) {
    struct task left = {task->n - 1, 0, task}, right = {task->n - 2, 0, task};
    pthread_t threads[2];
    pthread_create(&threads[0], 0, fib, &left);
    pthread_create(&threads[1], 0, fib, &right);
    join(threads, 2);
  } else {
    task->sum = task->n;
  }
  if (task->parent)
    add(task->parent, task->sum);
  return 0;
}

int main(void) {
  struct task root = {N, 0, 0};
  pthread_t thread;
  pthread_create(&thread, 0, fib, &root);
  pthread_join(thread, 0);
  int a = 0, b = 1;
  for (int i = 0; i < N; i++) {
    int next = a + b;
    a = b;
    b = next;
  }
  assert(root.sum == a);
}

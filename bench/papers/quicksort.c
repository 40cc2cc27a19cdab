/* quicksort(N): a task with elements puts the first one between the smaller and
 * the larger ones and starts a task for either side; each places its result in
 * the parent, and counts what it placed, in an atomic block.
 *
 * The paper's counts 32, 64, 128, 256 for N = 2..5 and its longest executions
 * of 23, 27, 31, 35 steps are those of N+3 elements: a task for each, with two
 * children whose blocks meet: 2^(N+3) traces.  A block reads the number, so
 * that observers changes nothing. */
#include "common.h"

#ifndef N
#define N 2
#endif
#define ELEMENTS (N + 3)

struct task {
  int values[ELEMENTS], count; /* to sort; sorted at last */
  int placed, offset;          /* offset: where in the parent's values */
  struct task *parent;
};

static const int input[] = {3, 6, 1, 4, 0, 2, 7, 5};

block void place(struct task *to, const struct task *from) {
  heddle_atomic_begin();
  for (int i = 0; i < from->count; i++)
    to->values[from->offset + i] = from->values[i];
  to->placed += from->count;
  heddle_atomic_end();
}

block void split(struct task *task, struct task *small, struct task *large) {
  heddle_atomic_begin();
  *small = (struct task){.parent = task};
  *large = (struct task){.parent = task};
  int pivot = task->values[0];
  for (int i = 1; i < task->count; i++) {
    struct task *side = task->values[i] < pivot ? small : large;
    side->values[side->count++] = task->values[i];
  }
  large->offset = small->count + 1;
  task->values[small->count] = pivot;
  heddle_atomic_end();
}

static void *quicksort(void *argument) {
  struct task *task = argument;
  if (task->count > 0) {
    struct task small, large;
    split(task, &small, &large);
    pthread_t threads[2];
    pthread_create(&threads[0], 0, quicksort, &small);
    pthread_create(&threads[1], 0, quicksort, &large);
    join(threads, 2);
    assert(task->placed == task->count - 1);
  }
  if (task->parent)
    place(task->parent, task);
  return 0;
}

int main(void) {
  struct task root = {.count = ELEMENTS};
  for (int i = 0; i < ELEMENTS; i++)
    root.values[i] = input[i];
  pthread_t thread;
  pthread_create(&thread, 0, quicksort, &root);
  pthread_join(thread, 0);
  heddle_atomic_begin();
  for (int i = 1; i < ELEMENTS; i++)
    assert(root.values[i - 1] < root.values[i]);
  heddle_atomic_end();
}

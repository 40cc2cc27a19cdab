/* psort(N): a pipeline of cells sorts N numbers, which arrive in any order: a
 * cell keeps the smallest number it has seen and passes the others on.
 *
 * The k-th cell gets N-k+1 messages: N! (N-1)! ... 1! traces, 288 and 34560 for
 * N = 4 and 5, as in paper 2.  Which of two messages makes a cell send depends
 * on their order, so that the next cell's task is another one: of what the
 * paper counts as equal (2 and 8 executions) only a part is equal here. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 3
#endif

struct cell {
  int number; /* 0: none */
  int seen;
  struct heddle_actor *next;
};

static const struct heddle_actor_type cell_type = {
    .name = "cell", .size = sizeof(struct cell)};

static void put(void *state, void *message) {
  struct cell *cell = state;
  int number = *(int *)message, larger = cell->number;
  cell->seen++;
  if (number >= cell->number && cell->number) {
    larger = number;
  } else {
    cell->number = number;
  }
  if (larger)
    heddle_send(cell->next, put, &larger, sizeof larger);
}

int main(void) {
  struct heddle_actor *cell[N + 1] = {0};
  for (int i = N; i-- > 0;)
    cell[i] = heddle_spawn(&cell_type, &(struct cell){0, 0, cell[i + 1]});
  for (int i = 0; i < N; i++)
    heddle_send(cell[0], put, HEDDLE_MESSAGE(int, N - i));
  heddle_run();
  for (int i = 0; i < N; i++) {
    const struct cell *end = heddle_state(cell[i]);
    assert(end->number == i + 1 && end->seen == N - i);
  }
}

/* psort-pushed(N): psort(N) in another way.  A cell keeps the smallest number
 * that it has seen and passes on the larger of two as soon as it knows it.
 *
 * The k-th cell gets N-k+1 messages: N! (N-1)! ... 1! traces, as in psort.  But
 * which of two tasks sends depends on their order, and a task is the child of
 * the one that sent its message: what the next cell gets is the same, who gets
 * it there is not, and the two orders do not commute. */
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

static void put(void *, void *);

static heddle_handler *const put_sends[] = {put, 0};
static const struct heddle_handles handles[] = {{put, put_sends}, {0, 0}};
static const struct heddle_actor_type cell_type = {
    "cell", sizeof(struct cell), HEDDLE_PRIVATE, handles};

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

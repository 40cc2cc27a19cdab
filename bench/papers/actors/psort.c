/* psort(N): a row of cells sorts N numbers, which arrive in any order.  A cell
 * keeps the smallest of what it got and passes the others on.
 *
 * The k-th cell gets N-k+1 numbers, in messages that all change its state: N!
 * (N-1)! ... 1! traces, 288 and 34560 for N = 4 and 5, as in paper 2.  What a
 * cell has got is a set, so they all come to the same.  A cell passes on when
 * it has awaited all that it got, so that it is always the same task that
 * sends: psort-pushed is another way. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 3
#endif

struct cell {
  unsigned set; /* of the numbers that it got, by bits */
  struct heddle_actor *next;
};

static void put(void *state, void *message) {
  struct cell *cell = state;
  cell->set |= 1u << *(int *)message;
}

/* The message is what to get, as a set. */
static void sort(void *state, void *message) {
  struct cell *cell = state;
  struct heddle_future *got[N];
  unsigned all = *(unsigned *)message;
  int count = 0;
  for (int i = 0; i < N; i++)
    if (all & 1u << i)
      got[count++] = heddle_ask(heddle_self(), put, HEDDLE_MESSAGE(int, i));
  while (count)
    heddle_await(got[--count]);
  unsigned larger = cell->set & (cell->set - 1);
  cell->set ^= larger;
  if (larger)
    heddle_send(cell->next, sort, &larger, sizeof larger);
}

static heddle_handler *const sort_sends[] = {put, sort, 0};
static const struct heddle_handles handles[] = {
    {sort, sort_sends}, {put, 0}, {0, 0}};
static const struct heddle_actor_type cell_type = {
    "cell", sizeof(struct cell), HEDDLE_PRIVATE, handles};

int main(void) {
  struct heddle_actor *cell[N + 1] = {0};
  for (int i = N; i-- > 0;)
    cell[i] = heddle_spawn(&cell_type, &(struct cell){0, cell[i + 1]});
  heddle_send(cell[0], sort, HEDDLE_MESSAGE(unsigned, (1u << N) - 1));
  heddle_run();
  for (int i = 0; i < N; i++)
    assert(((struct cell *)heddle_state(cell[i]))->set == 1u << i);
}

/* msort(N): an actor has two others sort the halves of its part, which merge
 * their results into it by messages.
 *
 * Two merges meet in each of the N-1 actors with more than one element: 2^(N-1)
 * traces, 256 for N = 9.  Merging commutes. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 9
#endif

struct part {
  int size, item[N];
};

struct sorter {
  struct part part, sorted;
  struct heddle_actor *parent;
};

static void sort(void *, void *), merge(void *, void *);

static heddle_handler *const sort_sends[] = {sort, merge, 0};
static const struct heddle_handles handles[] = {
    {sort, sort_sends}, {merge, 0}, {0, 0}};
static const struct heddle_actor_type sorter_type = {
    "sorter", sizeof(struct sorter), HEDDLE_PRIVATE, handles};

static void merge(void *state, void *message) {
  struct sorter *s = state;
  struct part one = s->sorted, other = *(struct part *)message;
  struct part merged = {one.size + other.size, {0}};
  for (int i = 0, a = 0, b = 0; i < merged.size; i++)
    if (b == other.size || (a < one.size && one.item[a] <= other.item[b]))
      merged.item[i] = one.item[a++];
    else
      merged.item[i] = other.item[b++];
  s->sorted = merged;
}

static void sort(void *state, void *message) {
  struct sorter *s = state;
  (void)message;
  if (s->part.size > 1) {
    struct heddle_future *f[2];
    int half = s->part.size / 2;
    for (int i = 0; i < 2; i++) {
      struct sorter child = {.parent = heddle_self()};
      child.part.size = i ? s->part.size - half : half;
      for (int k = 0; k < child.part.size; k++)
        child.part.item[k] = s->part.item[i * half + k];
      f[i] = heddle_ask(heddle_spawn(&sorter_type, &child), sort,
                        HEDDLE_NOTHING);
    }
    heddle_await(f[0]);
    heddle_await(f[1]);
  } else {
    s->sorted = s->part;
  }
  if (s->parent)
    heddle_await(heddle_ask(s->parent, merge, &s->sorted, sizeof s->sorted));
}

int main(void) {
  struct sorter root = {.part.size = N};
  for (int i = 0; i < N; i++)
    root.part.item[i] = N - i;
  struct heddle_actor *actor = heddle_spawn(&sorter_type, &root);
  heddle_send(actor, sort, HEDDLE_NOTHING);
  heddle_run();
  const struct sorter *end = heddle_state(actor);
  for (int i = 0; i < N; i++)
    assert(end->sorted.item[i] == i + 1);
}

/* qsort(N): an actor splits its part at the first element, has one actor sort
 * each side that has more than one element, and gets the sorted sides back by
 * messages, which place them.
 *
 * Both sides are counted in the same word where there are two: 2^K traces for K
 * such actors.  Placing them commutes. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 9
#endif

struct part {
  int size, item[N];
};

struct placed {
  int at;
  struct part part;
};

struct sorter {
  int done, at;
  struct part part;
  struct heddle_actor *parent;
};

static void sort(void *, void *), place(void *, void *);

static heddle_handler *const sort_sends[] = {sort, place, 0};
static const struct heddle_handles handles[] = {
    {sort, sort_sends}, {place, 0}, {0, 0}};
static const struct heddle_actor_type sorter_type = {
    "sorter", sizeof(struct sorter), HEDDLE_PRIVATE, handles};

static void place(void *state, void *message) {
  struct sorter *s = state;
  const struct placed *p = message;
  for (int i = 0; i < p->part.size; i++)
    s->part.item[p->at + i] = p->part.item[i];
  s->done += p->part.size;
}

static int smaller(const struct part *from, int pivot, struct part *to) {
  for (int i = 1; i < from->size; i++)
    if (from->item[i] < pivot)
      to->item[to->size++] = from->item[i];
  return to->size;
}

static void larger(const struct part *from, int pivot, struct part *to) {
  for (int i = 1; i < from->size; i++)
    if (from->item[i] >= pivot)
      to->item[to->size++] = from->item[i];
}

static struct heddle_future *sort_side(const struct part *side, int at) {
  struct sorter child = {.at = at, .part = *side, .parent = heddle_self()};
  return side->size ? heddle_ask(heddle_spawn(&sorter_type, &child), sort,
                                 HEDDLE_NOTHING)
                    : 0;
}

static void sort(void *state, void *message) {
  struct sorter *s = state;
  (void)message;
  if (s->part.size > 1) {
    struct part left = {0}, right = {0};
    int pivot = s->part.item[0], middle = smaller(&s->part, pivot, &left);
    larger(&s->part, pivot, &right);
    s->part.item[middle] = pivot;
    struct heddle_future *l = sort_side(&left, 0);
    struct heddle_future *r = sort_side(&right, middle + 1);
    if (l)
      heddle_await(l);
    if (r)
      heddle_await(r);
  }
  struct placed result = {.at = s->at, .part = s->part};
  if (s->parent)
    heddle_await(heddle_ask(s->parent, place, &result, sizeof result));
}

int main(void) {
  struct sorter root = {.part.size = N};
  for (int i = 0; i < N; i++)
    root.part.item[i] = (i * 7 + 3) % N; /* 7 and N have no common divisor */
  struct heddle_actor *actor = heddle_spawn(&sorter_type, &root);
  heddle_send(actor, sort, HEDDLE_NOTHING);
  heddle_run();
  const struct sorter *end = heddle_state(actor);
  for (int i = 0; i < N; i++)
    assert(end->part.item[i] == i);
}

// Michael and Scott's queue: E threads put one item each, D threads take one each, or
// find the queue empty.
#include "common.h"

#include <stdbool.h>

#ifndef E
#define E 3
#endif
#ifndef D
#define D 1
#endif
struct node {
  _Atomic(struct node *) next;
  int item;
};
static struct node nodes[E + 1];
static _Atomic(struct node *) head = &nodes[E], tail = &nodes[E];
static int taken[E];

static void put(struct node *n) {
  for (;;) {
    struct node *last = tail, *next = last->next;
    if (last != tail)
      continue;
    if (next) {
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
      atomic_compare_exchange_strong(&tail, &last, n);
      return;
    }
  }
}

/* False: the queue is empty. */
static bool take(int *item) {
  for (;;) {
    struct node *first = head, *last = tail, *next = first->next;
    if (first != head)
      continue;
    if (first != last) {
      *item = next->item;
      if (atomic_compare_exchange_strong(&head, &first, next))
        return true;
    } else if (!next) {
      return false;
    } else {
      atomic_compare_exchange_strong(&tail, &last, next);
    }
  }
}

static void *run(void *number) {
  int i = (int)(long)number;
  if (i < E) {
    nodes[i].item = i;
    put(&nodes[i]);
    return 0;
  }
  int item;
  if (take(&item))
    assert(!taken[item]++);
  return 0;
}

int main(void) {
  run_threads(E + D, run);
}

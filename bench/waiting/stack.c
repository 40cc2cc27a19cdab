// N threads put a node on a stack and take one.  Other threads follow the links.
// For N = 2 there are 8 executions: tests/native/retry_link.c says why.
#include "common.h"

#ifndef N
#define N 3
#endif
struct node {
  struct node *next;
};
static struct node nodes[N];
static _Atomic(struct node *) top;

static void push(struct node *n) {
  struct node *old = top;
  do
    n->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, n));
}

static struct node *pop(void) {
  struct node *first, *next;
  do {
    first = top;
    next = first->next;
  } while (!atomic_compare_exchange_strong(&top, &first, next));
  return first;
}

static void *run(void *number) {
  push(&nodes[(long)number]);
  assert(pop());
  return 0;
}

int main(void) {
  run_threads(N, run);
  assert(!top);
}

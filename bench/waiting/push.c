// N threads put a node each on a stack.  The link is written between the read of the
// top and the swap; no other thread uses the nodes.  The pushes are ordered: N!.
#include "common.h"

#ifndef N
#define N 5
#endif
struct node {
  struct node *next;
};
static struct node nodes[N];
static _Atomic(struct node *) top;

static void *push(void *number) {
  struct node *n = &nodes[(long)number], *old = top;
  do
    n->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, n));
  return 0;
}

int main(void) {
  run_threads(N, push);
}

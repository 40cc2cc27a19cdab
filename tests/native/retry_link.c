// Two threads put a node on a stack and take one.  Others follow the links, but only
// those of nodes that they have found on the stack.  So putting is one step; the
// write of the link does not count.
// The four operations have 6 orders.  A thread that takes reads the top before it
// follows the link and swaps: in between the other one may put its node there and
// take it again, which makes 2 more.
// expect optimal: executions 8
// expect output "1 2\n"
// expect output "2 1\n"
// algorithms dpor source optimal unfold
// waits for several places
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
  struct node *next;
  int item;
};
static struct node nodes[2] = {{0, 1}, {0, 2}};
static struct node *_Atomic top;
static int took[2];

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
  took[(long)number] = pop()->item;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)1);
  run(0);
  pthread_join(t, 0);
  printf("%d %d\n", took[0], took[1]);
}

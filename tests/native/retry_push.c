// A node is put on a stack, in the four ways in which people write it: the node's
// link is written between the read and the swap, or by them.  No other thread
// uses the node.  Each thread's push is one step: 4!.
// expect optimal: executions 24, blocked 0
// expect source: executions 24, blocked 0
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node *next;
};
static struct node nodes[4];
static struct node *_Atomic top;

static void *push_carried(void *node) {
  struct node *n = node, *old = top;
  do
    n->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, n));
  return 0;
}

static void *push_in_node(void *node) {
  struct node *n = node;
  n->next = top;
  while (!atomic_compare_exchange_strong(&top, &n->next, n))
    ;
  return 0;
}

static void *push_read_again(void *node) {
  struct node *n = node, *old;
  do {
    old = top;
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
  return 0;
}

static void *push_linked_again(void *node) {
  struct node *n = node;
  do
    n->next = top;
  while (!atomic_compare_exchange_strong(&top, &n->next, n));
  return 0;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, push_carried, &nodes[0]);
  pthread_create(&t[1], 0, push_in_node, &nodes[1]);
  pthread_create(&t[2], 0, push_read_again, &nodes[2]);
  pthread_create(&t[3], 0, push_linked_again, &nodes[3]);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  assert(top);
}

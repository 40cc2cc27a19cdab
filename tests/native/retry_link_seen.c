// A thread looks at the link of a node that another one is putting on a stack, and
// then at the stack: the link may be there before the node is.
// expect output "link 0, top 0\n"
// expect output "link 0, top 1\n"
// expect output "link 0, top 2\n"
// expect output "link 2, top 1\n"
// expect output "link 2, top 2\n"
// options --races=off
// algorithms dpor source optimal pop unfold observers cs
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
  struct node *next;
  int number;
};
static struct node nodes[2] = {{0, 1}, {0, 2}};
static struct node *_Atomic top;

static void *push(void *node) {
  struct node *n = node, *old;
  do {
    old = top;
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
  return 0;
}

static int number(const struct node *n) {
  return n ? n->number : 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, push, &nodes[0]);
  pthread_create(&t[1], 0, push, &nodes[1]);
  int link = number(nodes[0].next), first = number(top);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  printf("link %d, top %d\n", link, first);
}

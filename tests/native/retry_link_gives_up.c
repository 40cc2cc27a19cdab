// The link is written before the loop looks whether the stack is closed.
// expect output "0 closed, 0 closed\n"
// expect output "0 closed, 1 alone\n"
// expect output "1 alone, 0 closed\n"
// expect output "1 alone, 1 below\n"
// expect output "1 below, 1 alone\n"
// algorithms dpor source optimal unfold
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
  struct node *next;
};
static struct node nodes[2], closed;
static struct node *_Atomic top;

static void *push(void *node) {
  struct node *n = node, *old = top;
  do {
    n->next = old;
    if (old == &closed)
      return 0;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
  return n;
}

static const char *link(const struct node *n) {
  return n->next == &closed ? "closed" : n->next ? "below" : "alone";
}

int main(void) {
  pthread_t t[2];
  void *put[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, push, &nodes[i]);
  top = &closed;
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], &put[i]);
  printf("%d %s, %d %s\n", !!put[0], link(&nodes[0]), !!put[1],
         link(&nodes[1]));
}

// A stack whose nodes are handed over without order: also the write of a link, which
// is part of the step that puts the node there, races with the thread that follows
// the link.
// options --races=error
// expect error race
// algorithms dpor source optimal unfold
// waits for several places
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node *next;
};
static struct node nodes[2];
static struct node *_Atomic top;

static void *push(void *node) {
  struct node *n = node;
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do
    n->next = old; // expect race with line 31
  while (!atomic_compare_exchange_strong_explicit(
      &top, &old, n, memory_order_relaxed, memory_order_relaxed));
  return 0;
}

static struct node *follow(void) {
  struct node *first = atomic_load_explicit(&top, memory_order_relaxed);
  if (!first)
    return 0;
  return first->next;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, push, &nodes[0]);
  pthread_create(&t[1], 0, push, &nodes[1]);
  follow();
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}

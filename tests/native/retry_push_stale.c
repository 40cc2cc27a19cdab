// A link that is written in some rounds only: after a failure the node may keep
// the link of the round before.
// expect output "takes first, linked to nothing\n"
// expect output "takes first, linked to first\n"
// expect output "takes node, linked to first\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
  const char *name;
  struct node *next;
};
static struct node nothing = {"nothing", 0};
static struct node first = {"first", 0}, node = {"node", &nothing};
static struct node *_Atomic top = &first;

static void *push(void *unused) {
  struct node *old = top;
  do
    if (old)
      node.next = old;
  while (!atomic_compare_exchange_strong(&top, &old, &node));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  struct node *taken = atomic_exchange(&top, 0);
  pthread_join(t, 0);
  printf("takes %s, linked to %s\n", taken->name, node.next->name);
}

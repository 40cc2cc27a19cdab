// A failure is stored in the node, and looked at there before the next round: a
// stack that is closed is not used again.
// expect output "closed open, 0 failed\n"
// expect output "closed node, 0 failed\n"
// expect output "closed open, 1 failed\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
  const char *name;
  struct node *next;
};
static struct node open = {"open", 0}, closed = {"closed", 0};
static struct node node = {"node", 0};
static struct node *_Atomic top = &open;

static void *push(void *unused) {
  node.next = top;
  while (!atomic_compare_exchange_strong(&top, &node.next, &node))
    if (node.next == &closed)
      return (void *)1;
  return unused;
}

int main(void) {
  pthread_t t;
  void *failed;
  pthread_create(&t, 0, push, 0);
  struct node *before = atomic_exchange(&top, &closed);
  pthread_join(t, &failed);
  printf("closed %s, %ld failed\n", before->name, (long)failed);
}

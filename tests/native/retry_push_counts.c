// A round looks at what the round before wrote: it matters how often the swap
// failed.
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
  struct node *next;
  int failures;
};
static struct node nodes[2];
static struct node *_Atomic top;

static void *push(void *number) {
  struct node *n = &nodes[(long)number], *old = top;
  do {
    if (n->next != n)
      n->failures++;
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) {
    nodes[i].next = &nodes[i];
    pthread_create(&t[i], 0, push, (void *)i);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d\n", nodes[0].failures + nodes[1].failures);
}

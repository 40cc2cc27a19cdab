// A node is taken from a stack and put back while another thread is about to follow
// its link.  That thread swaps a link that is out of date: the ABA problem.
// expect output "first took 1 2, second 0: 1\n"
// expect output "first took 1 2, second 1:\n"
// expect output "first took 1 2, second 1: 2\n"
// expect output "first took 1 0, second 2: 1\n"
// expect output "first took 2 0, second 1: 2\n"
// algorithms dpor source optimal unfold
// waits for several places
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
  struct node *next;
  int number;
};
static struct node nodes[2] = {{&nodes[1], 1}, {0, 2}};
static struct node *_Atomic top = &nodes[0];

static void push(struct node *n) {
  struct node *old;
  do {
    old = top;
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
}

static struct node *pop(void) {
  struct node *first;
  do {
    first = top;
    if (!first)
      return 0;
  } while (!atomic_compare_exchange_strong(&top, &first, first->next));
  return first;
}

static int number(const struct node *n) {
  return n ? n->number : 0;
}

static void *take(void *unused) {
  (void)unused;
  return pop();
}

int main(void) {
  pthread_t t;
  void *second;
  pthread_create(&t, 0, take, 0);
  struct node *a = pop(), *b = pop();
  if (a)
    push(a);
  pthread_join(t, &second);
  printf("first took %d %d, second %d:", number(a), number(b), number(second));
  for (struct node *n = top; n; n = n->next)
    printf(" %d", number(n));
  puts("");
}

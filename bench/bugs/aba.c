// A stack of nodes that are used again: compare-and-swap is fooled.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node { struct node *next; atomic_int used; };
static _Atomic(struct node *) top;
static struct node nodes[3];
static struct node *pop(void) {
  struct node *t = top;
  while (t && !atomic_compare_exchange_strong(&top, &t, t->next))
    ;
  return t;
}
static void push(struct node *n) {
  struct node *t = top;
  do
    n->next = t;
  while (!atomic_compare_exchange_strong(&top, &t, n));
}
static void *work(void *unused) {
  struct node *x = pop(), *y = pop();
  if (x) { assert(!atomic_exchange(&x->used, 1)); x->used = 0; push(x); }
  if (y) { assert(!atomic_exchange(&y->used, 1)); y->used = 0; push(y); }
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 3; i++) push(&nodes[i]);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}

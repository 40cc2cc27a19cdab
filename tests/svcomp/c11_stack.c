extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static _Atomic(struct node *) top;
static void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &n->next, n)) ;
}
static void *worker(void *arg) { push(*(int *)arg); return 0; }
int main(void) {
  pthread_t t;
  int one = 1, sum = 0;
  pthread_create(&t, 0, worker, &one);
  push(2);
  pthread_join(t, 0);
  for (struct node *n = top, *next; n; n = next) {
    sum += n->value;
    next = n->next;
    free(n);
  }
  if (sum != 3) reach_error();
  return 0;
}

// Two threads put elements into one queue without a lock.
// expect error assertion
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static struct node {
  struct node *next, *previous;
} head, nodes[2];

static void *put(void *node) {
  insque(node, &head);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  insque(&head, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, put, &nodes[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  int count = 0;
  for (struct node *n = head.next; n; n = n->next)
    count++;
  assert(count == 2);
}

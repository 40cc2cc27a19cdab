/* Concurrency Kit's stack: POPPERS threads pop while PUSHERS threads push one
 * entry each; at the end every entry came exactly once. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <ck_stack.h>

#ifndef PUSHERS
#define PUSHERS 2
#endif
#ifndef POPPERS
#define POPPERS 1
#endif
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define push JOIN(ck_stack_push_, KIND)
#define pop JOIN(ck_stack_pop_, KIND)

/* The swap of two words wants it aligned. */
static ck_stack_t stack CK_CC_CACHELINE = CK_STACK_INITIALIZER;
static struct node {
  ck_stack_entry_t entry;
  int value;
} node[PUSHERS];
CK_STACK_CONTAINER(struct node, entry, node_of)
static ck_stack_entry_t *popped[POPPERS];

static void *pusher(void *argument) {
  struct node *n = argument;
  n->value = 7;
  push(&stack, &n->entry);
  return NULL;
}

static void *popper(void *argument) {
  ck_stack_entry_t **place = argument;
  *place = pop(&stack);
  assert(!*place || node_of(*place)->value == 7);
  return NULL;
}

int main(void) {
  pthread_t thread[PUSHERS + POPPERS];
  int seen[PUSHERS] = {0};
  for (int i = 0; i < PUSHERS; i++)
    pthread_create(&thread[i], NULL, pusher, &node[i]);
  for (int i = 0; i < POPPERS; i++)
    pthread_create(&thread[PUSHERS + i], NULL, popper, &popped[i]);
  for (int i = 0; i < PUSHERS + POPPERS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < POPPERS; i++)
    if (popped[i]) seen[node_of(popped[i]) - node]++;
  for (ck_stack_entry_t *e; (e = pop(&stack));) seen[node_of(e) - node]++;
  for (int i = 0; i < PUSHERS; i++) assert(seen[i] == 1);
}

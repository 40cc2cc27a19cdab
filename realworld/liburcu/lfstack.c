/* liburcu's lock-free stack: PUSHERS threads push one node each, POPPERS threads
 * pop one each meanwhile, under the stack's mutex, or all at once. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <urcu/lfstack.h>

#ifndef PUSHERS
#define PUSHERS 2
#endif
#ifndef POPPERS
#define POPPERS 1
#endif

static struct cds_lfs_stack stack;
static struct item {
  struct cds_lfs_node node;
  int value, seen;
} item[PUSHERS];

static struct item *item_of(struct cds_lfs_node *node) {
  return (struct item *)((char *)node - offsetof(struct item, node));
}

static void see(struct cds_lfs_node *node) {
  assert(item_of(node)->value == 7);
  item_of(node)->seen++;
}

static void *pusher(void *argument) {
  struct item *i = argument;
  i->value = 7;
  cds_lfs_push(&stack, &i->node);
  return NULL;
}

static void *popper(void *argument) {
#ifdef ALL
  struct cds_lfs_head *head = cds_lfs_pop_all_blocking(&stack);
  struct cds_lfs_node *node;
  cds_lfs_for_each(head, node) see(node);
#else
  struct cds_lfs_node *node = cds_lfs_pop_blocking(&stack);
  if (node) see(node);
#endif
  return argument;
}

int main(void) {
  pthread_t thread[PUSHERS + POPPERS];
  cds_lfs_init(&stack);
  for (int i = 0; i < PUSHERS; i++) {
    cds_lfs_node_init(&item[i].node);
    pthread_create(&thread[i], NULL, pusher, &item[i]);
  }
  for (int i = 0; i < POPPERS; i++)
    pthread_create(&thread[PUSHERS + i], NULL, popper, NULL);
  for (int i = 0; i < PUSHERS + POPPERS; i++) pthread_join(thread[i], NULL);
  for (struct cds_lfs_node *node; (node = cds_lfs_pop_blocking(&stack));)
    see(node);
  for (int i = 0; i < PUSHERS; i++) assert(item[i].seen == 1);
  cds_lfs_destroy(&stack);
}

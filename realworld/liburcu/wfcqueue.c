/* liburcu's queue that enqueues without waiting: SENDERS threads enqueue one
 * node each, main dequeues meanwhile (or splices all), and the rest at the end.
 * Every node comes once, and holds what was written before. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <urcu/wfcqueue.h>

#ifndef SENDERS
#define SENDERS 2
#endif

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item {
  struct cds_wfcq_node node;
  int value, seen;
} item[SENDERS];

static void *sender(void *argument) {
  struct item *i = argument;
  i->value = 7;
  cds_wfcq_enqueue(&head, &tail, &i->node);
  return NULL;
}

static struct item *item_of(struct cds_wfcq_node *node) {
  return (struct item *)((char *)node - offsetof(struct item, node));
}

static void see(struct cds_wfcq_node *node) {
  assert(item_of(node)->value == 7);
  item_of(node)->seen++;
}

static void take_meanwhile(void) {
#ifdef SPLICE
  struct cds_wfcq_head to;
  struct cds_wfcq_tail to_tail;
  struct cds_wfcq_node *node;
  cds_wfcq_init(&to, &to_tail);
  cds_wfcq_splice_blocking(&to, &to_tail, &head, &tail);
  while ((node = __cds_wfcq_dequeue_blocking(&to, &to_tail))) see(node);
#else
  struct cds_wfcq_node *node = cds_wfcq_dequeue_blocking(&head, &tail);
  if (node) see(node);
#endif
}

int main(void) {
  pthread_t thread[SENDERS];
  cds_wfcq_init(&head, &tail);
  for (int i = 0; i < SENDERS; i++) {
    cds_wfcq_node_init(&item[i].node);
    pthread_create(&thread[i], NULL, sender, &item[i]);
  }
  take_meanwhile();
  for (int i = 0; i < SENDERS; i++) pthread_join(thread[i], NULL);
  for (struct cds_wfcq_node *node;
       (node = cds_wfcq_dequeue_blocking(&head, &tail));)
    see(node);
  for (int i = 0; i < SENDERS; i++) assert(item[i].seen == 1);
  cds_wfcq_destroy(&head, &tail);
}

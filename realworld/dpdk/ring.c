/* DPDK's ring: PRODUCERS threads enqueue one object each, CONSUMERS threads try
 * to dequeue one; no object is lost, none comes twice. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include <rte_ring.h>
#include <rte_tailq.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef FLAGS
#define FLAGS 0
#endif

/* What rte_ring.c needs of the rest. */
int rte_log(uint32_t level, uint32_t type, const char *format, ...) {
  (void)level, (void)type, (void)format;
  return 0;
}
void __rte_panic(const char *function, const char *format, ...) {
  (void)function, (void)format;
  abort();
}
int rte_eal_tailq_register(struct rte_tailq_elem *list) {
  (void)list;
  return 0;
}
__thread int per_lcore__rte_errno;

enum { SIZE = 4 };
static struct {
  struct rte_ring ring;
  void *slot[SIZE];
} memory __attribute__((aligned(64)));
static struct rte_ring *ring = &memory.ring;
static int object[PRODUCERS], seen[PRODUCERS];
static void *got[CONSUMERS];

static void *producer(void *argument) {
  *(int *)argument = 7;
  assert(rte_ring_enqueue(ring, argument) == 0);
  return NULL;
}

static void *consumer(void *argument) {
  void **place = argument;
  if (rte_ring_dequeue(ring, place) == 0) assert(*(int *)*place == 7);
  return NULL;
}

int main(void) {
  pthread_t thread[PRODUCERS + CONSUMERS];
  void *rest;
  assert(rte_ring_init(ring, "ring", SIZE, FLAGS) == 0);
  for (int i = 0; i < PRODUCERS; i++)
    pthread_create(&thread[i], NULL, producer, &object[i]);
  for (int i = 0; i < CONSUMERS; i++)
    pthread_create(&thread[PRODUCERS + i], NULL, consumer, &got[i]);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < CONSUMERS; i++)
    if (got[i]) seen[(int *)got[i] - object]++;
  while (rte_ring_dequeue(ring, &rest) == 0) seen[(int *)rest - object]++;
  for (int i = 0; i < PRODUCERS; i++) assert(seen[i] == 1);
}

/* RCU: READERS threads read a node while main puts another in its place, UPDATES
 * times, waits for a grace period and frees the old one.  With DEFER main reads,
 * too, and the helper thread of call_rcu frees what main is reading. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#if defined FLAVOUR_QSBR
#include <urcu-qsbr.h>
#elif defined FLAVOUR_BP
#include <urcu-bp.h>
#else
#include <urcu.h>
#endif

#ifndef READERS
#define READERS 1
#endif
#ifndef UPDATES
#define UPDATES 1
#endif

struct node {
  struct rcu_head head;
  int alive;
};

static struct node *shared;
static int freed;

static struct node *node_new(void) {
  struct node *node = calloc(1, sizeof *node);
  node->alive = 1;
  return node;
}

static void node_free(struct rcu_head *head) {
  struct node *node = caa_container_of(head, struct node, head);
  node->alive = 0;
  free(node);
  freed++;
}

static void *reader(void *argument) {
  rcu_register_thread();
  rcu_read_lock();
  struct node *node = rcu_dereference(shared);
  assert(node->alive);
  rcu_read_unlock();
  rcu_unregister_thread();
  return argument;
}

static void update(void) {
  struct node *old = rcu_xchg_pointer(&shared, node_new());
#ifdef DEFER
  rcu_read_lock();
  call_rcu(&old->head, node_free);
  assert(old->alive);
  rcu_read_unlock();
  rcu_barrier();
#else
  synchronize_rcu();
  node_free(&old->head);
#endif
}

int main(void) {
  pthread_t thread[READERS + 1];
  shared = node_new();
  rcu_register_thread();
  for (int i = 0; i < READERS; i++)
    pthread_create(&thread[i], NULL, reader, NULL);
  for (int i = 0; i < UPDATES; i++)
    update();
  assert(freed == UPDATES);
  rcu_unregister_thread();
  for (int i = 0; i < READERS; i++)
    pthread_join(thread[i], NULL);
  free(shared);
}

/* Concurrency Kit's queues: SENDERS threads put one value each, RECEIVERS threads
 * take what is there; at the end every value came exactly once. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <ck_fifo.h>

#ifndef SENDERS
#define SENDERS 1
#endif
#ifndef RECEIVERS
#define RECEIVERS 1
#endif
#ifndef ITEMS
#define ITEMS 1
#endif

enum { ALL = SENDERS * ITEMS };
static int value[ALL];
static int *taken[RECEIVERS][ITEMS];

#ifdef MPMC
static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub, entry[ALL], *garbage;
static void start(void) { ck_fifo_mpmc_init(&fifo, &stub); }
static void put(int k) { ck_fifo_mpmc_enqueue(&fifo, &entry[k], &value[k]); }
static int *take(void) {
  ck_fifo_mpmc_entry_t *old;
  int *found;
  return ck_fifo_mpmc_dequeue(&fifo, &found, &old) ? found : NULL;
}
static void end(void) { ck_fifo_mpmc_deinit(&fifo, &garbage); }
#else
static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t stub, entry[ALL], *garbage;
static void start(void) { ck_fifo_spsc_init(&fifo, &stub); }
static void put(int k) { ck_fifo_spsc_enqueue(&fifo, &entry[k], &value[k]); }
static int *take(void) {
  int *found;
  return ck_fifo_spsc_dequeue(&fifo, &found) ? found : NULL;
}
static void end(void) { ck_fifo_spsc_deinit(&fifo, &garbage); }
#endif

static void *sender(void *argument) {
  int i = (int)(long)argument;
  for (int k = i * ITEMS; k < (i + 1) * ITEMS; k++) {
    value[k] = 100 + k;
    put(k);
  }
  return NULL;
}

static void *receiver(void *argument) {
  int i = (int)(long)argument;
  for (int n = 0; n < ITEMS; n++) {
    int *found = taken[i][n] = take();
    assert(!found || *found == 100 + (found - value));
    if (SENDERS == 1 && n && found && taken[i][n - 1])
      assert(taken[i][n - 1] < found);
  }
  return NULL;
}

int main(void) {
  pthread_t thread[SENDERS + RECEIVERS];
  int seen[ALL] = {0};
  start();
  for (long i = 0; i < SENDERS; i++)
    pthread_create(&thread[i], NULL, sender, (void *)i);
  for (long i = 0; i < RECEIVERS; i++)
    pthread_create(&thread[SENDERS + i], NULL, receiver, (void *)i);
  for (int i = 0; i < SENDERS + RECEIVERS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < RECEIVERS; i++)
    for (int n = 0; n < ITEMS; n++)
      if (taken[i][n]) seen[taken[i][n] - value]++;
  for (int *found; (found = take());) seen[found - value]++;
  for (int k = 0; k < ALL; k++) assert(seen[k] == 1);
  end();
}

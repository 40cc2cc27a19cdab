/* Concurrency Kit's ring: PRODUCERS threads enqueue one or two items each,
 * CONSUMERS threads try to dequeue as often.  No item is lost, none comes
 * twice, and those of one producer come in order. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include <ck_ring.h>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define enqueue JOIN(ck_ring_enqueue_, KIND)
#define dequeue JOIN(ck_ring_dequeue_, KIND)

enum { SIZE = 4, ALL = PRODUCERS * ITEMS };
static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];
static struct item {
  int value;
} item[ALL];
static int got[CONSUMERS][ALL]; /* items in the order of the consumer */
static int count[CONSUMERS];

static void *producer(void *argument) {
  int i = (int)(long)argument;
  for (int k = i * ITEMS; k < (i + 1) * ITEMS; k++) {
    item[k].value = 100 + k;
    (void)enqueue(&ring, buffer, &item[k]); /* a full ring takes none */
  }
  return NULL;
}

static void take(int i) {
  struct item *next;
  if (!dequeue(&ring, buffer, &next)) return;
  int k = (int)(next - item);
  assert(next->value == 100 + k);
  for (int j = 0; j < count[i]; j++)
    assert(got[i][j] / ITEMS != k / ITEMS || got[i][j] < k);
  got[i][count[i]++] = k;
}

static void *consumer(void *argument) {
  for (int n = 0; n < ITEMS; n++) take((int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t thread[PRODUCERS + CONSUMERS];
  int seen[ALL] = {0};
  ck_ring_init(&ring, SIZE);
  for (long i = 0; i < PRODUCERS; i++)
    pthread_create(&thread[i], NULL, producer, (void *)i);
  for (long i = 0; i < CONSUMERS; i++)
    pthread_create(&thread[PRODUCERS + i], NULL, consumer, (void *)i);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(thread[i], NULL);
  for (int n = 0; n < ALL; n++) take(0); /* what is left */
  for (int i = 0; i < CONSUMERS; i++)
    for (int j = 0; j < count[i]; j++) seen[got[i][j]]++;
  for (int k = 0; k < ALL && ALL < SIZE; k++) assert(seen[k] == 1);
}

// The queue between the threads of mksquashfs: producers put numbers into a
// queue of one place, main takes all of them.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "caches-queues-lists.h"

#ifndef PRODUCERS
#define PRODUCERS 2
#endif

static struct queue *queue;

static void *producer(void *number) {
  queue_put(queue, number);
  return 0;
}

int main(void) {
  pthread_t t[PRODUCERS];
  bool seen[PRODUCERS] = {0};
  queue = queue_init(1);
  for (uintptr_t i = 0; i < PRODUCERS; i++)
    pthread_create(&t[i], 0, producer, (void *)(i + 1));
  for (int i = 0; i < PRODUCERS; i++) {
    uintptr_t number = (uintptr_t)queue_get(queue);
    assert(number >= 1 && number <= PRODUCERS && !seen[number - 1]);
    seen[number - 1] = true;
  }
  for (int i = 0; i < PRODUCERS; i++)
    pthread_join(t[i], 0);
  assert(queue_empty(queue));
}

/* What the queue needs of the rest of mksquashfs. */
int add_overflow(int a, int b) {
  return __builtin_add_overflow(a, b, &a);
}

int multiply_overflow(int a, int b) {
  return __builtin_mul_overflow(a, b, &a);
}

void prep_exit(void) {}
void progressbar_error(char *format, ...) {
  (void)format;
}
void progressbar_info(char *format, ...) {
  (void)format;
}

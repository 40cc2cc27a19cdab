// A ring buffer that takes one item too many: the test for "full" is off by one, and
// an item that was not read is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { SIZE = 2, ITEMS = 4 };
static atomic_int slots[SIZE], head, tail, log_of[2];
static void *producer(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    while (head - tail > SIZE)
      ;
    slots[head % SIZE] = i;
    head++;
    log_of[i % 2]++;
  }
  return unused;
}
static void *consumer(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    while (head == tail)
      ;
    assert(slots[tail % SIZE] == i);
    tail++;
    log_of[i % 2]--;
  }
  return unused;
}
int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, producer, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(p, 0);
  pthread_join(c, 0);
}

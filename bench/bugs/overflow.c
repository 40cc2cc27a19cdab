// A ring of two slots, the full test and the put are two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, slots[2], dropped;
static void *producer(void *unused) {
  for (int i = 0; i < 2; i++) {
    if (count < 2) {
      int at = atomic_fetch_add(&count, 1);
      assert(at < 2);
      slots[at] = i;
    } else {
      dropped++;
    }
  }
  return unused;
}
static void *consumer(void *unused) {
  for (int i = 0; i < 2; i++)
    if (count > 0) {
      int seen = slots[0] + slots[1];
      dropped += seen;
      count--;
    }
  return unused;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, consumer, 0);
  pthread_create(&t[1], 0, producer, 0);
  pthread_create(&t[2], 0, producer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}

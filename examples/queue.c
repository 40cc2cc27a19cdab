/* A bounded queue on the heap.  Two consumers wait for items with `if`. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { CAPACITY = 4 };

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty;
  int items[CAPACITY];
  int head;
  int len;
};

static struct queue *queue_new(void) {
  struct queue *q = calloc(1, sizeof *q);
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->not_empty, NULL);
  return q;
}

static void queue_put(struct queue *q, int item) {
  pthread_mutex_lock(&q->lock);
  q->items[(q->head + q->len) % CAPACITY] = item;
  q->len++;
  pthread_cond_broadcast(&q->not_empty);
  pthread_mutex_unlock(&q->lock);
}

static int queue_take(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  if (q->len == 0) /* must be `while` */
    pthread_cond_wait(&q->not_empty, &q->lock);
  assert(q->len > 0);
  int item = q->items[q->head];
  q->head = (q->head + 1) % CAPACITY;
  q->len--;
  pthread_mutex_unlock(&q->lock);
  return item;
}

static void *consumer(void *arg) {
  struct queue *q = arg;
  queue_take(q);
  return NULL;
}

int main(void) {
  struct queue *q = queue_new();
  pthread_t consumers[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&consumers[i], NULL, consumer, q);
  queue_put(q, 1);
  queue_put(q, 2);
  for (int i = 0; i < 2; i++)
    pthread_join(consumers[i], NULL);
  free(q);
  return 0;
}

/* procon(N): paper 2, figure 3.  A producer stores N items in a buffer with
 * room for all, a consumer takes N times; each awaits the end of one request
 * before the next.
 *
 * The requests of both mix in C(2N,N) ways, all of them traces: each reads and
 * writes the count.  Where the buffer is not empty, storing and taking commute:
 * which takes found it empty says all, 2^N. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 3
#endif

struct buffer {
  int item[N];
  int first, count;
};

static void store(void *, void *), take(void *, void *);
static void produce(void *, void *), consume(void *, void *);

static heddle_handler *const produce_sends[] = {store, 0};
static heddle_handler *const consume_sends[] = {take, 0};
static const struct heddle_handles buffer_handles[] = {
    {store, 0}, {take, 0}, {0, 0}};
static const struct heddle_handles client_handles[] = {
    {produce, produce_sends}, {consume, consume_sends}, {0, 0}};
static const struct heddle_actor_type buffer_type = {
    "buffer", sizeof(struct buffer), HEDDLE_PRIVATE, buffer_handles};
static const struct heddle_actor_type client_type = {
    "client", sizeof(struct heddle_actor *), HEDDLE_PRIVATE, client_handles};

static void store(void *state, void *message) {
  struct buffer *b = state;
  b->item[b->first + b->count] = *(int *)message;
  b->count++;
}

static void take(void *state, void *message) {
  struct buffer *b = state;
  int item = 0;
  (void)message;
  if (b->count) {
    item = b->item[b->first];
    b->first++;
    b->count--;
  }
  heddle_reply(&item, sizeof item);
}

static void produce(void *state, void *message) {
  struct heddle_actor *buffer = *(struct heddle_actor **)state;
  (void)message;
  for (int i = 1; i <= N; i++)
    heddle_await(heddle_ask(buffer, store, HEDDLE_MESSAGE(int, i)));
}

static void consume(void *state, void *message) {
  struct heddle_actor *buffer = *(struct heddle_actor **)state;
  (void)message;
  for (int i = 1; i <= N; i++)
    heddle_await(heddle_ask(buffer, take, HEDDLE_NOTHING));
}

int main(void) {
  struct heddle_actor *buffer = heddle_spawn(&buffer_type, 0);
  heddle_send(heddle_spawn(&client_type, &buffer), produce, HEDDLE_NOTHING);
  heddle_send(heddle_spawn(&client_type, &buffer), consume, HEDDLE_NOTHING);
  heddle_run();
  const struct buffer *end = heddle_state(buffer);
  assert(end->first + end->count == N);
}

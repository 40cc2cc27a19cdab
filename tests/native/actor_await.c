// Producer and consumer of paper 2 with two items: the tasks of the buffer are
// ordered as the threads' steps would be, C(4,2) ways, of which 2^2 differ.
// options --races=off
// expect optimal: executions 6, blocked 0
// expect source: executions 6
// expect cs: executions 4
// expect optimal-cs: executions 4
#include <assert.h>
#include <heddle_actor.h>

enum { ITEMS = 2 };

struct buffer {
  int item[ITEMS];
  int first, count;
};

static const struct heddle_actor_type buffer_type = {
    .name = "buffer", .size = sizeof(struct buffer)};
static const struct heddle_actor_type client_type = {
    .name = "client", .size = sizeof(struct heddle_actor *)};

static void store(void *state, void *message) {
  struct buffer *b = state;
  b->item[b->first + b->count] = *(int *)message;
  b->count++;
}

static void take(void *state, void *message) {
  struct buffer *b = state;
  int item = 0;
  assert(!message);
  if (b->count) {
    item = b->item[b->first];
    b->first++;
    b->count--;
  }
  heddle_reply(&item, sizeof item);
}

static void produce(void *state, void *message) {
  struct heddle_actor *buffer = *(struct heddle_actor **)state;
  for (int i = 1; i <= *(int *)message; i++)
    heddle_await(heddle_ask(buffer, store, HEDDLE_MESSAGE(int, i)));
}

static void consume(void *state, void *message) {
  struct heddle_actor *buffer = *(struct heddle_actor **)state;
  for (int i = 1; i <= *(int *)message; i++) {
    struct heddle_future *item = heddle_ask(buffer, take, HEDDLE_NOTHING);
    assert(HEDDLE_AWAIT(int, item) <= ITEMS);
    assert(heddle_is_done(item) && *(const int *)heddle_result(item) <= ITEMS);
    heddle_forget(item);
  }
}

int main(void) {
  struct heddle_actor *buffer = heddle_spawn(&buffer_type, 0);
  heddle_send(heddle_spawn(&client_type, &buffer), produce,
              HEDDLE_MESSAGE(int, ITEMS));
  heddle_send(heddle_spawn(&client_type, &buffer), consume,
              HEDDLE_MESSAGE(int, ITEMS));
  heddle_run();
  const struct buffer *end = heddle_state(buffer);
  assert(end->count >= 0 && end->count <= ITEMS);
}

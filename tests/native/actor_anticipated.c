// What is declared is used: when a client has begun or heard, nothing that is
// left may touch its state but its own tasks, so no other task need be tried in
// their place.  All orders come to the same: 3! of the additions, and 2 in each
// client.  actor_anticipated_off.c is the same without the use of declarations.
// algorithms optimal cs optimal-cs
// options --races=off
// expect optimal: executions 48, blocked 0
// expect cs: executions 1
// expect optimal-cs: executions 1
#include <assert.h>
#include <heddle_actor.h>

struct client {
  int number, heard;
  struct heddle_actor *sum;
};

static void add(void *state, void *message) {
  *(int *)state += *(int *)message;
}

static void hear(void *state, void *message) {
  (void)message;
  ((struct client *)state)->heard++;
}

static void begin(void *state, void *message) {
  struct client *client = state;
  (void)message;
  heddle_await(
      heddle_ask(client->sum, add, HEDDLE_MESSAGE(int, client->number)));
  client->heard++;
}

static heddle_handler *const begin_sends[] = {add, 0};
static const struct heddle_handles sum_handles[] = {{add, 0}, {0, 0}};
static const struct heddle_handles client_handles[] = {
    {begin, begin_sends}, {hear, 0}, {0, 0}};
static const struct heddle_actor_type sum_type = {
    "sum", sizeof(int), HEDDLE_PRIVATE, sum_handles};
static const struct heddle_actor_type client_type = {
    "client", sizeof(struct client), HEDDLE_PRIVATE, client_handles};

int main(void) {
  struct heddle_actor *sum = heddle_spawn(&sum_type, 0);
  for (int i = 1; i <= 3; i++) {
    struct heddle_actor *client =
        heddle_spawn(&client_type, &(struct client){i, 0, sum});
    heddle_send(client, begin, HEDDLE_NOTHING);
    heddle_send(client, hear, HEDDLE_NOTHING);
  }
  heddle_run();
  assert(*(int *)heddle_state(sum) == 6);
}

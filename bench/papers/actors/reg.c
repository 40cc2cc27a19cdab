/* reg(N): N clients register with a server, which has one database enter them.
 * Each awaits that; it also hears from main, and counts both.
 *
 * N! orders in the database, 2 in each client: N! 2^N traces, 384, 3840 and
 * 46080 for N = 4, 5, 6, as in paper 2.  All of them come to the same. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 3
#endif

struct database {
  int count;
  char known[N];
};

struct client {
  int number, heard;
  struct heddle_actor *server;
};

static void enter(void *state, void *message) {
  struct database *database = state;
  database->known[*(int *)message] = 1;
  database->count++;
}

static void forward(void *state, void *message) {
  struct heddle_actor *database = *(struct heddle_actor **)state;
  heddle_await(heddle_ask(database, enter, message, sizeof(int)));
}

static void hear(void *state, void *message) {
  struct client *client = state;
  (void)message;
  client->heard++;
}

static void begin(void *state, void *message) {
  struct client *client = state;
  (void)message;
  heddle_await(heddle_ask(client->server, forward, &client->number,
                          sizeof client->number));
  client->heard++;
}

static heddle_handler *const forward_sends[] = {enter, 0};
static heddle_handler *const begin_sends[] = {forward, 0};
static const struct heddle_handles database_handles[] = {{enter, 0}, {0, 0}};
static const struct heddle_handles server_handles[] = {
    {forward, forward_sends}, {0, 0}};
static const struct heddle_handles client_handles[] = {
    {begin, begin_sends}, {hear, 0}, {0, 0}};

static const struct heddle_actor_type database_type = {
    "database", sizeof(struct database), HEDDLE_PRIVATE, database_handles};
static const struct heddle_actor_type server_type = {
    "server", sizeof(struct heddle_actor *), HEDDLE_PRIVATE, server_handles};
static const struct heddle_actor_type client_type = {
    "client", sizeof(struct client), HEDDLE_PRIVATE, client_handles};

int main(void) {
  struct heddle_actor *client[N];
  struct heddle_actor *database = heddle_spawn(&database_type, 0);
  struct heddle_actor *server = heddle_spawn(&server_type, &database);
  for (int i = 0; i < N; i++) {
    client[i] = heddle_spawn(&client_type, &(struct client){i, 0, server});
    heddle_send(client[i], begin, HEDDLE_NOTHING);
    heddle_send(client[i], hear, HEDDLE_NOTHING);
  }
  heddle_run();
  assert(((struct database *)heddle_state(database))->count == N);
  for (int i = 0; i < N; i++)
    assert(((struct client *)heddle_state(client[i]))->heard == 2);
}

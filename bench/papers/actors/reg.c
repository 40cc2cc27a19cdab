/* reg(N): N clients register with a server, which forwards them to one
 * database; the database counts them and acknowledges.  Each client is also
 * told by main that it may begin, and counts both.
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
};

struct request {
  int number;
  struct heddle_actor *client;
};

static const struct heddle_actor_type database_type = {
    .name = "database", .size = sizeof(struct database)};
static const struct heddle_actor_type server_type = {
    .name = "server", .size = sizeof(struct heddle_actor *)};
static const struct heddle_actor_type client_type = {
    .name = "client", .size = sizeof(struct client)};

static void hear(void *state, void *message) {
  struct client *client = state;
  (void)message;
  client->heard++;
}

static void enter(void *state, void *message) {
  struct database *database = state;
  const struct request *r = message;
  database->known[r->number] = 1;
  database->count++;
  heddle_send(r->client, hear, HEDDLE_NOTHING);
}

static void forward(void *state, void *message) {
  struct heddle_actor *database = *(struct heddle_actor **)state;
  heddle_send(database, enter, message, sizeof(struct request));
}

static void begin(void *state, void *message) {
  const struct client *client = state;
  struct request r = {client->number, heddle_self()};
  heddle_send(*(struct heddle_actor **)message, forward, &r, sizeof r);
}

int main(void) {
  struct heddle_actor *client[N];
  struct heddle_actor *database = heddle_spawn(&database_type, 0);
  struct heddle_actor *server = heddle_spawn(&server_type, &database);
  for (int i = 0; i < N; i++) {
    client[i] = heddle_spawn(&client_type, &(struct client){i, 0});
    heddle_send(client[i], begin, &server, sizeof server);
    heddle_send(client[i], hear, HEDDLE_NOTHING);
  }
  heddle_run();
  assert(((struct database *)heddle_state(database))->count == N);
  for (int i = 0; i < N; i++)
    assert(((struct client *)heddle_state(client[i]))->heard == 2);
}

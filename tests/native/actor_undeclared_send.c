// A handler sends what it did not declare.
// expect error misuse
// expect message ping of actors of type player does not declare that it sends to pong
// algorithms optimal
// modes undo
#include <heddle_actor.h>

static void ping(void *, void *), pong(void *, void *);

static const struct heddle_handles handles[] = {{ping, 0}, {pong, 0}, {0, 0}};
static const struct heddle_actor_type player_type = {
    .name = "player", .size = sizeof(int), .handles = handles};

static void ping(void *state, void *message) {
  (void)state, (void)message;
  heddle_send(heddle_self(), pong, HEDDLE_NOTHING); // expect misuse here
}

static void pong(void *state, void *message) {
  (void)state, (void)message;
}

int main(void) {
  heddle_send(heddle_spawn(&player_type, 0), ping, HEDDLE_NOTHING);
  heddle_run();
}

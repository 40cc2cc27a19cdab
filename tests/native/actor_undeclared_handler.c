// A message for a handler that the receiver's type does not have.
// expect error misuse
// expect message actors of type player do not declare the handler pong
// algorithms optimal
// modes undo
#include <heddle_actor.h>

static void ping(void *state, void *message) {
  (void)state, (void)message;
}

static void pong(void *state, void *message) {
  (void)state, (void)message;
}

static const struct heddle_handles handles[] = {{ping, 0}, {0, 0}};
static const struct heddle_actor_type player_type = {
    .name = "player", .size = sizeof(int), .handles = handles};

int main(void) {
  heddle_send(heddle_spawn(&player_type, 0), ping, HEDDLE_NOTHING);
  heddle_send(heddle_spawn(&player_type, 0), pong, HEDDLE_NOTHING);
  heddle_run();
}

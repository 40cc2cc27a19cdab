// Declarations that hold: which handlers there are, and what they send.
// expect optimal: executions 2, blocked 0
#include <heddle_actor.h>

static void ping(void *, void *), pong(void *, void *);
static struct heddle_actor *a, *b;

static heddle_handler *const ping_sends[] = {pong, 0};
static const struct heddle_handles handles[] = {
    {ping, ping_sends}, {pong, 0}, {0, 0}};
static const struct heddle_actor_type player_type = {
    .name = "player", .size = sizeof(int), .handles = handles};

static void ping(void *state, void *message) {
  (void)message;
  *(int *)state += 1;
  heddle_send(heddle_self() == a ? b : a, pong, HEDDLE_NOTHING);
}

static void pong(void *state, void *message) {
  (void)message;
  *(int *)state *= 2;
}

int main(void) {
  a = heddle_spawn(&player_type, 0);
  b = heddle_spawn(&player_type, 0);
  heddle_send(a, ping, HEDDLE_NOTHING);
  heddle_send(b, pong, HEDDLE_NOTHING);
  heddle_run();
}

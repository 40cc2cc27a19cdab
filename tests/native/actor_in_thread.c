// expect refused a message is sent in a thread: only main and tasks may use actors
#include <heddle_actor.h>
#include <pthread.h>

static const struct heddle_actor_type any_type = {.name = "any", .size = 4};

static void task(void *state, void *message) {
  (void)state, (void)message;
}

static void *thread(void *actor) {
  heddle_send(actor, task, HEDDLE_NOTHING);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, heddle_spawn(&any_type, 0));
  pthread_join(t, 0);
}

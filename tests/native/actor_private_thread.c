// The accesses of a new thread would not be checked, so a task of an actor that
// is HEDDLE_PRIVATE creates no thread.
// expect error misuse
// expect message a thread is created in a task of an actor that is HEDDLE_PRIVATE
// algorithms optimal
// modes undo
#include <heddle_actor.h>
#include <pthread.h>

static const struct heddle_actor_type type = {
    .name = "maker", .size = 1, .flags = HEDDLE_PRIVATE};

static void *nothing(void *unused) {
  return unused;
}

static void make(void *state, void *message) {
  pthread_t thread;
  (void)state, (void)message;
  pthread_create(&thread, 0, nothing, 0); // expect misuse here
}

int main(void) {
  heddle_send(heddle_spawn(&type, 0), make, HEDDLE_NOTHING);
  heddle_run();
}

// What follows from an actor with declarations must be declared, too: it creates
// no actor without.
// expect error misuse
// expect message creates an actor of type free, which lacks one of these
// algorithms optimal cs
// modes undo
#include <heddle_actor.h>

static void make(void *, void *);

static const struct heddle_handles handles[] = {{make, 0}, {0, 0}};
static const struct heddle_actor_type maker_type = {
    "maker", 1, HEDDLE_PRIVATE, handles};
static const struct heddle_actor_type free_type = {.name = "free", .size = 1};

static void make(void *state, void *message) {
  (void)state, (void)message;
  heddle_spawn(&free_type, 0); // expect misuse here
}

int main(void) {
  heddle_send(heddle_spawn(&maker_type, 0), make, HEDDLE_NOTHING);
  heddle_run();
}

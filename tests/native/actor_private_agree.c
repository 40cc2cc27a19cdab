// What a handler sends does not depend on whose it is.
// expect error misuse
// expect message types other and one declare different messages for ping
// algorithms optimal
// modes undo
#include <heddle_actor.h>

static void ping(void *state, void *message) {
  (void)state, (void)message;
}

static heddle_handler *const ping_sends[] = {ping, 0};
static const struct heddle_handles one_handles[] = {{ping, 0}, {0, 0}};
static const struct heddle_handles other_handles[] = {{ping, ping_sends},
                                                      {0, 0}};
static const struct heddle_actor_type one_type = {.name = "one",
                                                  .handles = one_handles};
static const struct heddle_actor_type other_type = {.name = "other",
                                                    .handles = other_handles};

int main(void) {
  heddle_spawn(&one_type, 0);
  heddle_spawn(&other_type, 0); // expect misuse here
}

// tests/models/cs-anticipated.model with actors: to stop wherever a sleeper can
// no longer be woken, as paper 2 says, loses an outcome.  p looks at y while z
// becomes 3; r looks at x, then at z, and if it finds 3 has y become 1.
// algorithms naive source optimal cs optimal-cs
// options --races=off
// expect output "p=0 r=0 y=0\n"
// expect output "p=0 r=3 y=1\n"
// expect output "p=1 r=3 y=1\n"
#include <heddle_actor.h>
#include <stdio.h>

struct reader {
  int seen;
  struct heddle_actor *x, *y, *z;
};

static void get(void *state, void *message) {
  (void)message;
  heddle_reply(state, sizeof(int));
}

static void set(void *state, void *message) {
  *(int *)state = *(int *)message;
}

static void p(void *state, void *message) {
  struct reader *me = state;
  (void)message;
  me->seen = HEDDLE_AWAIT(int, heddle_ask(me->y, get, HEDDLE_NOTHING));
}

static void r(void *state, void *message) {
  struct reader *me = state;
  (void)message;
  heddle_await(heddle_ask(me->x, get, HEDDLE_NOTHING));
  me->seen = HEDDLE_AWAIT(int, heddle_ask(me->z, get, HEDDLE_NOTHING));
  if (me->seen == 3)
    heddle_send(me->y, set, HEDDLE_MESSAGE(int, 1));
}

static heddle_handler *const p_sends[] = {get, 0};
static heddle_handler *const r_sends[] = {get, set, 0};
static const struct heddle_handles cell_handles[] = {
    {get, 0}, {set, 0}, {0, 0}};
static const struct heddle_handles reader_handles[] = {
    {p, p_sends}, {r, r_sends}, {0, 0}};
static const struct heddle_actor_type cell_type = {
    "cell", sizeof(int), HEDDLE_PRIVATE, cell_handles};
static const struct heddle_actor_type reader_type = {
    "reader", sizeof(struct reader), HEDDLE_PRIVATE, reader_handles};

int main(void) {
  struct reader both = {.seen = 0};
  both.x = heddle_spawn(&cell_type, 0);
  both.y = heddle_spawn(&cell_type, 0);
  both.z = heddle_spawn(&cell_type, 0);
  struct heddle_actor *one = heddle_spawn(&reader_type, &both);
  struct heddle_actor *other = heddle_spawn(&reader_type, &both);
  heddle_send(one, p, HEDDLE_NOTHING);
  heddle_send(both.z, set, HEDDLE_MESSAGE(int, 3));
  heddle_send(other, r, HEDDLE_NOTHING);
  heddle_run();
  printf("p=%d r=%d y=%d\n", ((struct reader *)heddle_state(one))->seen,
         ((struct reader *)heddle_state(other))->seen,
         *(int *)heddle_state(both.y));
}

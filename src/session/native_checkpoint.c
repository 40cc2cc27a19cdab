#include "session/native_checkpoint.h"

#include <string.h>
#include <unistd.h>

#include "session/native_crew.h"
#include "session/native_result.h"
#include "system/native/engine/control.h"

enum { PIECE = 1 << 20 }; /* bytes in a message */

/* ---- writing ------------------------------------------------------------- */

static void send_pieces(const struct text *all) {
  for (size_t at = 0; at < all->size; at += PIECE) {
    uint32_t last = all->size - at <= PIECE;
    size_t size = last ? all->size - at : PIECE;
    wire_send(MESSAGE_CHECKPOINT, &last, sizeof last, all->at + at, size);
  }
}

/* Writes the unit; the algorithm keeps it. */
static bool copy_unit(struct session *s, struct text *to) {
  const struct algorithm *a = s->x->algorithm;
  return a->give(s->x->state, to, GIVE_ALL) &&
         a->take(s->x->state, to->at, to->size);
}

/* False: it cannot be written down. */
static bool send(struct session *s, const struct text *left) {
  struct text all = {0}, result = {0};
  struct packed p = packed_writer(&all);
  struct system *system = s->x->system;
  bool good = system->ops->learnt && system->ops->learnt(system, &p);
  result_write(s, EXPLORE_STOPPED, NULL, left, &result);
  const char *at = result.at;
  packed_part(&p, &at, &result.size);
  if (good)
    send_pieces(&all);
  VEC_FREE(all);
  VEC_FREE(result);
  return good;
}

bool checkpoint_is_due(const struct session *s) {
  return __atomic_load_n(&s->control->ask_checkpoint, __ATOMIC_RELAXED);
}

void checkpoint_share(struct session *s) {
  struct text left = {0};
  if (!s->x->keeps || !checkpoint_is_due(s) || !crew_fold(s))
    return;
  if (copy_unit(s, &left))
    send(s, &left);
  VEC_FREE(left);
  __atomic_store_n(&s->control->ask_checkpoint, 0, __ATOMIC_RELAXED);
}

static const char impossible[] =
    "the rest of this search cannot be written down, so there is no new "
    "checkpoint: atomic blocks race (docs/parallel.md)";

void checkpoint_end(struct session *s, enum explore_result result) {
  struct text left = {0};
  bool over = result == EXPLORE_REFUSED || result == EXPLORE_COMPLETE ||
              s->x->raced || s->x->diverged ||
              (s->x->error && !s->control->options.keep_going);
  if (!s->x->keeps || over)
    return;
  bool good = s->x->algorithm->give(s->x->state, &left, GIVE_ALL);
  if (good && left.size)
    good = send(s, &left);
  s->control->left = !good || left.size;
  if (!good)
    explorer_limit(s->x, impossible);
  VEC_FREE(left);
}

/* ---- going on ------------------------------------------------------------ */

static _Noreturn void refuse_resume(const char *why) {
  wire_send(MESSAGE_REFUSED, NULL, 0, why, strlen(why));
  _exit(0);
}

bool checkpoint_begin(struct session *s) {
  const char *at;
  size_t size = s->control->resume;
  struct native_result r = {0};
  struct packed p =
      packed_reader((const char *)(session_moves(s) + s->control->moves), size);
  if (!size)
    return false;
  if (!s->x->system->ops->learnt ||
      !s->x->system->ops->learnt(s->x->system, &p))
    refuse_resume("the checkpoint does not fit: a file that the program reads "
                  "has changed, or addresses differ on this machine");
  packed_part(&p, &at, &size);
  if (!packed_is_over(&p) || !result_read(&r, at, size))
    refuse_resume("the checkpoint is damaged");
  result_add(s, &r);
  if (!s->x->algorithm->take(s->x->state, r.left.at, r.left.size))
    refuse_resume("the checkpoint is damaged");
  return true;
}

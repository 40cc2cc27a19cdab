/* The schedule of a program in which lines were added or removed that do not
 * synchronise, such as a printf, is followed by its events.  A step that is new
 * is taken as part of the step before; a recorded step that is gone is left
 * out.  Which it is the next recorded steps of the thread tell.
 */
#include "session/native_follow.h"

#include "system/native/engine/control.h"
#include "system/native/engine/native_replay.h"

enum { MOST_NEW = 1000, MOST_GONE = 16 };

static bool may_come_or_go(uint32_t key) {
  return op_is(key & WIRE_KEY_OP, OPCLASS_PLAIN | OPCLASS_BULK |
                                      OPCLASS_LIBRARY | OPCLASS_LIFETIME) ||
         (key & WIRE_KEY_OP) == OP_LOAD;
}

static bool can_move(const struct explorer *x, uint32_t proc) {
  return proc < x->system->processes &&
         x->system->ops->enabled(x->system, proc);
}

/* ---- moves that are left out --------------------------------------------- */

static bool is_gone(const struct follow *f, size_t move) {
  for (size_t i = 0; i < f->gone.size; i++)
    if (f->gone.at[i] == move)
      return true;
  return false;
}

static void leave_out(struct follow *f, uint32_t proc, size_t end) {
  for (size_t i = f->at; i < end; i++)
    if (f->moves[i].proc == proc)
      VEC_PUSH(f->gone, i);
}

/* To the next move that is not left out. */
static bool find_move(struct follow *f) {
  while (f->at < f->count && is_gone(f, f->at))
    f->at++;
  return f->at < f->count;
}

/* The next move of the thread whose event has this key, if all that it would
 * take before may be gone; else `count`.  Events of the library look alike: of
 * these only the next move is meant. */
static size_t find_key(const struct follow *f, uint32_t proc, uint32_t key) {
  size_t passed = 0;
  if (op_is(key & WIRE_KEY_OP, OPCLASS_LIBRARY))
    return f->keys[f->at] == key ? f->at : f->count;
  for (size_t i = f->at; i < f->count && passed < MOST_GONE; i++) {
    if (f->moves[i].proc != proc || is_gone(f, i))
      continue;
    if (f->keys[i] == key)
      return i;
    if (!may_come_or_go(f->keys[i]))
      break;
    passed++;
  }
  return f->count;
}

/* ---- the next move ------------------------------------------------------- */

static enum followed depart(const struct follow *f, const struct explorer *x,
                            uint32_t proc) {
  struct wire_departed departed = {.move = f->at};
  if (proc < x->system->processes && native_next_key(proc)) {
    departed.pc = native_next_pc(proc);
    departed.op = native_next_key(proc) & WIRE_KEY_OP;
    departed.waits = !can_move(x, proc);
  }
  wire_send(MESSAGE_DEPARTED, &departed, sizeof departed, NULL, 0);
  return FOLLOW_DEPARTED;
}

static enum followed take_new(struct follow *f, uint32_t proc,
                              struct move *move) {
  *move = (struct move){proc, MOVE_LOCAL};
  f->news++;
  return FOLLOW_MOVE;
}

/* May the thread take a step that was not recorded? */
static bool may_take_new(const struct follow *f, const struct explorer *x,
                         uint32_t proc) {
  return f->news < MOST_NEW && can_move(x, proc) &&
         may_come_or_go(native_next_key(proc));
}

/* The error may come a little later than it did. */
static enum followed follow_end(struct follow *f, const struct explorer *x,
                                struct move *move) {
  uint32_t last = f->count ? f->moves[f->count - 1].proc : 0;
  return !x->error && may_take_new(f, x, last) ? take_new(f, last, move)
                                               : FOLLOW_END;
}

enum followed follow_next(struct follow *f, const struct explorer *x,
                          struct move *move) {
  while (find_move(f)) {
    uint32_t proc = f->moves[f->at].proc;
    if (!can_move(x, proc))
      return depart(f, x, proc);
    size_t found = find_key(f, proc, native_next_key(proc));
    if (found == f->at) {
      *move = f->moves[f->at++];
      return FOLLOW_MOVE;
    }
    if (found < f->count)
      leave_out(f, proc, found); /* moves of others may come before it */
    else
      return may_take_new(f, x, proc) ? take_new(f, proc, move)
                                      : depart(f, x, proc);
  }
  return follow_end(f, x, move);
}

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
  return algorithm_give(a, s->x->state, to, GIVE_ALL) &&
         (a->waits || a->take(s->x->state, to->at, to->size));
}

static void write_entry(struct packed *p, uint32_t kind, uint64_t executions,
                        const char *at, size_t size) {
  PACKED(p, kind);
  PACKED(p, executions);
  packed_part(p, &at, &size);
}

/* The item that is explored first is the last one of a unit. */
static void write_items(struct packed *to, const struct text *unit) {
  struct packed p = packed_reader(unit->at, unit->size);
  VEC(struct native_part) items = {0};
  while (!p.bad && p.at < p.end) {
    struct native_part item = {0};
    packed_part(&p, &item.at, &item.size);
    VEC_PUSH(items, item);
  }
  while (items.size) {
    struct native_part item = VEC_POP(items);
    write_entry(to, ENTRY_ITEM, 0, item.at, item.size);
  }
  VEC_FREE(items);
}

/* False: it cannot be written down.  A search that `begins` has an algorithm
 * that has learnt nothing. */
static bool write_learnt(struct session *s, struct packed *p, bool begins) {
  struct system *system = s->x->system;
  const struct algorithm *a = s->x->algorithm;
  size_t learnt = packed_open(p);
  bool good = system->ops->learnt && system->ops->learnt(system, p);
  if (a->learnt && !begins)
    a->learnt(s->x->state, p);
  packed_close(p, learnt);
  return good;
}

static bool send(struct session *s, const struct text *left, bool is_over) {
  struct text all = {0}, result = {0};
  struct packed p = packed_writer(&all);
  struct text none = {0};
  bool good = write_learnt(s, &p, false);
  result_write(s, EXPLORE_STOPPED, NULL, &none, &result);
  write_entry(&p, is_over ? ENTRY_FINAL : ENTRY_RESULT,
              s->x->counters->executions, result.at, result.size);
  write_items(&p, left);
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
    send(s, &left, false);
  VEC_FREE(left);
  __atomic_store_n(&s->control->ask_checkpoint, 0, __ATOMIC_RELAXED);
}

static const char impossible[] =
    "the rest of this search cannot be written down, so there is no new "
    "checkpoint: atomic blocks race (docs/parallel.md)";

static bool is_unit(const struct session *s) {
  return s->control->checkpoint == CHECKPOINT_UNIT;
}

void checkpoint_end(struct session *s, enum explore_result result) {
  struct text left = {0};
  bool over = s->x->raced || s->x->diverged ||
              (s->x->error && !s->control->options.keep_going);
  bool wanted = is_unit(s) || (!over && result != EXPLORE_COMPLETE);
  if (!s->x->keeps || result == EXPLORE_REFUSED || !wanted)
    return;
  bool good =
      over || algorithm_give(s->x->algorithm, s->x->state, &left, GIVE_ALL);
  if (good && (left.size || is_unit(s)))
    good = send(s, &left, over);
  s->control->left = !good || left.size;
  if (!good)
    explorer_limit(s->x, impossible);
  VEC_FREE(left);
}

static _Noreturn void refuse_resume(const char *why) {
  wire_send(MESSAGE_REFUSED, NULL, 0, why, strlen(why));
  _exit(0);
}

void checkpoint_split(struct session *s) {
  const struct algorithm *a = s->x->algorithm;
  struct text left = {0}, given = {0};
  uint32_t count = 0;
  if (!s->control->split || !a->ready || !a->ready(s->x->state))
    return;
  while (count < s->control->split &&
         (algorithm_give(a, s->x->state, &given, GIVE_HALF) ||
          algorithm_give(a, s->x->state, &given, GIVE_BRANCH)))
    count++;
  if (!count && !a->waits(s->x->state))
    return; /* it goes on until there is something to give */
  if (!algorithm_give(a, s->x->state, &left, GIVE_ALL))
    return;
  text_add(&left, given.at, given.size);
  send(s, &left, false);
  wire_send(MESSAGE_DONE, NULL, 0, NULL, 0);
  _exit(0);
}

/* Others explore with the coarser steps: all begin anew. */
void checkpoint_restart(struct session *s) {
  struct text all = {0};
  struct packed p = packed_writer(&all);
  struct text left = {0};
  if (!is_unit(s) || !s->control->resume || crew_is_child())
    return;
  if (!algorithm_give(s->x->algorithm, s->x->state, &left, GIVE_ALL))
    refuse_resume(
        "atomic blocks race, or dc has found another loop that waits, "
        "so this search cannot be shared; start it without mpirun");
  write_learnt(s, &p, true);
  write_entry(&p, ENTRY_START, 0, NULL, 0);
  send_pieces(&all);
  wire_send(MESSAGE_DONE, NULL, 0, NULL, 0);
  _exit(0);
}

/* ---- going on ------------------------------------------------------------ */

/* True: the search begins at its start. */
static bool read_entry(struct session *s, struct packed *p,
                       struct packed *items) {
  struct native_result r = {0};
  const char *at = NULL;
  size_t size = 0;
  uint32_t kind = ENTRY_KINDS;
  uint64_t executions;
  PACKED(p, kind);
  PACKED(p, executions);
  packed_part(p, &at, &size);
  p->bad |= kind >= ENTRY_KINDS;
  if (p->bad || kind == ENTRY_START)
    return !p->bad;
  if (kind == ENTRY_ITEM)
    packed_part(items, &at, &size);
  else if (result_read(&r, at, size))
    (void)result_add(s, &r);
  else
    p->bad = true;
  return false;
}

/* The last item is taken first, and so is explored last. */
static bool take_items(struct session *s, const struct text *items) {
  struct packed p = packed_reader(items->at, items->size);
  struct text unit = {0}, reversed = {0};
  struct packed to = packed_writer(&unit), again = packed_writer(&reversed);
  write_items(&to, items);
  p = packed_reader(unit.at, unit.size);
  while (p.at < p.end) {
    const char *at;
    size_t size;
    uint32_t kind;
    uint64_t executions;
    PACKED(&p, kind);
    PACKED(&p, executions);
    packed_part(&p, &at, &size);
    packed_part(&again, &at, &size);
  }
  bool good = s->x->algorithm->take(s->x->state, reversed.at, reversed.size);
  VEC_FREE(unit);
  VEC_FREE(reversed);
  return good;
}

static void learn(struct session *s, const char *at, size_t size) {
  struct system *system = s->x->system;
  const struct algorithm *a = s->x->algorithm;
  struct packed p = packed_reader(at, size);
  bool good = system->ops->learnt && system->ops->learnt(system, &p);
  if (good && a->learnt && p.at < p.end)
    a->learnt(s->x->state, &p);
  if (!good || !packed_is_over(&p))
    refuse_resume("the checkpoint does not fit: a file that the program reads "
                  "has changed, or addresses differ on this machine");
  if (is_unit(s) && system->ops->freeze)
    system->ops->freeze(system);
}

bool checkpoint_begin(struct session *s) {
  const char *at = NULL;
  size_t size = s->control->resume;
  struct text items = {0};
  struct packed left = packed_writer(&items);
  struct packed p =
      packed_reader((const char *)(session_moves(s) + s->control->moves), size);
  bool starts = false;
  if (!size)
    return false;
  packed_part(&p, &at, &size);
  if (!p.bad)
    learn(s, at, size);
  while (!p.bad && p.at < p.end)
    starts |= read_entry(s, &p, &left);
  if (p.bad || (!starts && !take_items(s, &items)))
    refuse_resume("the checkpoint is damaged");
  VEC_FREE(items);
  return !starts;
}

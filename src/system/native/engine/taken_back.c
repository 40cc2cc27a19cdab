/* Additions that a round takes back.
 *
 *   while (fetch_add(&x, 1) != 0)
 *     fetch_sub(&x, 1);
 *
 * A round that adds to a place, finds that it comes too late and subtracts the
 * same changes nothing in the end.  It can be left out of an execution if no
 * other thread notices that there was more in the place meanwhile.  So the
 * addition is a look at the place, and is held if it would be taken back.
 *
 * No thread notices if each operation of other threads on the place
 *   B1  is an addition whose result is not used, or
 *   B2  is a look that is held as well, if the values that such rounds add are
 *       in the place besides what is there.
 * Otherwise the place is ordinary for good, and the search begins anew.
 *
 * Why nothing is lost: take an execution with such rounds, and leave all of
 * them out.  What B1 is does the same.  What B2 is was part of a round in vain
 * while another thread had added, and is left out as well; or no thread had.
 * So the others find what they found, and the rest is an execution in which
 * these additions are held.  If B1 and B2 do not hold: take the first operation
 * that notices.  Without the rounds, also those in which it comes, its thread
 * is about to take it, in a state that is explored.  There it is seen: it is no
 * look, or the look is tried with what the rounds would have added.  All looks
 * must be seen so: when the first round is found, the search begins anew.
 */
#include "taken_back.h"
#include "learnt.h"

#include <string.h>

#include "polling.h"
#include "round.h"

/* keep */
struct taken_place {
  uint64_t addr;
  uint32_t size;
  bool ordinary;
  uint64_t added; /* by each round */
};

static VEC(struct taken_place) places;

/* In a trial: the thread takes back what it has added. */
static bool takes_back; /* keep: scratch */

static bool is_at(const struct taken_place *p, const struct access *a) {
  return p->addr == a->addr && p->size == a->size;
}

static bool overlaps(const struct taken_place *p, const struct access *a) {
  struct access all = {p->addr, p->size, 0};
  return accesses_overlap(&all, a);
}

static void make_ordinary(struct taken_place *p) {
  engine.stale = engine.stale || !p->ordinary;
  p->ordinary = true;
}

static uint64_t fit(uint64_t value, uint32_t size) {
  return value & ~UINT64_C(0) >> (64 - 8 * size);
}

static uint64_t value_at(const struct access *a) {
  uint64_t value = 0;
  memcpy(&value, (const void *)(uintptr_t)a->addr, a->size);
  return value;
}

/* ---- rounds -------------------------------------------------------------- */

static bool rely_on(const struct access *a, uint64_t added) {
  for (size_t i = 0; i < places.size; i++) {
    struct taken_place *p = &places.at[i];
    if (!overlaps(p, a))
      continue;
    if (!is_at(p, a) || p->added != added)
      make_ordinary(p);
    return !p->ordinary;
  }
  VEC_PUSH(places, (struct taken_place){a->addr, a->size, false, added});
  engine.waits = engine.stale = true;
  return true;
}

static bool is_about_to_add(const struct thread *t, const struct access *a) {
  const struct operation *op = t->pending;
  return op && op->adds && op->access->addr == a->addr &&
         op->access->size == a->size;
}

bool taken_back_waits(struct thread *t) {
  size_t depth = engine.steps.size - 1;
  const struct record *r = &engine.steps.at[depth];
  const struct access a = engine.accesses.at[r->first];
  uint64_t before = 0;
  struct step step;
  if (r->adds != ADDS_USED || a.size > sizeof before || engine.has_finding ||
      !is_about_to_add(t, &a))
    return false;
  undo_bytes_before(depth, a.addr, (unsigned char *)&before, a.size);
  uint64_t added = fit(value_at(&a) - before, a.size);
  round_only_reads(t);
  takes_back = true;
  bool done = engine_step(t, 0, &step) == STEP_DONE;
  takes_back = false;
  return done && engine.came_round && engine.came_since <= depth &&
         value_at(&a) == before && added &&
         polling_relies(t, engine.came_since) && rely_on(&a, added);
}

bool taken_back_ends(void) {
  return takes_back;
}

/* ---- what others notice -------------------------------------------------- */

bool taken_back_may_have(const struct access *a, unsigned rounds,
                         uint64_t *added) {
  for (size_t i = 0; i < places.size; i++) {
    struct taken_place *p = &places.at[i];
    if (!overlaps(p, a) || p->ordinary)
      continue;
    if (!is_at(p, a))
      make_ordinary(p);
    *added = rounds * p->added;
    return !p->ordinary && rounds < thread_count();
  }
  return false;
}

void taken_back_noticed(const struct access *a) {
  for (size_t i = 0; i < places.size; i++)
    if (overlaps(&places.at[i], a))
      make_ordinary(&places.at[i]);
}

static bool is_harmless(const struct taken_place *p, const struct record *r,
                        const struct access *a) {
  return is_at(p, a) && r->accesses == 1 &&
         (r->adds == ADDS_UNUSED || (r->flags & STEP_LOOK));
}

static void look_at(struct taken_place *p, const struct record *r) {
  for (uint32_t i = 0; i < r->accesses; i++) {
    const struct access *a = &engine.accesses.at[r->first + i];
    if (overlaps(p, a) && !is_harmless(p, r, a) && !polling_comes_last(r))
      make_ordinary(p);
  }
}

/* What main does before it creates threads comes before all rounds. */
void taken_back_stepped(const struct record *r) {
  if (engine.trying || (!r->thread && !r->children))
    return;
  for (size_t i = 0; i < places.size; i++)
    if (!places.at[i].ordinary)
      look_at(&places.at[i], r);
}

void taken_back_learnt(struct packed *p) {
  PACKED_VEC(p, places);
}

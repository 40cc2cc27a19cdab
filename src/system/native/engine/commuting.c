/* Objects on which all operations so far commute.
 *
 * Two readers of a read-write lock, or two posts to a semaphore, have the same
 * effect in both orders.  Only another kind of operation can tell: a writer
 * locks the lock, or a thread waits for the semaphore or asks for its value.
 * Whether one will come is only known in the end.  So none is expected at
 * first: an operation that commutes with its like only reads the object, and
 * its thread remembers the effect.  When an operation of the other kind is
 * announced, the search begins anew (`stale`), with all operations on the
 * object ordered for good.  The execution at hand goes on as it began.
 *
 * Why nothing is lost: take an execution up to the step after which the first
 * operation of the other kind is announced.  Up to there all operations on the
 * object really are independent: none of their effects was looked at.  So an
 * equivalent beginning is explored, and the operation is seen there.
 *
 * A third kind of object is a barrier: arrivals commute unless more threads use
 * the barrier than it waits for.  Up to the arrival of one too many the
 * argument is the same.
 *
 * To initialise or to destroy an object is a write of it in any case: those
 * orders are explored, and need no beginning anew.
 *
 * Operations before main are ordered: what a thread of a constructor announces
 * stays as it is when the search begins anew.  So are all in a given schedule,
 * where it makes no difference.
 */
#include "engine.h"
#include "learnt.h"

#include "util/table.h"

/* keep */
struct known_object {
  const void *object;
  bool relied_on; /* some operation on it only read it, because of this file */
  bool ordered;   /* an operation of the other kind was seen ... */
  uint32_t seen_in;    /* ... in this search */
  VEC(uint32_t) users; /* threads that ever used it: see object_is_used() */
};

static struct {
  struct table index;
  VEC(struct known_object) list;
  uint32_t searches; /* that began anew */
} objects;           /* keep */

static struct known_object *find(const void *object) {
  uint32_t hash = table_hash((uintptr_t)object);
  for (TABLE_EACH(n, &objects.index, hash))
    if (objects.list.at[n].object == object)
      return &objects.list.at[n];
  table_add(&objects.index, hash, objects.list.size);
  VEC_PUSH(objects.list, (struct known_object){.object = object});
  return &VEC_TOP(objects.list);
}

static bool knows_nothing(void) {
  return engine.mode == MODE_PLAIN || engine.following;
}

bool object_commutes(const void *object) {
  if (knows_nothing())
    return false;
  struct known_object *o = find(object);
  if (engine.mode == MODE_BEFORE)
    o->ordered = true;
  o->relied_on = o->relied_on || !o->ordered;
  return object_is_apart(object);
}

bool object_gathers(const void *object) {
  if (!knows_nothing() && engine.parts)
    find(object)->ordered = true;
  return object_commutes(object);
}

bool object_is_apart(const void *object) {
  if (knows_nothing())
    return false;
  const struct known_object *o = find(object);
  return o->relied_on && (!o->ordered || o->seen_in == objects.searches);
}

void object_becomes_ordered(const void *object) {
  if (knows_nothing())
    return;
  struct known_object *o = find(object);
  if (o->ordered)
    return;
  o->ordered = true;
  o->seen_in = objects.searches;
  engine.stale = engine.stale || o->relied_on;
  engine_learns();
}

static bool is_user(const struct known_object *o, uint32_t thread) {
  for (size_t i = 0; i < o->users.size; i++)
    if (o->users.at[i] == thread)
      return true;
  return false;
}

void object_is_used(const void *object, uint32_t most) {
  if (knows_nothing() || !self)
    return;
  struct known_object *o = find(object);
  if (!is_user(o, self->id))
    VEC_PUSH(o->users, self->id);
  if (o->users.size > most)
    object_becomes_ordered(object);
}

void commuting_begin_anew(void) {
  objects.searches++;
}

static void object_learnt(struct packed *p, struct known_object *o) {
  PACKED(p, o->relied_on);
  PACKED(p, o->ordered);
  PACKED(p, o->seen_in);
  PACKED_VEC(p, o->users);
}

void commuting_learnt(struct packed *p) {
  size_t count = packed_count(p, objects.list.size, 1);
  PACKED(p, objects.searches);
  for (size_t i = 0; i < count && !p->bad; i++) {
    const void *object = p->to ? objects.list.at[i].object : NULL;
    PACKED(p, object);
    object_learnt(p, find(object));
  }
}

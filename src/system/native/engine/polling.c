/* Critical sections in which a loop only looks.
 *
 *   for (;;) {
 *     lock(m);
 *     ready = queue_length > 0;
 *     unlock(m);
 *     if (ready)
 *       break;
 *   }
 *
 * A round of this loop changes nothing, unless it is the last: it can be left
 * out of any execution.  So the lock that begins such a round is not enabled.
 * The thread waits for another state of what the critical section reads.
 *
 * Whether the section would lead back is found out as for a look at one place
 * (round.c): its steps are taken, up to the unlock and the local code behind
 * it, and taken back.  For races the same is asked about the past: then each
 * byte that the section reads is what it was before the step in question.
 *
 * The object of the lock is the mutex, whose operations are in one order.  That
 * is enough if
 *   P1  what a section in vain reads is written by other threads only while
 *       they hold the mutex: then its state changes with operations on the
 *       mutex only.  Writes that happen before the thread began, or after it
 *       was joined, do not count.
 *   P2  no thread could notice that the mutex was held in a round that is left
 *       out, as a trylock could.
 * Where a step shows that one of these does not hold, the lock is ordinary for
 * good, and the search begins anew (`stale`).  Why nothing is lost: up to the
 * first such step of an execution both hold, so that an equivalent beginning is
 * explored.  There the section is tried, and the step is taken.
 */
#include "polling.h"
#include "learnt.h"

#include <pthread.h>
#include <string.h>

#include "round.h"
#include "timed.h"

enum {
  MOST_STEPS = 1 << 12,  /* a longer section is not in vain */
  MOST_PLACES = 1 << 10, /* each step is compared with all of them */
  BACK_OFF_MANY = 0xffff,
  MOST_RUNGS = 8, /* locks that a round holds at once */
};

/* keep: a lock that begins critical sections of loops. */
struct polled_lock {
  uint64_t addr;
  bool ordinary;      /* P1, P2 or P3 does not hold */
  uint32_t backs_off; /* 1 + the thread whose rounds with a lock that fails were
                         left out; BACK_OFF_MANY: several */
};

/* keep: bytes that a section in vain of this thread reads, or its lock. */
struct polled_place {
  uint64_t lock;
  uint32_t thread;
  struct access access;
};

static VEC(struct polled_lock) locks;
static VEC(struct polled_place) places;

/* keep: the section that is tried. */
static struct {
  size_t before; /* it would come before the step at this position */
  size_t depth;  /* steps there are ... */
  size_t log;    /* ... and entries of engine.log */
  VEC(struct access) reads;
} section;

static struct polled_lock *lock_at(uint64_t addr) {
  for (size_t i = 0; i < locks.size; i++)
    if (locks.at[i].addr == addr)
      return &locks.at[i];
  VEC_PUSH(locks, (struct polled_lock){.addr = addr});
  return &VEC_TOP(locks);
}

/* ---- the order of steps -------------------------------------------------- */

/* Was the thread there before this step?  One that a constructor created was
 * always. */
static bool exists_at(const struct thread *t, size_t step) {
  for (size_t i = 0; i < engine.steps.size; i++)
    if (engine.steps.at[i].op == OP_CREATE &&
        engine.steps.at[i].target == t->id)
      return i < step;
  return t->state != THREAD_NONE;
}

/* Is it a step of the thread itself, or of one that later creates the thread or
 * an ancestor of it? */
static bool comes_with(uint32_t thread, size_t step) {
  uint32_t by = engine.steps.at[step].thread;
  while (thread != by && thread) {
    const struct thread *t = thread_get(thread);
    if (t->parent == by)
      return !exists_at(t, step);
    thread = t->parent;
  }
  return thread == by;
}

bool polling_comes_last(const struct record *r) {
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *t = thread_get(i);
    if (i != r->thread && t->state != THREAD_NONE && !thread_is_joined(t))
      return false;
  }
  return true;
}

static bool touches(const struct record *r, const struct access *a,
                    bool writes) {
  for (uint32_t i = 0; i < r->accesses; i++) {
    const struct access *mine = &engine.accesses.at[r->first + i];
    if ((!writes || (mine->mode & ACCESS_WRITE)) && accesses_overlap(mine, a))
      return true;
  }
  return false;
}

/* With the lock as a second object: see timed.c. */
static bool is_on_condition(const struct record *r) {
  return r->op == OP_WAIT || r->op == OP_SIGNAL || r->op == OP_BROADCAST ||
         (r->op == OP_DESTROY && r->accesses > 1);
}

/* Did the thread of this step hold the lock, such that no other did? */
static bool holds(const struct record *r, uint64_t lock) {
  struct access object = {lock, OBJECT_SIZE, 0};
  for (uint32_t step = r->previous; step;) {
    const struct record *before = &engine.steps.at[step - 1];
    step = before->previous;
    if (before->failed || !touches(before, &object, true))
      continue;
    return before->op == OP_LOCK || before->op == OP_TRYLOCK ||
           before->op == OP_WRLOCK || before->op == OP_TRYWRLOCK;
  }
  return false;
}

/* ---- what the rule rests on ---------------------------------------------- */

static bool is_lock(uint16_t op) {
  return op == OP_LOCK || op == OP_RDLOCK || op == OP_WRLOCK;
}

static bool is_trylock(uint16_t op) {
  return op == OP_TRYLOCK || op == OP_TRYRDLOCK || op == OP_TRYWRLOCK;
}

static bool is_unlock(uint16_t op) {
  return op == OP_UNLOCK || op == OP_RWUNLOCK;
}

/* Operations on the lock that cannot tell. */
static bool is_of_sections(const struct record *r) {
  return is_lock(r->op) || is_unlock(r->op) || is_on_condition(r);
}

/* P1, P2: could the step tell whether the section was there, or change what it
 * leads to, whatever the order of operations on the lock? */
static bool interferes(const struct polled_place *p, size_t step) {
  const struct record *r = &engine.steps.at[step];
  bool on_lock = p->access.addr == p->lock;
  if ((on_lock && is_of_sections(r)) || !touches(r, &p->access, !on_lock) ||
      comes_with(p->thread, step))
    return false;
  return on_lock || op_is(r->op, OPCLASS_LIFETIME) || !holds(r, p->lock);
}

/* Also where no round was left out: whether the steps behind the section are
 * looks must not depend on what was explored before. */
static void make_ordinary(uint64_t addr) {
  struct polled_lock *lock = lock_at(addr);
  engine.stale = engine.stale || !lock->ordinary;
  lock->ordinary = true;
  timed_lock_is_ordinary(addr);
}

/* P3: could the step tell that the mutex was held in such a round? */
static bool notices(const struct polled_lock *lock, const struct record *r) {
  struct access object = {lock->addr, OBJECT_SIZE, 0};
  return lock->backs_off && lock->backs_off != r->thread + 1 &&
         touches(r, &object, false) && !is_of_sections(r) && r->op != OP_INIT &&
         !(is_trylock(r->op) && !r->failed);
}

void polling_stepped(const struct record *r) {
  size_t step = (size_t)(r - engine.steps.at);
  for (size_t i = 0; i < places.size; i++)
    if (interferes(&places.at[i], step) && !polling_comes_last(r))
      make_ordinary(places.at[i].lock);
  for (size_t i = 0; i < locks.size && !engine.trying; i++)
    if (notices(&locks.at[i], r) && !polling_comes_last(r))
      make_ordinary(locks.at[i].addr);
}

static bool is_known(const struct polled_place *p) {
  for (size_t i = 0; i < places.size; i++)
    if (places.at[i].lock == p->lock && places.at[i].thread == p->thread &&
        places.at[i].access.addr == p->access.addr &&
        places.at[i].access.size >= p->access.size)
      return true;
  return false;
}

static void add_place(const struct thread *t, uint64_t lock,
                      const struct access *a) {
  struct polled_place p = {lock, t->id, *a};
  if (is_known(&p))
    return;
  VEC_PUSH(places, p);
  engine.waits = true;
  bool bad = places.size > MOST_PLACES;
  for (size_t i = 0; i < engine.steps.size && !bad; i++)
    bad = interferes(&p, i);
  if (bad)
    make_ordinary(lock);
}

bool polling_is_ordinary(uint64_t addr) {
  return lock_at(addr)->ordinary;
}

/* A round with a section of this lock may be left out.  May it really? */
static bool rely_on(const struct thread *t, uint64_t addr) {
  add_place(t, addr, &(struct access){addr, OBJECT_SIZE, 0});
  return !lock_at(addr)->ordinary;
}

/* ---- sections ------------------------------------------------------------ */

static uint64_t lock_of(uint32_t step) {
  return engine.accesses.at[engine.steps.at[step - 1].first].addr;
}

static uint64_t section_lock(const struct thread *t) {
  return lock_of(t->section);
}

/* The step that took the lock in which this one was taken, of the same section.
 * With the thread's last step: the step that took its innermost lock. */
static uint32_t lock_around(const struct thread *t, uint32_t step) {
  unsigned given_back = 0;
  for (; step > t->section; step = engine.steps.at[step - 1].previous) {
    const struct record *r = &engine.steps.at[step - 1];
    if (!r->passing)
      continue;
    if (is_unlock(r->op))
      given_back++;
    else if (!given_back)
      return step;
    else
      given_back--;
  }
  return t->section;
}

uint32_t polling_innermost(const struct thread *t) {
  return t->section ? lock_around(t, t->last_step) : 0;
}

/* A lock that cannot wait, because its thread holds it already, begins none.
 * To what runs parts of executions a look is one at one place. */
static bool begins_section(const struct thread *t, uint16_t op, uint8_t flags,
                           const struct access *a, uint32_t accesses) {
  bool waits = flags & (STEP_BLOCKING | STEP_LOOK);
  return !engine.parts &&
         ((is_lock(op) && waits) ||
          (is_trylock(op) && (flags & STEP_CONDITIONAL) && accesses == 1)) &&
         !t->section && !lock_at(a->addr)->ordinary;
}

bool polling_may_begin(const struct thread *t) {
  const struct operation *op = t->pending;
  return begins_section(t, op->op, op->flags, op->access, op->accesses);
}

/* The thread in the section takes another lock. */
static bool climbs(const struct record *r, const struct access *a) {
  return (is_lock(r->op) || is_trylock(r->op)) && r->accesses == 1 &&
         !lock_at(a->addr)->ordinary;
}

/* Locks are given back in reverse. */
bool polling_passes(struct thread *t, const struct record *r) {
  const struct access *a = &engine.accesses.at[r->first];
  if (begins_section(t, r->op, r->flags, a, r->accesses)) {
    t->section = (uint32_t)(r - engine.steps.at) + 1;
    return true;
  }
  if (!t->section)
    return false;
  if (climbs(r, a))
    return true;
  uint32_t innermost = polling_innermost(t);
  if (!is_unlock(r->op) || a->addr != lock_of(innermost))
    return false;
  if (innermost == t->section)
    t->section = 0;
  return !lock_at(a->addr)->ordinary;
}

/* Its steps up to this one. */
static bool relies_until(const struct thread *t, uint32_t last,
                         uint32_t since) {
  for (uint32_t step = last; step > since;) {
    const struct record *r = &engine.steps.at[step - 1];
    if (r->passing && is_unlock(r->op) &&
        !rely_on(t, engine.accesses.at[r->first].addr))
      return false;
    step = r->previous;
  }
  return true;
}

bool polling_relies(const struct thread *t, uint32_t since) {
  return relies_until(t, t->last_step, since);
}

/* ---- locks given back ---------------------------------------------------- */

/*   for (;;) {
 *     lock(a);
 *     if (trylock(b))
 *       break;
 *     unlock(a);
 *   }
 *
 * A round whose trylock fails is in vain, too.  Here it is the trylock that
 * waits, while the thread holds a: the lock is a step like any other, so that
 * nothing need be known of what the section reads.  An execution in which
 * others wait for a meanwhile ends with them waiting; it is dropped
 * (ENDING_VAIN).  Another one has the lock only when the trylock succeeds.
 *
 * Left out of an execution, such a round changes nothing for others if
 *   P3  no other thread's trylock of a fails, unless that is part of a round
 *       in vain itself: then both can be left out together.
 *
 * The thread may hold several locks, taken in any way, and gives them back in
 * reverse.  All of them are steps like a, and P3 must hold for each.
 */

static bool is_about_to_unlock(const struct thread *t, uint64_t lock) {
  const struct operation *op = t->pending;
  return op && is_unlock(op->op) && op->access->addr == lock;
}

static bool rely_on_backing_off(const struct thread *t, uint64_t addr) {
  struct polled_lock *lock = lock_at(addr);
  if (lock->ordinary || lock->backs_off == t->id + 1 ||
      lock->backs_off == BACK_OFF_MANY)
    return !lock->ordinary;
  lock->backs_off = lock->backs_off ? BACK_OFF_MANY : t->id + 1;
  engine.waits = true;
  for (size_t i = 0; i < engine.steps.size; i++)
    if (notices(lock, &engine.steps.at[i]))
      make_ordinary(addr);
  return !lock->ordinary;
}

/* The locks that a thread in a section holds. */
struct ladder {
  unsigned count;
  uint64_t lock[MOST_RUNGS]; /* the innermost first */
};

/* False: there are too many. */
static bool find_ladder(const struct thread *t, struct ladder *to) {
  uint32_t step = polling_innermost(t);
  to->count = 0;
  for (; step;
       step = step == t->section
                  ? 0
                  : lock_around(t, engine.steps.at[step - 1].previous)) {
    if (to->count == MOST_RUNGS)
      return false;
    to->lock[to->count++] = lock_of(step);
  }
  return true;
}

/* Has the thread unlocked all of them? */
static bool gives_back(struct thread *t, const struct ladder *ladder) {
  struct step step;
  for (unsigned i = 0; i < ladder->count; i++)
    if (!is_about_to_unlock(t, ladder->lock[i]) ||
        engine_step(t, 0, &step) != STEP_DONE)
      return false;
  return true;
}

bool polling_backs_off(struct thread *t) {
  struct ladder ladder;
  uint32_t tried = (uint32_t)engine.steps.size, locked = t->section;
  if (!locked || !VEC_TOP(engine.steps).failed || engine.has_finding ||
      !find_ladder(t, &ladder) || !gives_back(t, &ladder) ||
      !engine.came_round || engine.came_since >= locked || t->section ||
      !relies_until(t, tried, engine.came_since))
    return false;
  bool relies = true;
  for (unsigned i = 0; i < ladder.count; i++)
    relies &= rely_on_backing_off(t, ladder.lock[i]);
  return relies;
}

static bool waits_for(const struct thread *t, uint64_t lock) {
  struct access object = {lock, OBJECT_SIZE, 0};
  const struct operation *op = t->pending;
  for (uint32_t a = 0; op && a < operation_accesses(op); a++)
    if (accesses_overlap(&op->access[a], &object))
      return true;
  return false;
}

/* Does another thread wait for a lock of the section that t is in? */
static bool holds_back(const struct thread *t) {
  struct ladder ladder;
  if (!find_ladder(t, &ladder))
    return false;
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *other = thread_get(i);
    for (unsigned k = 0; k < ladder.count; k++)
      if (other != t && other->state == THREAD_RUNNING &&
          waits_for(other, ladder.lock[k]))
        return true;
  }
  return false;
}

static bool backs_off(const struct thread *t) {
  return t->state == THREAD_RUNNING && t->section && t->pending &&
         (t->pending->flags & STEP_CONDITIONAL) && holds_back(t);
}

/* A thread that gives its locks back: what it held when its try failed. */
struct backing_off {
  struct thread *thread;
  struct ladder held;
};

/* All tries fail before the first thread unlocks anything. */
static void back_off(void) {
  static VEC(struct backing_off) all; /* keep: scratch */
  all.size = 0;
  for (unsigned i = 0; i < thread_count(); i++) {
    struct backing_off b = {.thread = thread_get(i)};
    if (backs_off(b.thread) && find_ladder(b.thread, &b.held))
      VEC_PUSH(all, b);
  }
  for (size_t i = 0; i < all.size; i++) {
    struct step step;
    engine_step(all.at[i].thread, 0, &step);
  }
  for (size_t i = 0; i < all.size; i++)
    gives_back(all.at[i].thread, &all.at[i].held);
}

static bool waits_for_ever(struct thread *t) {
  return t->state != THREAD_RUNNING || !t->pending || !engine_enabled(t) ||
         spin_try(t) == SPIN_FOR_EVER;
}

bool polling_ends_stuck(void) {
  static struct thread none; /* so that no thread stops at the head of a loop */
  struct trial trial;
  bool stuck = true;
  trial_begin(&trial, &none);
  back_off();
  if (engine.steps.size > trial.depth)
    for (unsigned i = 0; i < thread_count() && stuck; i++)
      stuck = waits_for_ever(thread_get(i));
  trial_end(&trial);
  return stuck;
}

/* ---- what a section does ------------------------------------------------- */

/* May the next step of the thread be part of a section in vain? */
static bool goes_on(const struct thread *t) {
  const struct operation *op = t->pending;
  switch (op->op) {
  case OP_READ:
  case OP_LOAD:
  case OP_SCAN:
  case OP_FENCE:
    return true;
  case OP_UNLOCK:
  case OP_RWUNLOCK:
    return op->access->addr == section_lock(t);
  default:
    return false;
  }
}

/* ---- how it was before --------------------------------------------------- */

/* keep: bytes that a trial replaced. */
struct replaced {
  char *at;
  size_t size;
  size_t first; /* of the old ones, in `bytes` */
};

static struct {
  VEC(struct replaced) list;
  VEC(char) bytes;
} replaced;

static void replace(char *at, const char *with, size_t size) {
  VEC_PUSH(replaced.list, (struct replaced){at, size, replaced.bytes.size});
  for (size_t i = 0; i < size; i++)
    VEC_PUSH(replaced.bytes, at[i]);
  memcpy(at, with, size);
}

static void put_back(void) {
  while (replaced.list.size) {
    struct replaced r = VEC_POP(replaced.list);
    memcpy(r.at, &replaced.bytes.at[r.first], r.size);
    replaced.bytes.size = r.first;
  }
}

/* The writes of these bytes by the step and later ones would come after the
 * section; those that come with the thread would not. */
static size_t first_after(const struct thread *t, const struct access *a) {
  for (size_t i = section.depth; i-- > section.before;)
    if (touches(&engine.steps.at[i], a, true) && comes_with(t->id, i))
      return i + 1;
  return section.before;
}

/* Only bytes of the log are looked at: the others may not exist. */
static void make_old(const struct thread *t, const struct access *a) {
  size_t step = first_after(t, a);
  if (step >= section.depth)
    return;
  for (size_t i = section.log; i-- > engine.steps.at[step].entries;) {
    size_t size;
    const char *old = undo_old_bytes(&engine.log.at[i], &size);
    uint64_t at = (uintptr_t)ENTRY_ADDRESS(engine.log.at[i]);
    uint64_t from = at > a->addr ? at : a->addr;
    uint64_t end =
        at + size < a->addr + a->size ? at + size : a->addr + a->size;
    if (from < end)
      replace((char *)(uintptr_t)from, old + (from - at), end - from);
  }
}

/* ---- trials -------------------------------------------------------------- */

/* The state of a read-write lock is more than its first bytes. */
static void look_at_lock(const struct thread *t) {
  struct access lock = *t->pending->access;
  if (t->pending->op != OP_LOCK && t->pending->op != OP_TRYLOCK)
    lock.size = sizeof(pthread_rwlock_t);
  make_old(t, &lock);
}

static void look_at(const struct thread *t) {
  const struct operation *op = t->pending;
  for (uint32_t i = 0; i < op->accesses && !is_unlock(op->op); i++) {
    make_old(t, &op->access[i]);
    VEC_PUSH(section.reads, op->access[i]);
  }
}

/* Does the section lead back?  A loop inside it that does, does not count. */
static bool comes_back(struct thread *t) {
  struct step step;
  bool timed = t->pending->timed;
  for (uint32_t n = 0; n < MOST_STEPS; n++) {
    if (engine_step(t, 0, &step) != STEP_DONE)
      return false;
    if (engine.came_round)
      return !t->section && polling_relies(t, engine.came_since);
    if (!t->pending || !t->section)
      return false;
    if (timed && t->pending->timed)
      return timed_goes_round(t, t) && rely_on(t, section_lock(t));
    if (!goes_on(t))
      return false;
    look_at(t);
  }
  return false;
}

static enum look run(struct thread *t) {
  struct trial trial;
  trial_begin(&trial, t);
  bool vain = comes_back(t), failed = engine.steps.at[section.depth].failed;
  trial_end(&trial);
  if (vain) {
    round_tell_left_out();
    return LOOK_HELD;
  }
  return failed ? LOOK_READS : LOOK_WRITES;
}

static enum look try(struct thread *t, size_t before) {
  const struct operation *op = t->pending;
  uint64_t lock = op->access->addr;
  section.before = before;
  section.depth = engine.steps.size;
  section.log = engine.log.size;
  section.reads.size = 0;
  look_at_lock(t);
  enum look look = op->ready && !op->ready(op) ? LOOK_HELD : run(t);
  put_back();
  for (size_t i = 0; look == LOOK_HELD && i < section.reads.size; i++)
    add_place(t, lock, &section.reads.at[i]);
  return look == LOOK_HELD && lock_at(lock)->ordinary ? LOOK_WRITES : look;
}

/* ---- the ends of timed waits --------------------------------------------- */

/* A signal that came to the thread, or missed it, has ended its wait: it waits
 * for the mutex only. */
static enum look wait_for_lock(struct thread *t, size_t before) {
  const struct operation *op = t->pending;
  section.before = before;
  section.depth = engine.steps.size;
  section.log = engine.log.size;
  look_at_lock(t);
  enum look look = op->ready(op) ? LOOK_WRITES : LOOK_HELD;
  put_back();
  return look;
}

/* As if its wait had just ended by time. */
static enum look end_by_time(struct thread *t, size_t before) {
  uint8_t woken = t->woken, missed = t->missed;
  t->woken = 0;
  t->missed = woken || missed; /* it has left the queue since then */
  enum look look = try(t, before);
  t->woken = woken;
  t->missed = missed;
  return look;
}

enum look polling_look_before(struct thread *t, size_t position) {
  if (t->pending->timed != TIMED_ENDS)
    return try(t, position);
  bool told = (t->woken || t->missed) && t->signal <= position;
  return told ? wait_for_lock(t, position) : end_by_time(t, position);
}

enum look polling_look(struct thread *t) {
  return polling_look_before(t, engine.steps.size);
}

void polling_learnt(struct packed *p) {
  PACKED_VEC(p, locks);
  PACKED_VEC(p, places);
}

/* Which memory is shared: accesses to the rest are no steps of their own.
 *
 * Most memory of a program is used by one thread only.  An access to such
 * memory concerns no other thread, so it becomes part of the step at hand:
 * fewer steps, the same traces.  Which threads use a granule (4 bytes) is known
 * only at the end of the search.  So a granule counts as private until a second
 * thread uses it, or as constant until a thread writes it after several have
 * read it.  Then it becomes shared for good, and the search with the coarser
 * steps begins anew (`stale`).
 *
 * Why nothing is lost: take an execution in which some granule is wrongly taken
 * for private, up to the step with the access that shows it.  Up to there all
 * hidden accesses really are independent of other threads, so that an
 * equivalent prefix is explored, and the access is seen.
 *
 * What main does before it creates a thread happens before all that others do,
 * in every execution.  So these accesses are no steps, and nothing is learnt
 * from them: a table that main fills and threads only read is constant.
 *
 * What main reads when it has joined all threads that there were comes after
 * all that they did (`main_is_alone`).  Where only the order of events matters
 * to the algorithm, these reads are no steps either, loads of atomics included.
 * But they are learnt from: others rely on it that private memory is read by
 * its thread alone (leftover.c).  A variable of another thread has ended by
 * then, which only a step shows (locals.c).
 *
 * Other atomic operations, primitives and ranges are always steps.  Freeing a
 * block that no other thread ever touched is none; for that, a heap block as a
 * whole is treated like a granule.
 *
 * With --interfere=locks no access to data is a step, shared or not, unless it
 * is atomic or in an atomic block.  Accesses to shared memory are remembered,
 * to look for data races.  Memory that was wrongly taken for private makes the
 * search begin anew here, too.
 */
#include "engine.h"
#include "interrupt.h"
#include "leftover.h"
#include "learnt.h"
#include "timekeeping.h"
#include "round.h"
#include "system/native/libc/heap.h"
#include "system/native/libc/libc.h"
#include "util/hostile.h"

#include <stdlib.h>

/* What is known of a granule: one of these kinds; for CONSTANT_ONE and PRIVATE
 * also 1 + the thread, in the bits WHO. */
enum {
  CONSTANT_ONE = 1u << 16, /* only read, by that thread */
  CONSTANT = 2u << 16,     /* only read, by several */
  PRIVATE = 3u << 16,      /* used by that thread alone */
  SHARED = 4u << 16,
  LATE = 5u << 16, /* only used by atomic operations, and that was learnt when
                      it was frozen: shared at the next other access */
  KIND = 7u << 16,
  WHO = 0xffff,
};

enum { GRANULE = 2 }; /* bits of an address below those that name a granule */

/* keep: a hash table of its own.  Every access to memory looks into it, so the
 * key is in the slot: one cache line for each lookup.  (util/table.h has
 * positions in its slots, and the keys elsewhere.) */
struct knowledge {
  uint64_t granule; /* 1 + its number; 0: empty */
  uint32_t known;
};

static struct knowledge nothing; /* while the table is empty */

static struct {
  struct knowledge *at;
  size_t mask; /* its capacity, a power of two, - 1 */
  size_t used;
} table = {&nothing, 0, 0};

static inline struct knowledge *slot_of(uint64_t granule) {
  size_t i = (granule * 0x9e3779b97f4a7c15u >> 32) & table.mask;
  while (table.at[i].granule && table.at[i].granule != granule + 1)
    i = (i + 1) & table.mask;
  return &table.at[i];
}

static __attribute__((noinline)) void enlarge(void) {
  struct knowledge *old = table.at;
  size_t count = table.mask + 1;
  size_t capacity = table.mask ? 2 * count : TABLE_FIRST_CAPACITY;
  table.at = calloc(capacity, sizeof *table.at);
  ensure(table.at);
  table.mask = capacity - 1;
  for (size_t i = 0; i < count; i++)
    if (old[i].granule)
      *slot_of(old[i].granule - 1) = old[i];
  if (old != &nothing)
    free(old);
}

/* Half of the table is empty, at least. */
static __attribute__((noinline)) struct knowledge *enter(uint64_t granule) {
  if (2 * table.used >= table.mask)
    enlarge();
  struct knowledge *k = slot_of(granule);
  k->granule = granule + 1;
  table.used++;
  return k;
}

static inline struct knowledge *find(uint64_t granule) {
  struct knowledge *k = slot_of(granule);
  return likely(k->granule) ? k : enter(granule);
}

/* The new knowledge after an access by the thread with number me - 1. */
static inline uint32_t learn(uint32_t known, uint32_t me, bool write) {
  switch (known & KIND) {
  case 0:
    return (write ? PRIVATE : CONSTANT_ONE) | me;
  case CONSTANT_ONE:
    if ((known & WHO) == me)
      return write ? PRIVATE | me : known;
    return write ? SHARED : CONSTANT;
  case CONSTANT:
    return write ? SHARED : known;
  case PRIVATE:
    return (known & WHO) == me ? known : SHARED;
  default:
    return SHARED;
  }
}

/* A signal handler's own frames are the thread's: others of its functions will
 * have theirs there. */
static __attribute__((noinline)) bool is_frame(uint64_t granule, uint32_t me,
                                               struct knowledge *k) {
  const struct thread *t = me > NATIVE_THREADS ? self : NULL;
  uint64_t addr = granule << GRANULE;
  if (!t || !t->interruption || addr < (uintptr_t)t->stack_low ||
      addr >= (uintptr_t)t->interruption)
    return false;
  k->known = PRIVATE | (t->id + 1);
  return true;
}

/* keep: constructors have created threads. */
static bool crowded;

/* Does what this thread does come before all that others do?  A handler of a
 * signal is another user of memory. */
static inline bool comes_first(const struct thread *t) {
  return !t->children && !t->id && !crowded && !(step_extras & EXTRA_SIGNALS);
}

/* Does it come after all that others did? */
static inline bool comes_last(const struct thread *t) {
  return unlikely(main_is_alone) && !t->id && !engine.finest &&
         !(step_extras & EXTRA_SIGNALS);
}

static bool touch_known(uint64_t granule, struct knowledge *k,
                        const struct thread *t, uint32_t me, bool write) {
  uint32_t known = learn(k->known, me, write);
  if (known == k->known && known != SHARED)
    return false;
  if (unlikely(comes_first(t)))
    return false;
  if (known == k->known)
    return true;
  if (unlikely(me > NATIVE_THREADS) && is_frame(granule, me, k))
    return false;
  if (known == SHARED)
    engine.stale = true;
  k->known = known;
  return known == SHARED;
}

/* The usual cases first: the thread's own memory. */
static inline bool touch(uint64_t granule, const struct thread *t, uint32_t me,
                         bool write) {
  struct knowledge *k = find(granule);
  return k->known != (PRIVATE | me) && touch_known(granule, k, t, me, write);
}

/* Records an access to the bytes.  Are they shared?  The usual case first: a
 * word of one or two granules. */
static inline bool touch_all(uint64_t addr, uint32_t size, bool write) {
  const struct thread *t = self;
  uint32_t me = t->user;
  bool shared = engine.finest;
  uint64_t first = addr >> GRANULE, last = (addr + size - 1) >> GRANULE;
  if (likely(!shared) && likely(last - first <= 1)) {
    shared = touch(first, t, me, write);
    if (first != last)
      shared |= touch(last, t, me, write);
  } else {
    for (uint64_t g = first; g <= last && !engine.finest; g++)
      shared |= touch(g, t, me, write);
  }
  leftover_touch(addr, size, write, me);
  return shared && (write || !comes_last(t));
}

/* Is it a variable of another thread, on its stack or thread-local?  The
 * variable's end may be a step, which must be ordered with every access. */
static bool is_of_another(uint64_t addr) {
  if (in_stacks(addr))
    return (addr - STACK_AREA) / STACK_SLOT != self->id;
  return tls_is_of_another((const void *)(uintptr_t)addr);
}

static void expose(uint64_t addr, uint32_t size) {
  uint64_t last = (addr + size - 1) >> GRANULE;
  for (uint64_t g = addr >> GRANULE; g <= last; g++) {
    struct knowledge *k = find(g);
    engine.stale =
        engine.stale || ((k->known || engine.frozen) && k->known != SHARED);
    k->known = SHARED;
  }
}

/* A thread that a constructor has created waits in its first step.  That was
 * announced before anything was hidden. */
void sharing_start(void) {
  crowded = thread_count() > 1;
  for (unsigned i = 1; i < thread_count(); i++) {
    const struct operation *op = thread_get(i)->pending;
    for (uint32_t k = 0; op && k < op->accesses; k++)
      expose(op->access[k].addr, op->access[k].size);
  }
}

static void remember(const struct access *, uint64_t pc);

static __attribute__((noinline)) bool hides(uint64_t addr, uint32_t size,
                                            bool write, uint64_t pc) {
  bool of_another = unlikely(is_of_another(addr)) && !engine.finest;
  if (unlikely(of_another))
    expose(addr, size);
  bool shared = touch_all(addr, size, write) || of_another;
  if ((shared && !engine.apart) || engine.hidden >= MOST_HIDDEN)
    return false;
  engine.hidden++;
  if (unlikely(engine.watched))
    watch_access(addr, size, write);
  if (unlikely(shared))
    remember(&(struct access){addr, size, write ? ACCESS_WRITE : 0}, pc);
  return true;
}

/* Is it a word that only this thread has ever used? */
static inline bool is_own_word(uint64_t addr, uint32_t size) {
  uint64_t first = addr >> GRANULE, last = (addr + size - 1) >> GRANULE;
  uint32_t own = PRIVATE | self->user;
  return last - first <= 1 && slot_of(first)->known == own &&
         (first == last || slot_of(last)->known == own);
}

/* The same, neither on another thread's stack nor on the heap, and nothing else
 * is to be known? */
static inline bool hides_easily(uint64_t addr, uint32_t size) {
  return (on_stack_of(self, addr) ||
          (!in_stacks(addr) && !heap_contains((const void *)addr))) &&
         is_own_word(addr, size) && !engine.finest && !engine.watched &&
         engine.hidden < MOST_HIDDEN;
}

bool sharing_hides(uint64_t addr, uint32_t size, bool write, uint64_t pc) {
  if (write && ++engine.changes > MOST_OWN_WRITES)
    round_changes();
  if (likely(hides_easily(addr, size))) {
    leftover_touch(addr, size, write, self->user);
    engine.hidden++;
    return true;
  }
  return hides(addr, size, write, pc);
}

bool sharing_hides_state(uint64_t addr, uint32_t size, bool write) {
  if (write)
    round_changes();
  if (touch_all(addr, size, write) || engine.hidden >= MOST_HIDDEN)
    return false;
  engine.hidden++;
  return true;
}

bool sharing_shows(const struct access *a) {
  return engine.mode != MODE_EXPLORE || !engine.hiding || engine.apart ||
         touch_all(a->addr, a->size, a->mode & ACCESS_WRITE);
}

bool sharing_is_own(const struct thread *t, uint64_t addr) {
  return comes_first(t) ||
         slot_of(addr >> GRANULE)->known == (PRIVATE | t->user);
}

uint32_t sharing_user(uint64_t addr) {
  uint32_t known = slot_of(addr >> GRANULE)->known;
  if (known == SHARED || known == LATE)
    return SHARING_MANY;
  uint32_t user = (known & KIND) == PRIVATE ? known & WHO : 0;
  return user > NATIVE_THREADS ? user - NATIVE_THREADS : user;
}

/* The key of a block as a whole.  No access has such a high address, so it is
 * not mistaken for the block's first bytes. */
static uint64_t block_key(const void *start) {
  return (uintptr_t)start >> GRANULE | UINT64_C(1) << 62;
}

void sharing_use_block(const void *start) {
  if (engine.hiding && !engine.finest && self)
    touch(block_key(start), self, self->user, true);
}

bool sharing_hides_block(const void *start) {
  round_changes();
  if (!engine.hiding || engine.finest || !self || self->atomic_depth ||
      touch(block_key(start), self, self->user, true) ||
      engine.hidden >= MOST_HIDDEN)
    return false;
  engine.hidden++;
  if (unlikely(engine.watched))
    watch_access((uintptr_t)start, heap_room(start), true);
  return true;
}

void sharing_reads(const void *start, size_t size) {
  if (self)
    leftover_touch((uintptr_t)start, size, false, self->user);
}

/* keep: the granule of an atomic, which is shared for good; or 0. */
static uint64_t latest;

/* Is nothing to be learnt from the step?  Often it touches what the one before
 * has touched. */
static inline bool teaches_nothing(const struct record *r) {
  const struct access *a = &engine.accesses.at[r->first];
  return !r->accesses || (r->accesses == 1 && (a->mode & ACCESS_ATOMIC) &&
                          a->addr >> GRANULE == latest &&
                          (a->addr + a->size - 1) >> GRANULE == latest);
}

/* Learns from the accesses of a visible step.  Atomic memory is meant to be
 * shared, so it counts as shared at once, without a restart of the search.
 * Plain accesses were recorded when they were announced. */
static __attribute__((noinline)) void learn_from(const struct record *r,
                                                 uint32_t user) {
  for (uint32_t i = 0; i < r->accesses; i++) {
    const struct access *a = &engine.accesses.at[r->first + i];
    uint64_t last = (a->addr + a->size - 1) >> GRANULE;
    for (uint64_t g = a->addr >> GRANULE; g <= last; g++) {
      if (a->mode & ACCESS_ATOMIC) {
        struct knowledge *k = find(g);
        if (likely(k->known == SHARED)) {
          latest = g;
          continue; /* for good */
        }
        if (k->known == LATE || (!k->known && engine.frozen)) {
          k->known = LATE;
          continue;
        }
        if (!k->known)
          k->known = SHARED;
      }
      touch(g, engine.threads[r->thread], user, a->mode & ACCESS_WRITE);
    }
  }
}

/* Was the access recorded when it was announced? */
static bool is_recorded(const struct access *a, const struct thread *t) {
  uint32_t user = interrupt_user(t->id);
  uint64_t last = (a->addr + a->size - 1) >> GRANULE;
  for (uint64_t g = a->addr >> GRANULE; g <= last && !comes_first(t); g++) {
    uint32_t known = find(g)->known;
    if (learn(known, user, a->mode & ACCESS_WRITE) != known)
      return false;
  }
  return true;
}

/* A function of the runtime that announces a plain access by visible() and not
 * by plain_announce() would leave it unknown that the memory is shared. */
static void check_recorded(const struct record *r) {
  for (uint32_t i = 0; i < r->accesses; i++)
    ensure(is_recorded(&engine.accesses.at[r->first + i],
                       engine.threads[r->thread]));
}

void sharing_learn(const struct record *r) {
  bool plain = op_is(r->op, OPCLASS_PLAIN);
  if (HOSTILE && plain && !engine.finest)
    check_recorded(r);
  if (engine.finest || plain)
    return;
  if (unlikely(leftover_count))
    leftover_settle();
  if (!teaches_nothing(r))
    learn_from(r, interrupt_user(r->thread));
}

/* ---- data apart ---------------------------------------------------------- */

enum { RECENT = 8 }; /* latest data of a step searched for a repetition */

static bool is_same(const struct datum *d, const struct access *a,
                    uint64_t pc) {
  return d->proc == self->id && d->pc == pc && d->access.addr == a->addr &&
         d->access.size == a->size && d->access.mode == a->mode;
}

/* Is it the same access once more, as in a loop?  A race is reported with the
 * latest write, so a repeated write counts unless it still is the latest. */
static bool is_repeated(const struct access *a, uint64_t pc) {
  size_t first = VEC_TOP(engine.steps).data, end = engine.data.size;
  if (end - first > RECENT)
    first = end - RECENT;
  for (size_t i = end; i-- > first;) {
    const struct datum *d = &engine.data.at[i];
    if (is_same(d, a, pc))
      return true;
    if ((a->mode & d->access.mode & ACCESS_WRITE) &&
        accesses_overlap(&d->access, a))
      return false;
  }
  return false;
}

static void remember(const struct access *a, uint64_t pc) {
  if (!is_repeated(a, pc))
    VEC_PUSH(engine.data, (struct datum){*a, self->id, pc});
}

void sharing_add(const struct access *a) {
  if (unlikely(engine.watched))
    watch_access(a->addr, a->size, a->mode & ACCESS_WRITE);
  if (touch_all(a->addr, a->size, a->mode & ACCESS_WRITE))
    remember(a, engine.pc);
}

static bool is_of_data(const struct operation *op) {
  return op_is(op->op, OPCLASS_PLAIN | OPCLASS_BULK | OPCLASS_LIFETIME);
}

bool sharing_sets_apart(const struct operation *op) {
  if (!is_of_data(op) || engine.mode != MODE_EXPLORE || self->atomic_depth ||
      engine.hidden >= MOST_HIDDEN)
    return false;
  engine.hidden++;
  engine.pc = op->pc;
  engine.in_data = true;
  for (uint32_t i = 0; i < op->accesses; i++)
    sharing_add(&op->access[i]);
  return true;
}

void sharing_learnt(struct packed *p) {
  for (size_t i = 0; p->to && i <= table.mask; i++)
    if (table.at[i].granule && table.at[i].known)
      PACKED(p, table.at[i]);
  struct knowledge k = {0};
  if (p->to)
    PACKED(p, k);
  while (!p->to && (PACKED(p, k), k.granule))
    find(k.granule - 1)->known = k.known;
  latest = 0;
}

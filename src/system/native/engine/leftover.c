/* What rounds in vain leave in memory of their thread.
 *
 *   int get(int *item) {
 *     for (;;) {
 *       struct node *first = head;
 *       *item = first->item;
 *       if (compare_swap(&head, &first, first->next))
 *         return 1;
 *     }
 *   }
 *
 * A round that fails leaves another item than there was before.  Still it can
 * be left out if the thread never reads what a round has left, but writes the
 * place first.  That cannot be told in advance.  So it is taken for granted,
 * and watched: a thread that comes to the head of the loop finds nothing in the
 * place, as far as the program may know, until it has written there.  If it
 * reads the place before that, in any execution, then the place matters for
 * good, and the search begins anew (`stale`).
 *
 * Why nothing is lost: take an execution with such rounds, up to the first read
 * of a place that was left by one.  Without the rounds it is the same up to
 * there, but for the bytes of these places.  An equivalent beginning of it is
 * explored.  In that the thread has come to the head, too, and not written the
 * place since: the read is seen.
 *
 * When main is alone it may use the memory of threads that have ended as if it
 * were its own (sharing.c): what it reads counts, too.
 *
 * What the runtime itself reads for the program, without a step, is told by
 * sharing_reads.  A step is an operation and the local code behind it: what the
 * operation touches is known in time by leftover_settle.
 *
 * A place is watched from the beginning of the search: when a round first
 * leaves one, the search begins anew.  Variables that are not initialised yet
 * are such places, too: their bytes are what other executions left on the
 * stack.
 */
#include "leftover.h"
#include "interrupt.h"
#include "learnt.h"

enum {
  MOST_PLACES = 64,
  MOST_READ = 8, /* of one loop: then its places are no longer watched */
};

/* keep */
struct leftover {
  uint64_t pc; /* of the loop's head */
  uint64_t addr;
  uint32_t size;
  uint32_t user; /* the only thread that uses the place */
  bool read;     /* what a round left there may be read */
};

static VEC(struct leftover) places;
size_t leftover_count;

/* Has the thread come to the loop's head, and not written the place since? */
static PROG bool left[MOST_PLACES];

static struct leftover *find(const struct thread *t, uint64_t pc,
                             const char *at, size_t size) {
  for (size_t i = 0; i < places.size; i++) {
    struct leftover *p = &places.at[i];
    uint64_t offset = (uint64_t)(uintptr_t)at - p->addr;
    if (p->pc == pc && p->user == t->user && offset < p->size &&
        size <= p->size - offset)
      return p;
  }
  return NULL;
}

bool leftover_is_dead(const struct thread *t, uint64_t pc, const char *at,
                      size_t size) {
  const struct leftover *p = find(t, pc, at, size);
  return p && !p->read;
}

static size_t count_read(uint64_t pc) {
  size_t count = 0;
  for (size_t i = 0; i < places.size; i++)
    count += places.at[i].pc == pc && places.at[i].read;
  return count;
}

bool leftover_may_be_dead(const struct thread *t, uint64_t pc, const char *at,
                          size_t size) {
  const struct leftover *p = find(t, pc, at, size);
  return p ? !p->read
           : places.size < MOST_PLACES && size <= UINT32_MAX &&
                 count_read(pc) < MOST_READ;
}

void leftover_watch(const struct thread *t, uint64_t pc, const char *at,
                    size_t size) {
  if (places.size == MOST_PLACES)
    return;
  VEC_PUSH(places, (struct leftover){pc, (uintptr_t)at, (uint32_t)size, t->user,
                                     false});
  leftover_count = places.size;
  engine.stale = true;
}

void leftover_begin(uint64_t pc) {
  if (unlikely(leftover_count))
    leftover_settle();
  for (size_t i = 0; i < places.size; i++)
    if (places.at[i].pc == pc && places.at[i].user == self->user && !left[i])
      SET(left[i], true);
}

static bool covers(uint64_t addr, uint64_t size, const struct leftover *p) {
  return addr <= p->addr && p->addr + p->size <= addr + size;
}

static void touched(uint64_t addr, uint64_t size, bool write, uint32_t user) {
  for (size_t i = 0; i < places.size; i++) {
    struct leftover *p = &places.at[i];
    if (!left[i] || (p->user != user && !main_is_alone) ||
        addr >= p->addr + p->size || p->addr >= addr + size)
      continue;
    if (write && covers(addr, size, p))
      SET(left[i], false);
    if (write || p->read)
      continue;
    p->read = engine.stale = true;
  }
}

/* keep: so many accesses of the operation of the step at hand were seen. */
static struct {
  uint64_t entry; /* engine.entries of that step */
  uint32_t count;
} settled;

void leftover_settle(void) {
  if (!engine.steps.size)
    return;
  const struct record *r = &VEC_TOP(engine.steps);
  if (settled.entry != engine.entries)
    settled.count = 0;
  settled.entry = engine.entries;
  if (op_is(r->op, OPCLASS_PLAIN)) /* was seen when it was announced */
    return;
  for (; settled.count < r->accesses; settled.count++) {
    const struct access *a = &engine.accesses.at[r->first + settled.count];
    touched(a->addr, a->size, a->mode & ACCESS_WRITE,
            interrupt_user(r->thread));
  }
}

void leftover_touched(uint64_t addr, uint64_t size, bool write, uint32_t user) {
  leftover_settle();
  touched(addr, size, write, user);
}

bool leftover_keeps(const void *addr) {
  return (uintptr_t)addr - (uintptr_t)left < sizeof left;
}

void leftover_learnt(struct packed *p) {
  PACKED_VEC(p, places);
  leftover_count = places.size;
}

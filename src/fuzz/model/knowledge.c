#include "knowledge.h"

#include <string.h>

#include "core/op.h"
#include "util/ensure.h"
#include "util/rng.h"

/* ---- holders --------------------------------------------------------------
 *
 * Release sequences on a variable have a holder for each process that may have
 * begun one.  What is released to a lock or semaphore has one for all, and one
 * for what readers release.
 */

static uint64_t process_bit(unsigned p) {
  return UINT64_C(1) << p;
}

static uint64_t goes_on_bit(unsigned p) {
  return UINT64_C(1) << (KNOWLEDGE_PROCESSES + p);
}

static uint64_t object_bit(uint32_t slot, unsigned n) {
  return UINT64_C(1) << (2 * KNOWLEDGE_PROCESSES + slot * KNOWLEDGE_PROCESSES +
                         n);
}

enum { ALL, READERS };

_Static_assert(2 * KNOWLEDGE_PROCESSES +
                       KNOWLEDGE_SLOTS * KNOWLEDGE_PROCESSES <=
                   64,
               "a bit for each holder");

static uint32_t slot_of_access(const struct access *a) {
  return (uint32_t)((a->addr - MODEL_BASE) / 8);
}

static bool has_blocks(const struct program *g) {
  for (size_t i = 0; i < g->statements.size; i++)
    if (g->statements.at[i].kind == STATEMENT_ATOMIC)
      return true;
  return false;
}

/* Blocks need a holder, which is that of the last process otherwise. */
static unsigned most_processes(const struct access_knowledge *k) {
  return k->blocks ? KNOWLEDGE_PROCESSES - 1 : KNOWLEDGE_PROCESSES;
}

bool knowledge_begin(struct access_knowledge *k, const struct program *g) {
  memset(k, 0, sizeof *k);
  k->processes = (uint32_t)g->processes.size;
  k->blocks = has_blocks(g);
  return k->processes <= most_processes(k) && g->slots <= KNOWLEDGE_SLOTS;
}

/* ---- what is handed on ----------------------------------------------------
 */

/* `to` knows, besides, what one of `from` knows. */
static void learn(struct access_knowledge *k, uint64_t to, uint64_t from) {
  uint64_t *known = &k->known[0][0][0];
  for (size_t i = 0; i < sizeof k->known / sizeof *known; i++)
    if (known[i] & from)
      known[i] |= to;
}

static void forget(struct access_knowledge *k, uint64_t holders) {
  uint64_t *known = &k->known[0][0][0];
  for (size_t i = 0; i < sizeof k->known / sizeof *known; i++)
    known[i] &= ~holders;
}

/* All release sequences. */
static uint64_t sequences(const struct access_knowledge *k, uint32_t slot) {
  uint64_t all = 0;
  for (unsigned n = 0; n < most_processes(k); n++)
    all |= object_bit(slot, n);
  return all;
}

/* What blocks that read the variable since the last write hand on to blocks. */
static uint64_t block_reads(const struct access_knowledge *k, uint32_t slot) {
  return k->blocks ? object_bit(slot, KNOWLEDGE_PROCESSES - 1) : 0;
}

/* A store ends the sequences of other processes. */
static void step_atomic(struct access_knowledge *k, unsigned p,
                        const struct step *step) {
  uint32_t slot = slot_of_access(step->access);
  bool stores = op_stores(step->op);
  if (!stores && order_acquires(step->order))
    learn(k, process_bit(p), sequences(k, slot));
  if (!(step->access->mode & ACCESS_WRITE))
    return;
  forget(k, block_reads(k, slot));
  if (stores)
    forget(k, sequences(k, slot) & ~object_bit(slot, p));
  if (order_releases(step->order))
    learn(k, object_bit(slot, p), process_bit(p));
}

static void step_object(struct access_knowledge *k, unsigned p,
                        const struct step *step) {
  bool shared = step->flags & STEP_SHARED;
  uint32_t slot = slot_of_access(step->access);
  uint64_t all = object_bit(slot, ALL), readers = object_bit(slot, READERS);
  if (!(step->access->mode & ACCESS_WRITE))
    return;
  if (order_acquires(step->order))
    learn(k, process_bit(p), shared ? all : all | readers);
  for (uint32_t i = 0; i < step->accesses && order_releases(step->order); i++)
    learn(k,
          object_bit(slot_of_access(&step->access[i]), shared ? READERS : ALL),
          process_bit(p));
}

/* ---- accesses -------------------------------------------------------------
 */

static void step_data(struct access_knowledge *k, unsigned p,
                      const struct access *a, access_list *racy) {
  uint32_t slot = slot_of_access(a);
  bool writes = a->mode & ACCESS_WRITE;
  for (unsigned q = 0; q < k->processes; q++)
    for (unsigned write = !writes; q != p && write < 2; write++)
      if (k->known[q][slot][write] &&
          !(k->known[q][slot][write] & process_bit(p)))
        VEC_PUSH(*racy, *a);
  k->known[p][slot][writes] = process_bit(p);
}

/* ---- blocks ---------------------------------------------------------------
 *
 * A block comes after those with which it has a conflict, and hands on what it
 * knows, by its accesses to data, too; its atomic operations acquire and
 * release.  So its writes are the heads of release sequences, and only blocks
 * acquire those of data.
 */

static void block_acquires(struct access_knowledge *k, unsigned p,
                           const struct access *a) {
  uint32_t slot = slot_of_access(a);
  learn(k, process_bit(p), sequences(k, slot));
  if (a->mode & ACCESS_WRITE)
    learn(k, process_bit(p), block_reads(k, slot));
}

static void block_releases(struct access_knowledge *k, unsigned p,
                           const struct access *a) {
  uint32_t slot = slot_of_access(a);
  if (a->mode & ACCESS_WRITE) {
    forget(k, sequences(k, slot) | block_reads(k, slot));
    learn(k, object_bit(slot, p), process_bit(p));
  } else {
    learn(k, block_reads(k, slot), process_bit(p));
  }
}

static bool is_write(const struct access *a) {
  return a->mode & ACCESS_WRITE;
}

static void step_block(struct access_knowledge *k, unsigned p,
                       const struct step *step, access_list *racy) {
  for (uint32_t i = 0; i < step->accesses; i++)
    block_acquires(k, p, &step->access[i]);
  for (uint32_t i = 0; i < step->accesses; i++)
    if (!(step->access[i].mode & ACCESS_ATOMIC))
      step_data(k, p, &step->access[i], racy);
  for (unsigned writes = 0; writes < 2; writes++)
    for (uint32_t i = 0; i < step->accesses; i++)
      if (is_write(&step->access[i]) == writes)
        block_releases(k, p, &step->access[i]);
}

/* Outside of blocks; the write hides from them what blocks did. */
static void step_plain(struct access_knowledge *k, unsigned p,
                       const struct access *a, access_list *racy) {
  uint32_t slot = slot_of_access(a);
  step_data(k, p, a, racy);
  if (a->mode & ACCESS_WRITE)
    forget(k, sequences(k, slot) | block_reads(k, slot));
}

void knowledge_step(struct access_knowledge *k, unsigned p,
                    const struct step *step, access_list *racy) {
  if (step->cause)
    learn(k, process_bit(p), goes_on_bit(p));
  if (op_is(step->op, OPCLASS_ATOMIC))
    step_atomic(k, p, step);
  else if (op_is(step->op, OPCLASS_PLAIN))
    step_plain(k, p, step->access, racy);
  else if (step->op == OP_BLOCK)
    step_block(k, p, step, racy);
  else if (step->accesses && op_is(step->op, OPCLASS_OBJECT))
    step_object(k, p, step);
}

/* An access of which all processes know that go on is in no race any more. */
static void drop_settled(struct access_knowledge *k, uint64_t running) {
  uint64_t *known = &k->known[0][0][0];
  for (size_t i = 0; i < sizeof k->known / sizeof *known; i++)
    if ((known[i] & running) == running)
      known[i] = 0;
}

void knowledge_stepped(struct access_knowledge *k, struct system *system,
                       unsigned p, size_t depth) {
  uint64_t running = 0;
  for (unsigned q = 0; q < k->processes; q++) {
    struct step next;
    if (!system->ops->pending(system, q, &next))
      continue;
    running |= process_bit(q);
    if (next.cause != depth)
      continue;
    forget(k, goes_on_bit(q));
    learn(k, goes_on_bit(q), process_bit(p));
  }
  drop_settled(k, running);
}

uint64_t knowledge_hash(const struct access_knowledge *k) {
  const uint64_t *known = &k->known[0][0][0];
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof k->known / sizeof *known; i++)
    hash = rng_mix(hash ^ known[i]);
  return hash;
}

/* The state, for explorers that store states: digests of its parts.
 *
 * The digest of all processes and that of all shared slots are kept up to date
 * as slots change.  Of a process count its status, where it stands, and the
 * registers that it may still read (live.c).  The slots of an object count as
 * one, since footprints name its first bytes only.
 */
#include "machine.h"

#include <string.h>

#include "util/planted.h"
#include "util/rng.h"

/* ---- digests --------------------------------------------------------------
 */

/* Two words that have nothing to do with each other. */
static inline void mix_in(struct digest128 *d, uint64_t value) {
  d->word[0] = rng_mix(d->word[0] ^ value);
  d->word[1] = rng_mix(d->word[1] + ~value);
}

static struct digest128 digest_from(uint64_t what, uint64_t number) {
  struct digest128 d = {{what, ~what}};
  mix_in(&d, number);
  return d;
}

static struct digest128 slot_digest(const struct model *m, uint32_t slot,
                                    int64_t value) {
  struct digest128 d = m->stored.slots.at[slot];
  mix_in(&d, (uint64_t)value);
  return d;
}

/* ---- processes ------------------------------------------------------------
 */

static bool is_live(const struct model *m, const struct instruction *i,
                    uint32_t reg) {
  uint64_t live = m->outcomes ? i->live : i->needed;
  return live >> (reg < 63 ? reg : 63) & 1;
}

static struct digest128 process_digest(const struct model *m, unsigned p) {
  const int64_t *at = &m->state.at[m->places.at[p].block];
  struct digest128 d = m->stored.processes.at[p].place;
  uint64_t stands = (uint64_t)at[SLOT_STATUS];
  if (stands == STATUS_ABSENT)
    return d;
  const struct instruction *i = instruction_of(m, p);
  stands |= (uint64_t)at[SLOT_AWAKE] << 31 | (uint64_t)at[SLOT_PC] << 32;
  mix_in(&d, stands);
  if (lines_has(m->g, p) && !lines_first(m, p))
    mix_in(&d, 1 + lines_before(m, p));
  for (uint32_t r = 0; r < m->g->processes.at[p].registers; r++)
    if (is_live(m, i, r)) /* which ones are, the instruction says */
      mix_in(&d, (uint64_t)at[SLOT_REGISTERS + r]);
  return d;
}

struct digest128 state_local(struct system *system) {
  struct model *m = (struct model *)system;
  for (unsigned p = 0; p < m->stored.processes.size; p++) {
    struct process_state *s = &m->stored.processes.at[p];
    if (!s->changed)
      continue;
    digest128_subtract(&m->stored.local, s->digest);
    s->digest = process_digest(m, p);
    digest128_add(&m->stored.local, s->digest);
    s->changed = false;
  }
  return m->stored.local;
}

/* ---- shared slots ---------------------------------------------------------
 */

struct digest128 state_shared(struct system *system) {
  return ((struct model *)system)->stored.shared;
}

static struct digest128 object_digest(const struct model *m, uint32_t slot,
                                      uint32_t count) {
  struct digest128 d = digest_from(3, slot);
  for (uint32_t i = 0; i < count; i++)
    mix_in(&d, (uint64_t)m->state.at[slot + i]);
  return d;
}

static uint64_t bits_of(uint8_t bytes) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < 8; i++)
    if (bytes >> i & 1)
      bits |= (uint64_t)0xff << 8 * i;
  return bits;
}

struct digest128 state_contents(struct system *system, uint64_t granule,
                                uint8_t bytes) {
  const struct model *m = (struct model *)system;
  uint32_t slot = (uint32_t)(granule - (MODEL_BASE >> 3));
  uint32_t count = m->stored.extent.at[slot];
  if (count > 1)
    return object_digest(m, slot, count);
  struct digest128 d = m->stored.slots.at[slot];
  d.word[0] += bytes; /* of a word that is mixed already */
  mix_in(&d, (uint64_t)m->state.at[slot] & bits_of(bytes));
  return d;
}

/* ---- the end --------------------------------------------------------------
 */

uint32_t state_left_behind(struct system *system,
                           const struct access **accesses) {
  const struct model *m = (struct model *)system;
  *accesses = m->stored.variables.at;
  return m->outcomes ? (uint32_t)m->stored.variables.size : 0;
}

/* ---- keeping up -----------------------------------------------------------
 */

void state_changed(struct model *m, uint32_t slot, int64_t from, int64_t to) {
  uint32_t owner = m->stored.owner.at[slot];
  if (owner == NIL)
    return;
  if (owner) {
    m->stored.processes.at[owner - 1].changed = true;
    return;
  }
  digest128_subtract(&m->stored.shared, slot_digest(m, slot, from));
  digest128_add(&m->stored.shared, slot_digest(m, slot, to));
}

/* Objects have several slots each; a slot of another kind stands for itself. */
static void find_extents(struct model *m) {
  m->stored.extent.size = m->stored.variables.size = 0;
  for (uint32_t i = 0; i < m->g->slots; i++)
    VEC_PUSH(m->stored.extent, 1);
  for (size_t i = 0; i < m->g->symbols.size; i++) {
    const struct symbol *s = &m->g->symbols.at[i];
    for (uint32_t k = 0; k < s->extent; k++) {
      uint32_t slot = s->slot + k * s->stride;
      m->stored.extent.at[slot] = s->stride;
      if (symbol_has_value(s->kind))
        VEC_PUSH(m->stored.variables,
                 access_of(slot, PART_WHOLE, ACCESS_ATOMIC));
    }
  }
}

/* 1 + the process whose slot it is, 0 for a shared one, NIL for history. */
static void find_owners(struct model *m) {
  m->stored.owner.size = 0;
  for (uint32_t i = 0; i < m->state.size; i++)
    VEC_PUSH(m->stored.owner, i < m->g->slots ? 0 : NIL);
  for (unsigned p = 0; p < m->places.size; p++)
    for (uint32_t i = 0; i < SLOT_REGISTERS + m->g->processes.at[p].registers;
         i++)
      m->stored.owner.at[m->places.at[p].block + i] = p + 1;
}

void state_begin(struct model *m) {
  find_extents(m);
  find_owners(m);
  m->stored.local = m->stored.shared = (struct digest128){{0, 0}};
  m->stored.slots.size = m->stored.processes.size = 0;
  for (uint32_t i = 0; i < m->g->slots; i++) {
    VEC_PUSH(m->stored.slots, digest_from(1, i));
    digest128_add(&m->stored.shared, slot_digest(m, i, m->state.at[i]));
  }
  for (unsigned p = 0; p < m->places.size; p++)
    VEC_PUSH(
        m->stored.processes,
        (struct process_state){.place = digest_from(2, p), .changed = true});
}

void state_free(struct model *m) {
  VEC_FREE(m->stored.slots);
  VEC_FREE(m->stored.processes);
  VEC_FREE(m->stored.extent);
  VEC_FREE(m->stored.owner);
  VEC_FREE(m->stored.variables);
}

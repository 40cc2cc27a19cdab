/* Sequences of steps, written out, and the dependences in them.
 *
 * The algorithms of papers 1 and 2 keep sequences in wakeup trees, in don't-do
 * sets, and in the test for redundancy.  `optimal` avoids writing them out.
 * Here the papers' text is about them, so they are kept as they are.
 *
 * With observers, two writes depend on each other only if the later one is
 * observed: if the next step that touches the bytes of both reads them.  That
 * depends on the sequence, not only on the two steps.
 */
#ifndef EXPLORE_ASPRINTED_PRINTED_SEQUENCE_H
#define EXPLORE_ASPRINTED_PRINTED_SEQUENCE_H

#include "core/trace.h"

/* keep.  A step: its process, its index there, its alternative, the event that
 * made it possible, and its footprint. */
struct printed_act {
  uint32_t proc;
  uint32_t index;
  uint32_t choice;
  uint32_t cause_proc;
  uint32_t cause_index; /* 0: there is none */
  uint16_t op;
  uint32_t accesses;
  uint32_t first_access;
};

/* keep.  Counts its holders.  It does not change while it has several. */
struct printed_sequence {
  uint32_t holders;
  VEC(struct printed_act) acts;
  VEC(struct access) accesses;
};

struct printed_sequence *printed_sequence_new(void);
struct printed_sequence *printed_sequence_hold(struct printed_sequence *);
void printed_sequence_drop(struct printed_sequence *);
void printed_sequence_clear(struct printed_sequence *);

/* Appends the trace's event at this position. */
void printed_sequence_add_event(struct printed_sequence *, const struct trace *,
                                uint32_t position);
/* Appends a step that was taken after the first `at` events of the trace and
 * the acts of the sequence. */
void printed_sequence_add_step(struct printed_sequence *, const struct trace *,
                               uint32_t at, uint32_t proc, const struct step *);
/* Appends an act of another sequence. */
void printed_sequence_add_act(struct printed_sequence *,
                              const struct printed_sequence *from, uint32_t i);

/* An act of a sequence. */
struct printed_act_of {
  const struct printed_sequence *sequence;
  uint32_t act;
};

static inline const struct printed_act *act_get(struct printed_act_of a) {
  return &a.sequence->acts.at[a.act];
}

/* Are they the same step of the same process? */
static inline bool acts_same(const struct printed_act *a,
                             const struct printed_act *b) {
  return a->proc == b->proc && a->index == b->index && a->choice == b->choice;
}

/* Are the first acts of `s` those of `prefix`? */
bool printed_sequence_begins(const struct printed_sequence *s,
                             const struct printed_sequence *prefix);

enum act_relation {
  ACT_NONE,
  ACT_WRITES, /* both only write bytes that both touch */
  ACT_DEPENDENT,
};

enum act_relation acts_relation(struct printed_act_of earlier,
                                struct printed_act_of later);

/* Does x, taken before the acts of s from `from` on, happen before one of them?
 * x is of another process than all of them. */
bool printed_sequence_needs(const struct printed_sequence *s, uint32_t from,
                            struct printed_act_of x, bool observers);

/* Is x a weak initial of s from `from` on?  Either it is the first act of its
 * process there, and no act there comes before it; or its process has no act
 * there, and x is independent of all of them.  *at becomes its place, or
 * NOWHERE. */
bool printed_sequence_weak_initial(const struct printed_sequence *s,
                                   uint32_t from, struct printed_act_of x,
                                   bool observers, uint32_t *at);

/* The first act of this process from `from` on, or NOWHERE. */
uint32_t printed_sequence_first(const struct printed_sequence *, uint32_t from,
                                uint32_t proc);

/* Does no act from `from` on happen before the act `i`? */
bool printed_sequence_is_initial(const struct printed_sequence *, uint32_t from,
                                 uint32_t i, bool observers);

/* Are the bytes that both acts wrote overwritten in s, from `from` on, before
 * they are read? */
bool printed_sequence_overwrites(const struct printed_sequence *s,
                                 uint32_t from, struct printed_act_of a,
                                 struct printed_act_of b);

/* Does an operation of this kind read the bytes of an access of this mode?  A
 * block has a separate access for bytes that it reads before it writes them. */
static inline bool access_reads(uint16_t op, uint32_t mode) {
  return !(mode & ACCESS_WRITE) || op_reads_written(op);
}

#endif

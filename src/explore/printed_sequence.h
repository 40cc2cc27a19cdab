/* Sequences of steps, written out, and what depends on what in them.
 *
 * The algorithms of papers 1 and 2 keep sequences everywhere: in wakeup trees,
 * in don't-do sets, in the test for redundancy.  `optimal` avoids writing them
 * out; here they are what the papers' text is about, so they are kept as they
 * are.
 *
 * With observers, two writes depend on each other only if the later one is
 * observed: if the next step that touches what both wrote reads it.  Whether
 * that is so is a question to the sequence at hand, not to the two steps.
 */
#ifndef EXPLORE_PRINTED_SEQUENCE_H
#define EXPLORE_PRINTED_SEQUENCE_H

#include "core/trace.h"

/* keep.  A step: who, its how-many-th event, which alternative, what made it
 * possible, and its footprint. */
struct act {
  uint32_t proc;
  uint32_t index;
  uint32_t choice;
  uint32_t cause_proc;
  uint32_t cause_index; /* 0: nobody's */
  uint16_t op;
  uint32_t accesses;
  uint32_t first_access;
};

/* keep.  Once several hold it, it does not change any more. */
struct sequence {
  uint32_t holders;
  VEC(struct act) acts;
  VEC(struct access) accesses;
};

struct sequence *sequence_new(void);
struct sequence *sequence_hold(struct sequence *);
void sequence_drop(struct sequence *);
void sequence_clear(struct sequence *);

/* Appends the trace's event at this position. */
void sequence_add_event(struct sequence *, const struct trace *,
                        uint32_t position);
/* Appends a step that was taken after the first `at` events of the trace and
 * what is in the sequence. */
void sequence_add_step(struct sequence *, const struct trace *, uint32_t at,
                       uint32_t proc, const struct step *);
/* Appends an act of another sequence. */
void sequence_add_act(struct sequence *, const struct sequence *from,
                      uint32_t i);

/* A step as one of a sequence. */
struct act_of {
  const struct sequence *sequence;
  uint32_t act;
};

static inline const struct act *act_get(struct act_of a) {
  return &a.sequence->acts.at[a.act];
}

/* The same step of the same process? */
static inline bool acts_same(const struct act *a, const struct act *b) {
  return a->proc == b->proc && a->index == b->index && a->choice == b->choice;
}

/* Are the first acts of `s` those of `prefix`? */
bool sequence_begins(const struct sequence *s, const struct sequence *prefix);

enum relation {
  RELATION_NONE,
  RELATION_WRITES, /* both only write, and something that both write */
  RELATION_DEPENDENT,
};

enum relation acts_relation(struct act_of earlier, struct act_of later);

/* Does x, taken before the acts of s from `from` on, happen before one of them?
 * x is of another process than all of them. */
bool sequence_needs(const struct sequence *s, uint32_t from, struct act_of x,
                    bool observers);

/* Is x a weak initial of s from `from` on: the first act of its process there,
 * with nothing before it, or of a process that does not move there and
 * independent of all of it?  *at becomes its place, or NOWHERE. */
bool sequence_weak_initial(const struct sequence *s, uint32_t from,
                           struct act_of x, bool observers, uint32_t *at);

/* The first act of this process from `from` on, or NOWHERE. */
uint32_t sequence_first(const struct sequence *, uint32_t from, uint32_t proc);

/* Has the act `i` nothing before it in the sequence from `from` on? */
bool sequence_is_initial(const struct sequence *, uint32_t from, uint32_t i,
                         bool observers);

/* Does what both acts wrote reach nobody in s from `from` on, because somebody
 * writes all of it first? */
bool sequence_overwrites(const struct sequence *s, uint32_t from,
                         struct act_of a, struct act_of b);

/* Does an operation of this kind read what an access of this mode touches?  A
 * block has an access of its own for what it reads before writing it. */
static inline bool access_reads(uint16_t op, uint32_t mode) {
  return !(mode & ACCESS_WRITE) ||
         (op != OP_STORE && op != OP_WRITE && op != OP_BLOCK && op != OP_TASK);
}

#endif

/* Inside the model system: shared by its files. */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include "model.h"

enum status {
  STATUS_ABSENT,    /* not created yet */
  STATUS_RUNNING,   /* its next step is the instruction at its pc */
  STATUS_WAITING,   /* in the queue of a condition variable */
  STATUS_RELOCKING, /* signalled: its next step is to lock the mutex */
  STATUS_ENDED,
  STATUS_FAILED, /* and beyond: plus the enum finding_kind */
};

/* Slots of a process, from its `block` on. */
enum { SLOT_STATUS, SLOT_PC, SLOT_AWAKE, SLOT_REGISTERS };

/* History of a process, from its `history` on. */
enum { HISTORY_CAUSE, HISTORY_END, HISTORY_ROUND, HISTORY_SLOTS };

/* keep */
struct place {
  uint32_t block;
  uint32_t history;
};

/* prog: taken back by undo. */
struct change {
  uint32_t slot;
  int64_t old;
};

/* prog.  One step taken. */
struct taken_step {
  uint32_t log;      /* length of the log before it */
  uint32_t rounds;   /* ... and of model.rounds */
  uint32_t failed;   /* 1 + process that failed in it, or 0 */
  uint32_t hidden;   /* accesses to data that were no steps of their own */
  uint8_t statement; /* enum statement_kind */
  uint8_t kind;      /* enum symbol_kind of what it tests */
  uint8_t part;      /* enum part of it ... */
  uint32_t slot;     /* ... in this slot */
  int64_t expected;  /* for this value */
};

/* prog.  A process stood at the head of a loop: see round.c. */
struct model_round {
  uint64_t state; /* its hash */
  uint32_t older; /* 1 + the round before, since it last wrote; or 0 */
};

/* keep: a value in retry.c. */
struct term {
  int64_t value; /* if it depends on a value that is not known: a hash of how */
  bool open;     /* ... and it does */
  bool found;    /* it is that value */
};

/* keep: local code that runs with such values. */
struct retry_walk {
  VEC(struct term) reg;
  VEC(int64_t) values; /* scratch: all of them */
  int64_t expected;    /* the value that is not known is not this one */
  uint32_t pc;
};

/* keep: a process before it reads what it may swap. */
struct model_retry {
  VEC(int64_t) registers;
  uint32_t pc;
  uint32_t rounds; /* length of model.rounds */
};

/* Accesses of a pending step: a wait has two. */
struct pending {
  struct access access[2];
};

/* keep: symbols, one bit each, that code can still read or write: see
 * remaining.c. */
struct future {
  uint64_t reads;
  uint64_t writes;
};

typedef VEC(struct access) access_vec;

/* keep: what a trial of round.c must leave as it was. */
struct model_trial {
  access_vec accesses;
  uint32_t failed;
  size_t depth;
};

/* keep.  See state.c. */
struct process_state {
  struct digest128 place; /* of its number */
  struct digest128 digest;
  bool changed; /* since the digest was computed */
};

struct stored_state {
  struct digest128 local, shared;
  VEC(struct digest128) slots; /* of the numbers of shared slots */
  VEC(struct process_state) processes;
  VEC(uint32_t) extent; /* by shared slot: how many slots are one object */
  VEC(uint32_t) owner;  /* by slot: 1 + process, 0: shared, NIL: history */
  access_vec variables; /* all that an outcome shows */
};

struct model {
  struct system system; /* first: a struct system * is a struct model * */
  const struct program *g;
  VEC(int64_t) state;
  VEC(struct place) places;
  VEC(struct change) log;
  VEC(struct taken_step) taken;
  access_vec accesses;            /* of the last step */
  access_vec tried;               /* keep: the same of a trial */
  VEC(struct model_round) rounds; /* see round.c */
  VEC(struct datum) data;         /* and the data that its local code touched */
  bool apart;                     /* keep: accesses to data are no steps */
  bool holds;                     /* keep: looks of loops may be disabled */
  bool trying;                    /* keep: a trial of round.c is under way */
  bool joins;                     /* keep: see retry.c */
  struct model_retry retry;       /* keep: scratch, as are */
  struct retry_walk walks[2];     /* keep */
  bool states;                    /* keep: states are stored: see state.c */
  bool outcomes;                  /* keep: ... and outcomes are told apart */
  struct stored_state stored;
  bool updates;                /* keep: updates of one kind need no order ... */
  VEC(bool) ordered;           /* keep: ... except for those of these slots */
  bool stale;                  /* keep: a slot was added to them */
  VEC(struct pending) pending; /* keep: one for each process */
  VEC(struct future) futures;  /* keep: by instruction; empty: not known yet */
  VEC(bool) looked_at;    /* keep, by symbol: a spin loop may be held there */
  VEC(bool) awaited;      /* keep, by symbol: a spin loop waits for a change */
  size_t comparable;      /* slots before the history */
  uint32_t failed;        /* 1 + process that failed in this step, or 0 */
  uint32_t failed_before; /* the same for the start */
  struct finding finding;
  VEC(char) message;
};

static inline int64_t *registers_of(struct model *m, unsigned p) {
  return &m->state.at[m->places.at[p].block + SLOT_REGISTERS];
}

static inline int64_t status_of(const struct model *m, unsigned p) {
  return m->state.at[m->places.at[p].block + SLOT_STATUS];
}

static inline const struct instruction *instruction_of(const struct model *m,
                                                       unsigned p) {
  return &m->g->code.at[m->state.at[m->places.at[p].block + SLOT_PC]];
}

static inline const struct statement *statement_of(const struct model *m,
                                                   unsigned p) {
  return &m->g->statements.at[instruction_of(m, p)->statement];
}

static inline uint64_t address_of(uint32_t slot) {
  return MODEL_BASE + 8 * (uint64_t)slot;
}

/* The value of a part, and the value of the whole after a write to a part.  A
 * half is a signed number, too; bits that do not fit are cut off. */
static inline int64_t part_get(int64_t whole, uint8_t part) {
  if (part == PART_WHOLE)
    return whole;
  return (int32_t)(uint32_t)((uint64_t)whole >> (part == PART_HIGH ? 32 : 0));
}

static inline int64_t part_set(int64_t whole, uint8_t part, int64_t value) {
  unsigned shift = part == PART_HIGH ? 32 : 0;
  uint64_t bits = (uint64_t)UINT32_MAX << shift;
  if (part == PART_WHOLE)
    return value;
  return (int64_t)(((uint64_t)whole & ~bits) |
                   ((uint64_t)value << shift & bits));
}

/* The access to a part of the variable in a slot, and the reverse. */
static inline struct access access_of(uint32_t slot, uint8_t part,
                                      uint32_t mode) {
  return (struct access){address_of(slot) + (part == PART_HIGH ? 4 : 0),
                         part == PART_WHOLE ? 8 : 4, mode};
}

static inline uint32_t slot_of(const struct access *a) {
  return (uint32_t)((a->addr - MODEL_BASE) / 8);
}

static inline uint8_t part_of(const struct access *a) {
  return a->size == 8 ? PART_WHOLE : a->addr % 8 ? PART_HIGH : PART_LOW;
}

/* state.c: the digests of the state, where states are stored. */
void state_begin(struct model *);
void state_free(struct model *);
void state_changed(struct model *, uint32_t slot, int64_t from, int64_t to);
struct digest128 state_local(struct system *);
struct digest128 state_shared(struct system *);
struct digest128 state_contents(struct system *, uint64_t granule,
                                uint8_t bytes);
uint32_t state_left_behind(struct system *, const struct access **);

static inline void slot_set(struct model *m, uint32_t slot, int64_t value) {
  int64_t old = m->state.at[slot];
  if (old == value)
    return;
  VEC_PUSH(m->log, (struct change){slot, old});
  if (m->states)
    state_changed(m, slot, old, value);
  m->state.at[slot] = value;
}

/* Is p in a spin loop whose variable has not changed since the last look? */
static inline bool awaits_of(const struct model *m, unsigned p) {
  return status_of(m, p) == STATUS_RUNNING &&
         instruction_of(m, p)->code == CODE_AWAIT &&
         !m->state.at[m->places.at[p].block + SLOT_AWAKE];
}

/* describe.c: is the variable of this look never written in other parts? */
bool is_written_whole(const struct model *, const struct statement *look);

/* describe.c: finds model.looked_at. */
void describe_looked_at(struct model *);
/* Writes to a place where a spin loop may be held are in one order, for every
 * algorithm: they count as reads, too.  So they do where states are stored:
 * whether a write lets a loop look again depends on the old value. */
static inline bool is_ordered(const struct model *m,
                              const struct statement *s) {
  return (m->holds && m->looked_at.at[s->symbol]) ||
         (m->states && m->awaited.at[s->symbol]);
}

/* round.c: process p has arrived at an operation; it has written. */
void round_arrive(struct model *, unsigned p);
void round_forget(struct model *, unsigned p);
/* Can the statement be the look of a `loop`?  Also behind it, as long as the
 * process has not written anything. */
bool may_look(const struct statement *);
/* Is the next step of p the look of a loop, which may be disabled? */
bool is_look(const struct model *, unsigned p);
/* If so: what would come of it now, and if its object were as it was before the
 * step at `position`?  Is it disabled now? */
enum look round_look(struct model *, unsigned p);
/* Is the next step of p a read and the swap behind it in one? */
bool round_joins(struct model *, unsigned p);
enum look round_look_before(struct model *, unsigned p, size_t position);
bool is_held(struct model *, unsigned p);
/* If no other process moves: does p, which is held, look and come round for
 * ever, or wait for a lock? */
bool round_goes_on(struct model *, unsigned p);
/* A hash of where p stood since it last wrote; 0 if that is as it was when the
 * log had this length. */
uint64_t round_hash(const struct model *, unsigned p, size_t log);

/* Of the first `rounds` that are remembered, did one of p begin in this state,
 * since it last wrote? */
bool round_was_there(const struct model *, unsigned p, uint64_t state,
                     uint32_t rounds);

/* live.c: a hash of all that matters of a process at the head of a loop, which
 * is at `pc`. */
uint64_t live_hash(const struct program *, uint32_t pc,
                   const int64_t *registers, uint32_t count);
static inline bool live_matters(const struct instruction *i, uint32_t reg) {
  return i->live >> (reg < 63 ? reg : 63) & 1;
}

/* retry.c: process p is about to read.  And when it has read this slot: is that
 * one step with the swap that is next? */
void retry_begin(struct model *, unsigned p, struct model_retry *);
bool retry_joins(struct model *, unsigned p, uint32_t slot,
                 const struct model_retry *before);
void retry_free(struct model *);

/* model.c: the slot's value before the step at this position. */
int64_t value_before(const struct model *, uint32_t slot, size_t position);

/* evaluate.c.  *crashed is set by a division by zero, else left alone. */
int64_t evaluate_operation(uint8_t kind, int64_t a, int64_t b, bool *crashed);
/* Is the second operand not looked at, or is there none? */
static inline bool evaluate_decided(uint8_t kind, int64_t a) {
  return kind == EXPRESSION_NOT || kind == EXPRESSION_NEGATE ||
         kind == (a ? EXPRESSION_OR : EXPRESSION_AND);
}
int64_t evaluate(const struct program *, const int64_t *registers,
                 uint32_t expression, bool *crashed);

/* local.c: runs process p on to its next visible operation.  `apart`: accesses
 * to data are not visible.  But the first operation of a process always is, so
 * that there is a step of which they can be part. */
void local_run(struct model *, unsigned p, bool apart);
void local_fail(struct model *, unsigned p, enum finding_kind);
void local_start(struct model *, unsigned p, uint32_t cause);
/* The slot of the element that a statement of p names; NIL: out of bounds, or
 * its index divides by zero (then *crashed). */
uint32_t local_slot(struct model *, unsigned p, uint32_t symbol, uint32_t index,
                    bool *crashed);
void local_block(struct model *, unsigned p);
/* Performs a read, write or update of one variable.  True if it wrote. */
bool local_access(struct model *, unsigned p, const struct statement *,
                  uint32_t slot, bool *crashed);

/* describe.c: the next step of p, which is running, waiting or relocking. */
/* A part of describe_pending(). */
void describe_outline(struct model *, unsigned p, struct outline *);
void describe_pending(struct model *, unsigned p, struct step *,
                      struct access *);
uint8_t describe_offers(const struct model *, uint32_t slot, uint8_t kind);
bool describe_ready(struct model *, unsigned p);
/* The same but for looks that are held. */
bool describe_offered(struct model *, unsigned p);

/* lines.c: process `from` (NIL: the program) creates task p, which joins its
 * line. */
void lines_join(struct model *, uint32_t from, uint32_t p);
/* Of a task with a line: is it the first?  It begins.  The task before it, and
 * the slot that says whether that task has begun. */
bool lines_first(const struct model *, uint32_t p);
void lines_begin(struct model *, uint32_t p);
uint32_t lines_before(const struct model *, uint32_t p);
uint32_t lines_awaited(const struct model *, uint32_t p);

/* Does a task wait for its turn here? */
static inline bool is_turn(const struct instruction *i,
                           const struct statement *s) {
  return i->code == CODE_VISIBLE && s->kind == STATEMENT_TASK;
}

/* remaining.c */
bool model_may_touch(struct system *, unsigned but, const struct access *,
                     uint32_t count);

/* outcome.c */
enum ending outcome_ending(struct system *);
bool outcome_failed(struct system *);
const struct finding *outcome_finding(struct system *);
const char *outcome_output(struct system *, size_t *length);

#endif

/* Excursions: running other steps from an earlier state of the execution, to
 * see what they do and where they lead.  The trace stays as it is. */
#ifndef EXPLORE_PRINTED_RUN_H
#define EXPLORE_PRINTED_RUN_H

#include "core/explore.h"
#include "explore/printed_sequence.h"

/* A move to be made: of an event of the trace, or of one that is not in it. */
struct planned {
  struct move move;
  uint32_t position; /* in the trace, or NOWHERE */
};

struct plan {
  VEC(struct planned) list;
};

void plan_add(struct plan *, const struct trace *, uint32_t position);

/* keep */
struct run {
  struct explorer *x; /* set by the owner */
  VEC(bool) creators; /* processes that ever created another one */
  size_t depth;       /* of the excursion */
  uint32_t strayed;   /* the least depth that the system was taken back to */
};

void run_discard(struct run *);

/* The system is where the trace ends. */
void run_begin(struct run *);
/* Brings it there again.  False: the system wants to begin anew, and is at no
 * state in particular. */
bool run_end(struct run *);

/* Goes back to the state after so many steps of the trace. */
void run_at(struct run *, uint32_t depth);

/* Can this be the next move of the system, which is at that depth? */
bool run_possible(struct run *, struct move, size_t depth);

/* Takes the planned moves from `from` on; how many were possible. */
size_t run_moves(struct run *, const struct plan *, size_t from, size_t count);

/* Writes out what the planned moves do from the state after `at` steps; how
 * many are possible. */
size_t run_write_out(struct run *, uint32_t at, const struct plan *,
                     struct sequence *);

/* Where the excursion led, compared with the state after `depth` steps.  False
 * if the system cannot tell. */
bool run_changes(struct run *, uint32_t depth, struct changes *);

static inline bool changes_equal(struct changes a, struct changes b) {
  return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

/* Takes notice of the newest event. */
void run_stepped(struct run *);

/* As explorer_free_choice(), but who is about to join somebody, or has created
 * others and is about to do something else, goes last.  In the papers' programs
 * that is main: its steps do not come between those of the threads, into the
 * sequences that reverse their races, and the counts are the papers'. */
enum pick run_free_choice(const struct run *,
                          bool (*asleep)(const void *, uint32_t proc),
                          const void *context, uint32_t *proc);

#endif

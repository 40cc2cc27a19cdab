/* Excursions: running other steps from an earlier state of the execution, to
 * see what they do and where they lead.  The trace stays as it is. */
#ifndef EXPLORE_ASPRINTED_PRINTED_RUN_H
#define EXPLORE_ASPRINTED_PRINTED_RUN_H

#include "core/search.h"
#include "explore/asprinted/printed_sequence.h"

/* A planned move: that of an event of the trace, or another one. */
struct printed_move {
  struct move move;
  uint32_t position; /* in the trace, or NOWHERE */
};

struct printed_plan {
  VEC(struct printed_move) list;
};

void printed_plan_add(struct printed_plan *, const struct trace *,
                      uint32_t position);

/* keep */
struct printed_run {
  struct explorer *x; /* set by the owner */
  VEC(bool) creators; /* processes that ever created another one */
  size_t depth;       /* of the excursion */
  uint32_t strayed;   /* the least depth that the system was taken back to */
};

void printed_run_free(struct printed_run *);

/* Begins an excursion.  The system is at the end of the trace. */
void printed_run_begin(struct printed_run *);
/* Ends it: takes the system to the end of the trace.  False if the system wants
 * to begin anew, and is in no particular state. */
bool printed_run_end(struct printed_run *);

/* Goes back to the state after so many steps of the trace. */
void printed_run_at(struct printed_run *, uint32_t depth);

/* Can this be the next move of the system, which is at that depth? */
bool printed_run_possible(struct printed_run *, struct move, size_t depth);

/* Takes the planned moves from `from` on; returns how many were possible. */
size_t printed_run_moves(struct printed_run *, const struct printed_plan *,
                         size_t from, size_t count);

/* Writes out the steps of the planned moves from the state after `at` steps;
 * returns how many are possible. */
size_t printed_run_write_out(struct printed_run *, uint32_t at,
                             const struct printed_plan *,
                             struct printed_sequence *);

/* The changes of the excursion since the state after `depth` steps.  False if
 * the system cannot tell. */
bool printed_run_changes(struct printed_run *, uint32_t depth,
                         struct changes *);

static inline bool changes_equal(struct changes a, struct changes b) {
  return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

/* Takes notice of the newest event. */
void printed_run_stepped(struct printed_run *);

/* As explorer_free_choice(), but a process that is about to join another one,
 * or that has created others and is about to do something else, goes last.  In
 * the papers' programs that is main: its steps do not come between those of the
 * threads, into the sequences that reverse their races, and the counts are the
 * papers'. */
enum pick printed_run_free_choice(const struct printed_run *,
                                  bool (*asleep)(const void *, uint32_t proc),
                                  const void *context, uint32_t *proc);

#endif

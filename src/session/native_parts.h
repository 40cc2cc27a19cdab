/* What the files of the exploring process need of each other. */
#ifndef SESSION_NATIVE_PARTS_H
#define SESSION_NATIVE_PARTS_H

#include "core/search.h"
#include "core/wire.h"
#include "session/collect.h"

/* keep.  Moves that lead to an outcome. */
struct session_example {
  VEC(char) moves;
};

/* keep */
struct session {
  struct control *control;
  struct explorer *x;
  struct collection found;
  VEC(uint32_t) needed;  /* by thread: how many of its steps a replay takes */
  VEC(uint32_t) numbers; /* thread number here -> number in a replay */
  VEC(uint32_t)
  local;                  /* by position: MOVE_LOCAL if the given schedule says
                             so; empty if there is none */
  uint32_t moves;         /* in the schedule just written */
  VEC(char) text;         /* scratch for messages */
  struct text messages;   /* that were sent, if they are wanted again */
  unsigned first_threads; /* created before main */
  uint64_t samples;       /* executions that could be one */
  bool unsent;            /* `text` is the last of them */
  VEC(struct session_example) examples; /* of the first outcomes found */
};

/* The schedule that the control file brings. */
static inline const struct move *session_moves(const struct session *s) {
  return (const struct move *)(s->control + 1);
}

/* Does a step of this process come while the one that moved last is enabled? */
static inline bool session_preempts(const struct explorer *x, uint32_t proc) {
  if (!trace_length(&x->trace))
    return false;
  uint32_t last = VEC_TOP(x->trace.events).proc;
  return last != proc && x->system->ops->enabled(x->system, last);
}

/* Writes the moves that lead to the finding, which is at the end of the trace.
 * Returns their number. */
uint32_t session_write_schedule(struct session *, const struct trace *,
                                const struct finding *);

/* Forgets outcomes, and the sample that was not sent. */
void session_forget(struct session *);

/* Sends the finding with the schedule that was written last. */
void session_send_finding(struct session *, const struct finding *,
                          bool warning, uint32_t preemptions);

#endif

/* Exploring a model program in this process. */
#ifndef SESSION_LOCAL_SESSION_H
#define SESSION_LOCAL_SESSION_H

#include "core/search.h"
#include "session/collect.h"
#include "system/model/model.h"

/* keep.  An error and the schedule that leads to it. */
struct local_finding {
  enum finding_kind kind;
  bool warning;
  uint32_t proc;
  uint32_t line;
  uint32_t other_line; /* of a race's earlier access */
  char *message;
  VEC(struct move) moves;
};

struct local_session {
  enum explore_result result;
  const char *limits[EXPLORER_LIMITS]; /* those that were reached */
  unsigned limit_count;
  struct counters counters;
  struct collection found; /* outcomes */
  VEC(struct local_finding) findings;
};

/* Explores the program, which must be compiled.  `stop` is asked now and then
 * whether to end early. */
void local_explore(struct local_session *, const struct program *,
                   const struct algorithm *, const struct options *,
                   bool (*stop)(void *), void *context);
void local_session_free(struct local_session *);

/* A step of a schedule, for reports. */
struct local_step {
  uint32_t proc;
  uint16_t op;
  bool failed;    /* compare-and-swap or trylock that did not succeed */
  bool has_value; /* of a variable, after the step */
  bool local;     /* see MOVE_LOCAL */
  uint32_t line;
  uint32_t target; /* process created or joined; choice taken */
  int64_t value;
  char object[128]; /* what it touched first, "" if nothing */
};

/* Runs the moves and tells of each step. */
void local_replay(const struct program *, const struct move *, size_t moves,
                  void (*tell)(void *, const struct local_step *),
                  void *context);

#endif

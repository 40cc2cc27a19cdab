/* The data-centric search: what its two files share.  See dc.c. */
#ifndef EXPLORE_DATACENTRIC_DC_H
#define EXPLORE_DATACENTRIC_DC_H

#include "core/search.h"
#include "explore/datacentric/linearize.h"

/* Another observation, or another alternative, of an event of a run. */
struct dc_option {
  uint32_t first, count; /* its items, in node.items */
  uint32_t pair; /* the pair for its observation or alternative; 0: to be found
                    from the items */
  uint16_t choice;
  bool by_choice; /* it observes the same, and takes another alternative */
};

/* keep.  An annotation, and a run that has it. */
struct dc_node {
  struct reads_from run;
  /* By process: twice the number of annotated events, less one if the
   * alternative of the last one is left open. */
  VEC(uint32_t) fixed;
  VEC(uint32_t) wanted; /* by process: the number of annotated events */
  VEC(uint32_t)
  rows; /* the order that they have in all runs: see linearize.h */
  VEC(uint32_t) clause; /* B, the newest pair first; empty at the root */
  size_t clauses;       /* size of dc.clauses when the node was entered */
  size_t clause_pairs;
  uint32_t next; /* the event to be looked at next */
  size_t option; /* the option to be tried next, of: */
  VEC(struct dc_option) options;
  VEC(struct rf_item) items; /* of the options */
};

struct dc {
  struct explorer *x;
  struct rf_maker maker;
  struct linearizer linearizer;
  VEC(struct dc_node) nodes; /* in use and spare: */
  size_t depth;
  VEC(struct dc_clause {
    size_t first;
    uint32_t count;
  })
  clauses; /* N */
  VEC(uint32_t) clause_pairs;
  /* The new run begins with these events of the newest node's run, or of the
   * covered run if there is one.  One of them is changed. */
  VEC(uint32_t) plan;
  bool has_covered;
  bool fresh_covered;     /* the covered run was found just now */
  struct dc_node covered; /* a run that other parts of the search have covered,
                             to be improved */
  struct dc_node scratch; /* the annotation that is tried in it */
  struct dc_option chosen;
  uint32_t changed;
  bool order_known; /* the linearizer still has the order that all runs with the
                   chosen option have in common */
  VEC(uint32_t) wanted;        /* scratch: by process, number of events */
  VEC(uint32_t) base;          /* scratch: like node.fixed, of B alone */
  VEC(struct rf_item) stack;   /* scratch: items that are being chosen */
  VEC(struct access) accesses; /* scratch: what an event did when tried, */
  VEC(struct rf_item) tried;   /* and to which items of the newest run */
  VEC(uint32_t) candidates;    /* scratch: writes, 1 + item, or 0 */
  const uint32_t *past;        /* scratch: what comes before an event, ... */
  VEC(uint32_t) joined;        /* ... if it is not the row of another event */
  VEC(uint32_t)
  lasts;         /* scratch: of each process, its last write before the event */
  size_t synced; /* so many events of the trace the system has taken */
  /* See dc_units.c. */
  VEC(struct text) left;  /* items; the last one is explored next */
  VEC(struct move) again; /* the run of an item */
  uint32_t again_next;    /* the event to go on with then */
  bool restores;          /* it is being taken again */
  bool at_hand;           /* an execution is under way */
  bool restart;           /* more bytes are known to be ordered */
};

/* Fills the node's options for an event. */
void dc_find_options(struct dc *, struct dc_node *, uint32_t event);

/* What the annotation `base` must contain if the event has these items: the
 * cone of what it observes.  False if the event itself is in it. */
bool dc_find_base(struct dc *, const struct dc_node *, uint32_t event,
                  const struct rf_item *, uint32_t count);

/* All events of its run, and the operations that wait at its end. */
uint32_t dc_last_event(const struct dc_node *);

/* dc_units.c: units, for processes that share the search.  The tree is
 * explored: goes on with an item, and returns how much of its run is the
 * execution at hand.  The next move of that run. */
bool dc_give(void *, struct text *, enum give);
bool dc_take(void *, const char *unit, size_t size);
size_t dc_begin_item(struct dc *);
enum pick dc_again(struct dc *, struct move *);
void dc_forget_left(struct dc *);

/* Would a conditional event with this observation write? */
bool dc_would_write(struct dc *, const struct dc_node *, uint32_t event,
                    const struct rf_item *, uint32_t count);

#endif

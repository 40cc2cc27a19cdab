/* The data-centric search: what its two files share.  See dc.c. */
#ifndef EXPLORE_DC_H
#define EXPLORE_DC_H

#include "core/explore.h"
#include "core/realize.h"

/* What an event of a run could do instead. */
struct option {
  uint32_t first, count; /* its items, in node.items */
  uint32_t pair; /* what it observes, or the alternative it takes; 0: to be
                    found from the items */
  uint16_t choice;
  bool by_choice; /* it observes the same and takes another alternative */
};

/* keep.  An annotation, and a run that has it. */
struct node {
  struct flow flow;
  /* By process: twice the number of events that the annotation is about, less
   * one if it leaves open which alternative the last one takes. */
  VEC(uint32_t) fixed;
  VEC(uint32_t) wanted; /* by process: the number of these events */
  VEC(uint32_t) rows;   /* the order that they are in: see realize.h */
  VEC(uint32_t) clause; /* B, the newest pair first; empty at the root */
  size_t clauses;       /* how many there were when it was entered */
  size_t clause_pairs;
  uint32_t next; /* deed to be looked at */
  size_t option; /* to be tried, of: */
  VEC(struct option) options;
  VEC(struct item) items; /* of the options */
};

struct dc {
  struct explorer *x;
  struct flow_maker maker;
  struct realizer realizer;
  VEC(struct node) nodes; /* in use and spare: */
  size_t depth;
  VEC(struct clause {
    size_t first;
    uint32_t count;
  })
  clauses; /* N */
  VEC(uint32_t) clause_pairs;
  /* The new run begins with these deeds of the newest node's run, or of the
   * draft's if there is one; one of them is changed. */
  VEC(uint32_t) plan;
  bool has_draft;
  bool fresh_draft;    /* it was made just now */
  struct node draft;   /* a run that is covered, to be done better */
  struct node scratch; /* the annotation tried in it */
  struct option chosen;
  uint32_t changed;
  bool settled; /* the realizer still knows the order that all runs with the
                   chosen option have in common */
  VEC(uint32_t) wanted;        /* scratch: by process, number of events */
  VEC(uint32_t) base;          /* scratch: like node.fixed, of B alone */
  VEC(struct item) stack;      /* scratch: items that are being chosen */
  VEC(struct access) accesses; /* scratch: what an event did when tried, */
  VEC(struct item) tried;      /* and to which items of the newest flow */
  VEC(uint32_t) candidates;    /* scratch: writes, 1 + item, or 0 */
  const uint32_t *past;        /* scratch: what comes before a deed, */
  VEC(uint32_t) joined;        /* if it is not somebody's row */
  VEC(uint32_t)
  lasts;         /* scratch: writes before it that nobody of their
                    process follows with another */
  size_t synced; /* so much of the trace the system has taken */
  bool restart;  /* more is known to be ordered */
};

/* Fills the node's options for a deed. */
void dc_find_options(struct dc *, struct node *, uint32_t deed);

/* What the annotation `base` must contain if the deed has these items: the cone
 * of what it observes.  False if the deed itself is in it. */
bool dc_find_base(struct dc *, const struct node *, uint32_t deed,
                  const struct item *, uint32_t count);

/* Would a conditional deed that observes this write? */
bool dc_would_write(struct dc *, const struct node *, uint32_t deed,
                    const struct item *, uint32_t count);

#endif

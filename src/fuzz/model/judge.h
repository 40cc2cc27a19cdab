/* The judge: everything a model program can do, by exhaustive search.
 *
 * It knows nothing of the explorers and shares no code with them.  A prefix
 * that is equivalent to one seen before is not searched again, but must have
 * led to the same state: where it has not, two steps that do not overlap did
 * not commute, and the verdict says so.  With `plain` set every interleaving is
 * run, one by one.
 */
#ifndef FUZZ_MODEL_JUDGE_H
#define FUZZ_MODEL_JUDGE_H

#include "canon.h"
#include "system/model/model.h"

struct judge_limits {
  uint64_t prefixes; /* distinct prefixes (plain: prefixes) at most */
  size_t steps;      /* of one execution, at most; 0: no limit */
  bool plain;
  bool observers;  /* find out about observed, printed and locals, too */
  bool reads_from; /* and about this */
  const access_list *ordered;  /* see canon.h */
  const struct program *joins; /* of this one steps may be joined: see joint.h;
                                  NULL: there are none */
};

typedef VEC(struct key) key_set;

/* keep.  A failure that no other failure happens before. */
struct judgement {
  bool complete; /* within the limits */
  bool commutes; /* equivalent prefixes led to equal states */
  bool joins;    /* what was joined may be one step */
  uint64_t prefixes;
  uint64_t interleavings; /* UINT64_MAX: that many or more */
  key_set traces;         /* all these sets sorted, without duplicates */
  key_set vain;           /* traces without a verdict: ENDING_VAIN */
  key_set reads_from;
  key_set observed; /* canon_observed() */
  key_set printed;  /* the same if complete executions print all variables */
  key_set outcomes; /* variables and locals, of executions without failure */
  key_set locals; /* the same without variables: what the processes have seen */
  key_set states; /* the whole final state, failed executions included */
  key_set failures;      /* judge_failure() */
  uint64_t stuck;        /* traces that end in a deadlock */
  uint64_t failed;       /* traces with a failure */
  access_list awaited;   /* what spin loops wait for */
  access_list by_blocks; /* what atomic blocks write */
};

struct judge;

struct judge *judge_new(void);
void judge_free(struct judge *);
/* Valid until the judge's next run.  The model is left at its start. */
const struct judgement *judge_run(struct judge *, struct model *,
                                  const struct judge_limits *);

/* The names of things in the sets. */
struct key judge_failure(const struct finding *);
/* The variable, or array, at this address. */
struct key judge_place(const struct model *, uint64_t addr);
struct key judge_outcome(const struct model *);
struct key judge_locals(const struct model *);
struct key judge_state(const struct model *, enum ending);

void key_set_sort(key_set *); /* and drop duplicates */
bool key_set_equal(const key_set *, const key_set *);
/* Is every element of the first one in the second? */
bool key_set_within(const key_set *, const key_set *);

#endif

/* One model program, every algorithm, against the judge. */
#ifndef FUZZ_MODEL_COMPARE_H
#define FUZZ_MODEL_COMPARE_H

#include "core/search.h"
#include "fuzz/model/states.h"

/* What is demanded of an algorithm. */
struct demand {
  const struct algorithm *algorithm;
  bool every_interleaving; /* executions equal the number of interleavings */
  bool by_context;         /* at most one execution for each trace; less is
                              saved with race detection */
  bool every_trace;        /* all traces are completed ... */
  bool once;               /* ... each exactly once */
  bool never_blocked;
  bool may_lose; /* what it finds must exist, but need not be all */
  /* Two writes whose order is not observed may come in one order only: traces
   * are those of canon_observed(), outcomes those of the processes. */
  bool observers;
  /* One execution for each class of canon_reads_from(), where writes to an
   * awaited variable are ordered, and, if data races are looked for, those of
   * blocks.  Outcomes are those of the processes. */
  bool reads_from;
  bool by_state; /* states are stored: outcomes, failures, deadlocks and data
                    races are demanded, at most one execution for each trace */
};

/* The final value of a variable that is never read does not matter. */
static inline bool demands_locals(const struct demand *d) {
  return d->observers || d->reads_from;
}

/* What is known to hold for a built algorithm; false: nothing is. */
bool demand_for(const struct algorithm *, struct demand *);

struct comparison {
  struct judge *judge;
  struct judge *third;   /* of programs with spin loops that are held */
  struct judge *fourth;  /* of programs whose updates have no order */
  struct states *states; /* the judge of programs with `loop` */
  struct judge *second;  /* runs every interleaving, now and then, and finds
                           out about ordered classes */
  struct model *model;
  struct judge_limits limits;
  uint64_t naive_most;  /* interleavings that are run one by one, at most */
  bool races;           /* look for data races, too */
  bool apart;           /* with data apart (--interfere=locks) at the moment */
  bool holds;           /* looks of spin loops may be disabled at the moment */
  bool joins;           /* ... and retries are one step */
  bool updates;         /* updates of one kind have no order at the moment */
  bool no_outcomes;     /* only errors are looked for at the moment */
  bool endless;         /* some executions of the last program have no end */
  key_set racy;         /* the variables of the last program with data races */
  uint64_t preemptions; /* allowed at the moment */
  const struct judgement *judged; /* of the last program, */
  const struct judgement *held;   /* the same where looks may be disabled */
  const struct judgement *free;   /* ... and updates have no order */
  size_t traces_most;             /* of all of these */
  const struct judgement *told;   /* the same with `ordered` */
  access_list ordered;
  const struct program *program; /* the last one */
  bool blocks;                   /* the last program has an atomic block, */
  bool data;                     /* ... data, */
  bool lines;                    /* ... messages in the order sent, */
  bool loops;                    /* ... a `loop`, */
  bool parts;                    /* ... an await of what is written in parts */
  bool verify; /* in the wrapper that verifies the model's claims */
  /* totals */
  uint64_t skipped;
  uint64_t traces;
  uint64_t executions;
  uint64_t blocked;
  char message[256]; /* what was wrong with the last program */
};

void comparison_init(struct comparison *);
void comparison_free(struct comparison *);

enum compared {
  COMPARED_EQUAL,
  COMPARED_SKIPPED, /* too large */
  COMPARED_WRONG,   /* see message */
};

/* The program must be compiled. */
enum compared compare_program(struct comparison *, const struct program *,
                              const struct demand *, unsigned demands);

#endif

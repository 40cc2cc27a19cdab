/* What an explorer does with a model. */
#ifndef FUZZ_MODEL_WATCHER_H
#define FUZZ_MODEL_WATCHER_H

#include "fuzz/model/compare.h"

/* keep.  A system around the model that sees what an explorer does with it. */
struct watcher {
  struct system system; /* first */
  struct model *model;
  struct system *inner;
  struct canon canon;
  const struct demand *demand;
  key_set traces;
  key_set vain;
  key_set observed;
  key_set reads_from;
  key_set outcomes;
  key_set failures;
  key_set racy; /* variables that data races are about */
  uint64_t completed;
  uint64_t stuck;
  bool endless;   /* the program has no end: many executions are only cut */
  uint64_t asked; /* how often the explorer asked whether it should stop */
  bool gave_up;   /* it should, though nothing is wrong */
  uint64_t executions_most;
};

extern const struct system_ops watch_operations;

void watcher_free(struct watcher *);

#endif

/* heddle does not see what an allowed function does: state that it keeps
 * between calls is not undone when the search goes back.  Then some executions
 * of the search differ when they are run from the start. */
#include "supervise/trust.h"

#include <string.h>

static bool same_text(const struct text *a, const struct text *b) {
  return a->size == b->size && (!a->size || !memcmp(a->at, b->at, a->size));
}

static bool is_same(const struct run_sample *sample, const struct run *again) {
  return again->end == RUN_DONE && again->counters.executions == 1 &&
         again->steps.size == sample->count &&
         same_text(&again->output, &sample->output);
}

/* With --interfere=locks the steps of a replay differ. */
bool trust_holds(struct evidence *e, const struct run *run) {
  bool holds = true;
  if (e->settings.options.interfere == INTERFERE_LOCKS)
    return true;
  for (size_t i = 0; i < run->samples.size && holds; i++) {
    const struct run_sample *sample = &run->samples.at[i];
    struct run again = {0};
    if (evidence_run(e, sample->moves, sample->count, FINDING_ASSERTION,
                     &again))
      holds = is_same(sample, &again);
    run_free(&again);
  }
  return holds;
}

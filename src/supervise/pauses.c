#include "supervise/pauses.h"

#include <string.h>

static uint64_t next_pause(const struct pauses *p) {
  uint64_t hunt = p->hunter.due, turn = p->turns.due;
  return hunt < turn ? hunt : turn;
}

static uint64_t search_paused(void *context, const struct counters *counters) {
  struct pauses *p = context;
  bool slow = counters->steps < p->due;
  hunter_hunt(&p->hunter, counters, slow);
  if (!p->hunter.strategy)
    turns_take(&p->turns, counters);
  if (p->hunter.strategy || p->turns.won)
    return 0;
  return p->due = next_pause(p);
}

void pauses_prepare(struct pauses *p, struct run_request *search) {
  p->due = next_pause(p);
  if (p->due == UINT64_MAX)
    return;
  search->settings.pause_at = p->due;
  search->paused = search_paused;
  search->context = p;
}

bool pauses_follow(struct pauses *p, struct run *run) {
  return !p->hunter.strategy && !p->turns.won && turns_follow(&p->turns, run);
}

/* The search has the time of all, and of memory the larger part counts. */
bool pauses_take_result(struct pauses *p, struct run *run) {
  struct run *better = p->hunter.strategy ? &p->hunter.run
                       : p->turns.won     ? &p->turns.run
                                          : 0;
  if (!better)
    return false;
  double time = run->time;
  uint64_t rss = run->max_rss;
  run_free(run);
  *run = *better;
  run->time = time;
  if (run->max_rss < rss)
    run->max_rss = rss;
  memset(better, 0, sizeof *better);
  return true;
}

void pauses_free(struct pauses *p) {
  hunter_free(&p->hunter);
  turns_free(&p->turns);
}

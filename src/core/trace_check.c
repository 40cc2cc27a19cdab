/* Goes over a whole trace and checks what trace.h says about it.  The hostile
 * build does so after every execution. */
#include "core/trace.h"
#include "util/ensure.h"

/* T1, and that the arrays of an event begin where those before it end. */
static void check_place(const struct trace *t, uint32_t position) {
  const struct event *e = &t->events.at[position];
  const struct event *before = position ? e - 1 : NULL;
  ensure(e->proc < t->processes.size && e->index); /* T1 */
  ensure(e->index <= process_length(t, e->proc));
  ensure(process_event(t, e->proc, e->index) == position);
  ensure(e->previous ==
         (e->index > 1 ? process_event(t, e->proc, e->index - 1) + 1 : 0));
  ensure(!before || (e->first_access == before->first_access +
                                            before->accesses + before->links &&
                     e->first_touch >= before->first_touch &&
                     e->first_race >= before->first_race &&
                     e->first_clock >= before->first_clock));
  ensure(e->first_access + e->accesses + e->links <= t->accesses.size);
  ensure(e->clock < t->clocks.words.size);
}

static void check_before(const struct trace *t, const struct event *e,
                         uint32_t one_more) {
  if (!one_more)
    return;
  const struct event *d = &t->events.at[one_more - 1];
  ensure(d < e);
  for (uint32_t p = 0; p < t->processes.size; p++) /* T2 */
    ensure(events_before(t, e, p) >= events_before(t, d, p));
}

/* T2 for its direct predecessors: the event before it in its process, its cause
 * and, unless a rule says otherwise or it is beside another write, the last
 * write to its first bytes. */
static void check_clock(const struct trace *t, const struct event *e) {
  uint32_t length = (uint32_t)(e - t->events.at);
  check_before(t, e, e->previous);
  check_before(t, e, e->cause);
  uint32_t count;
  const uint32_t *more = event_more(t, length, &count);
  for (uint32_t i = 0; i < count; i++)
    check_before(t, e, more[i]);
  if (!t->rules.by_value && !t->rules.unseen && !e->beside)
    check_before(t, e, e->observed);
  for (uint32_t p = 0; p < t->processes.size; p++) /* no event of the future */
    ensure(p == e->proc ||
           events_before(t, e, p) <= trace_count_before(t, p, length));
}

static void check_touch(const struct trace *t, uint32_t number) {
  const struct touch *touch = &t->touches.at[number];
  const struct event *e = &t->events.at[touch->event];
  ensure(touch->event < t->events.size && touch->cell < t->cells.size);
  ensure(number >= e->first_touch && touch->proc == e->proc);
  ensure(touch->access >= e->first_access &&
         touch->access < e->first_access + e->accesses + e->links);
  uint64_t granule = t->cells.at[touch->cell].granule;
  ensure(touch->mask == access_mask(&t->accesses.at[touch->access], granule));
  if (touch->older == NOWHERE)
    return;
  ensure(touch->older < number); /* T3 */
  ensure(t->touches.at[touch->older].cell == touch->cell);
  ensure(t->touches.at[touch->older].event <= touch->event);
}

/* T3 for the newest touch of a granule, T4, and T6. */
static void check_cell(const struct trace *t, uint32_t cell) {
  uint32_t newest = t->cells.at[cell].newest;
  ensure(trace_newest(t, t->cells.at[cell].granule) == newest);
  ensure(newest == NOWHERE || t->touches.at[newest].cell == cell);
  uint32_t r = newest, live = newest, write = NOWHERE;
  for (; r != NOWHERE; r = t->touches.at[r].older) {
    if (write == NOWHERE && (t->touches.at[r].mode & ACCESS_WRITE)) {
      write = r;
      ensure(r == live); /* T6 */
    }
    if (r == live)
      live = t->touches.at[r].live;
  }
  ensure(live == NOWHERE); /* T4: every live touch was met on the way */
  ensure(t->cells.at[cell].write == write);
}

static void check_race(const struct trace *t, const struct race *race) {
  const struct event *first = &t->events.at[race->first];
  ensure(race->first < t->events.size);
  if (race->kind == RACE_CHOICE) {
    ensure(race->second < first->choices && race->second != first->choice);
    return;
  }
  const struct event *second = &t->events.at[race->second];
  ensure(race->first < race->second && race->second < t->events.size);
  ensure(first->proc != second->proc); /* T5 */
  ensure(happens_before(t, first, second));
}

void trace_check(const struct trace *t) {
  for (uint32_t i = 0; i < t->events.size; i++) {
    check_place(t, i);
    check_clock(t, &t->events.at[i]);
    ensure(!(t->events.at[i].flags & STEP_BLOCKING) ||
           op_may_wait(t->events.at[i].op));
  }
  for (uint32_t r = 0; r < t->touches.size; r++)
    check_touch(t, r);
  for (uint32_t c = 0; c < t->cells.size; c++)
    check_cell(t, c);
  for (size_t i = 0; i < t->races.size; i++)
    check_race(t, &t->races.at[i]);
}

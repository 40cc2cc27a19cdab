#define _GNU_SOURCE
#include "supervise/coordinate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "host/complain.h"
#include "supervise/search_state.h"
#include "util/ensure.h"

/* The first byte of a message; a state or a text follows. */
enum {
  UNIT,   /* to a worker: explore this */
  RETURN, /* to a worker: give back what is left */
  END,    /* to a worker */
  STATE,  /* from a worker: what became of its unit */
  REFUSED,
  DIED,
};

/* Executions before others help: by then the system knows most of the memory
 * that is shared. */
enum { FIRST_SLICE = HOSTILE ? 10 : 1000, MOST_DEATHS = 3 };

/* Seconds that a worker has before it must return: in the hostile build none.
 */
#define LEAST (HOSTILE ? 0 : 0.1)
#define LAST 5.0      /* seconds for the last results ... */
#define HURRY 0.3     /* ... after a signal: mpirun soon kills */
#define NAP 0.0005    /* seconds of sleep when nothing happens */
#define LONG_NAP 0.01 /* the same, when nothing has happened for a while */

struct cluster_worker {
  bool busy;
  bool asked;    /* to return */
  bool unwanted; /* what it has is of no use any more */
  double since;
};

/* Rank 0. */
struct job {
  struct cluster *cluster;
  const struct run_request *request;
  struct run *run;
  struct search_state state;
  VEC(struct cluster_worker) workers; /* by rank; 0 is not used */
  double started;
  double written; /* when the last checkpoint was */
  char *refused;
  unsigned deaths;
  bool over; /* by a limit or a signal */
  bool news; /* there are results that the rest has not heard of */
  uint64_t units;
  double idle; /* seconds, of all workers */
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void nap(double seconds) {
  struct timespec time = {0, (long)(1e9 * seconds)};
  nanosleep(&time, 0);
}

static void send_message(const struct cluster *c, int to, char type,
                         const struct text *body) {
  struct text all = {0};
  text_add(&all, &type, 1);
  if (body)
    text_add(&all, body->at, body->size);
  c->send(to, all.at, all.size);
  VEC_FREE(all);
}

/* ---- the list ------------------------------------------------------------ */

static bool is_item(const struct search_entry *e) {
  return e->kind == ENTRY_ITEM || e->kind == ENTRY_START;
}

static bool is_free(const struct search_entry *e) {
  return is_item(e) && !e->worker;
}

/* If parts go back to what gave them: see ENTRY_ITEM. */
static bool is_for_workers(const struct job *j, const struct search_entry *e) {
  return is_free(e) && (e->is_unit || !j->request->returns);
}

static size_t count_free(const struct job *j) {
  size_t count = 0;
  for (size_t i = 0; i < j->state.entries.size; i++)
    count += is_for_workers(j, &j->state.entries.at[i]);
  return count;
}

static size_t first_free(const struct job *j) {
  size_t i = 0;
  while (i < j->state.entries.size &&
         !is_for_workers(j, &j->state.entries.at[i]))
    i++;
  return i;
}

static bool is_left(const struct job *j) {
  for (size_t i = 0; i < j->state.entries.size; i++)
    if (is_item(&j->state.entries.at[i]))
      return true;
  return false;
}

/* The entries from `first` to `end` become those of `with`, which is empty
 * then. */
static void replace_entries(struct job *j, size_t first, size_t end,
                            struct search_state *with) {
  VEC(struct search_entry) rest = {0};
  for (size_t i = first; i < end; i++)
    VEC_FREE(j->state.entries.at[i].bytes);
  for (size_t i = end; i < j->state.entries.size; i++)
    VEC_PUSH(rest, j->state.entries.at[i]);
  j->state.entries.size = first;
  for (size_t i = 0; i < with->entries.size; i++)
    VEC_PUSH(j->state.entries, with->entries.at[i]);
  for (size_t i = 0; i < rest.size; i++)
    VEC_PUSH(j->state.entries, rest.at[i]);
  with->entries.size = 0;
  VEC_FREE(rest);
}

/* The items that a worker has. */
static void find_items(const struct job *j, uint32_t worker, size_t *first,
                       size_t *end) {
  *first = 0;
  while (*first < j->state.entries.size &&
         j->state.entries.at[*first].worker != worker)
    ++*first;
  *end = *first;
  while (*end < j->state.entries.size &&
         j->state.entries.at[*end].worker == worker)
    ++*end;
}

static void ask_back(struct job *j, uint32_t worker) {
  if (!j->workers.at[worker].asked)
    send_message(j->cluster, (int)worker, RETURN, 0);
  j->workers.at[worker].asked = true;
}

/* What a worker has is not wanted any more. */
static void cancel(struct job *j, uint32_t worker) {
  ask_back(j, worker);
  j->workers.at[worker].unwanted = true;
}

/* The number of an item, if it has one. */
static uint32_t number_of(const struct search_entry *e) {
  uint32_t number = 0;
  if (e->bytes.size >= sizeof number)
    memcpy(&number, e->bytes.at, sizeof number);
  return number;
}

/* Results have no order: all that is left is dropped. */
static void drop_items(struct job *j) {
  struct search_state kept = {0};
  for (size_t i = 0; i < j->state.entries.size; i++) {
    struct search_entry *e = &j->state.entries.at[i];
    if (e->worker)
      cancel(j, e->worker);
    if (is_item(e))
      VEC_FREE(e->bytes);
    else
      VEC_PUSH(kept.entries, *e);
  }
  VEC_FREE(j->state.entries);
  j->state.entries.at = kept.entries.at;
  j->state.entries.size = kept.entries.size;
  j->state.entries.capacity = kept.entries.capacity;
}

/* Drops what comes behind a result that ends the search. */
static void cut_behind_end(struct job *j) {
  struct search_state none = {0};
  size_t end = 0;
  while (end < j->state.entries.size &&
         j->state.entries.at[end].kind != ENTRY_FINAL)
    end++;
  if (end++ >= j->state.entries.size)
    return;
  if (j->request->returns) {
    drop_items(j);
    return;
  }
  for (size_t i = end; i < j->state.entries.size; i++)
    if (j->state.entries.at[i].worker)
      cancel(j, j->state.entries.at[i].worker);
  replace_entries(j, end, j->state.entries.size, &none);
}

/* ---- results ------------------------------------------------------------- */

static void begin_anew(struct job *j, struct search_state *with) {
  for (uint32_t w = 1; w < j->workers.size; w++)
    if (j->workers.at[w].busy)
      cancel(j, w);
  search_state_free(&j->state);
  j->state = *with;
  memset(with, 0, sizeof *with);
}

static bool begins_anew(const struct search_state *s) {
  return s->entries.size == 1 && s->entries.at[0].kind == ENTRY_START &&
         s->learnt.size;
}

static void take_state(struct job *j, uint32_t worker,
                       struct search_state *state) {
  size_t first, end;
  if (begins_anew(state)) {
    begin_anew(j, state);
    return;
  }
  find_items(j, worker, &first, &end);
  replace_entries(j, first, end, state);
  cut_behind_end(j);
}

/* Its items are free again. */
static void take_death(struct job *j, uint32_t worker) {
  size_t first, end;
  find_items(j, worker, &first, &end);
  for (size_t i = first; i < end; i++)
    j->state.entries.at[i].worker = 0;
  if (++j->deaths == MOST_DEATHS) {
    run_add_limit(j->run, "exploring processes ended unexpectedly");
    j->over = true;
  }
}

static void take_message(struct job *j, uint32_t worker, char type,
                         const char *body, size_t size) {
  struct search_state state = {0};
  bool wanted = !j->workers.at[worker].unwanted;
  j->workers.at[worker] = (struct cluster_worker){0};
  j->news = true;
  if (!wanted)
    return;
  if (type == REFUSED && !j->refused) {
    j->refused = strndup(body, size);
    ensure(j->refused);
    j->over = true;
  }
  if (type == STATE && search_state_read(&state, body, size))
    take_state(j, worker, &state);
  else
    take_death(j, worker);
  search_state_free(&state);
}

/* False: there was no message. */
static bool receive(struct job *j) {
  void *bytes;
  size_t size;
  int from = j->cluster->receive(&bytes, &size);
  if (from < 0)
    return false;
  if (size && (size_t)from < j->workers.size)
    take_message(j, (uint32_t)from, *(char *)bytes, (char *)bytes + 1,
                 size - 1);
  free(bytes);
  return true;
}

/* ---- units --------------------------------------------------------------- */

static void give_unit(struct job *j, uint32_t worker, size_t first,
                      size_t count) {
  struct text unit = {0};
  size_t end = first;
  while (end < first + count && end < j->state.entries.size &&
         is_for_workers(j, &j->state.entries.at[end]))
    j->state.entries.at[end++].worker = worker;
  text_add(&unit, &j->request->identity, sizeof j->request->identity);
  search_state_write(&j->state, first, end, ENTRY_KINDS, &unit);
  send_message(j->cluster, (int)worker, UNIT, &unit);
  j->workers.at[worker] = (struct cluster_worker){.busy = true, .since = now()};
  j->units++;
  VEC_FREE(unit);
}

static size_t count_idle(const struct job *j) {
  size_t count = 0;
  for (size_t w = 1; w < j->workers.size; w++)
    count += !j->workers.at[w].busy;
  return count;
}

/* The busy worker that has not returned for longest, or 0. */
static uint32_t longest_at_work(const struct job *j, double before) {
  uint32_t found = 0;
  for (uint32_t w = 1; w < j->workers.size; w++) {
    const struct cluster_worker *k = &j->workers.at[w];
    if (k->busy && !k->asked && k->since <= before) {
      found = w;
      before = k->since;
    }
  }
  return found;
}

static size_t count_asked(const struct job *j) {
  size_t count = 0;
  for (size_t w = 1; w < j->workers.size; w++)
    count += j->workers.at[w].asked;
  return count;
}

/* Each idle worker gets its share of the items, or the next one that returns
 * has some for it. */
static void hand_out(struct job *j) {
  size_t idle = count_idle(j), left = count_free(j);
  for (uint32_t w = 1; w < j->workers.size && left; w++)
    if (!j->workers.at[w].busy) {
      size_t share = j->request->returns ? 1 : (left + idle - 1) / idle;
      give_unit(j, w, first_free(j), share);
      idle--;
      left = count_free(j);
    }
  uint32_t busy;
  for (size_t asked = count_asked(j);
       asked < idle && (busy = longest_at_work(j, now() - LEAST)); asked++)
    ask_back(j, busy);
}

/* ---- slices of the search ------------------------------------------------ */

static void keep_state(void *context, const struct text *state) {
  struct text *to = context;
  to->size = 0;
  text_add(to, state->at, state->size);
}

/* A part of the search by this process; *state becomes what is left. */
static bool explore_slice(const struct run_request *from, uint64_t executions,
                          struct run *run, struct text *state) {
  struct run_request request = *from;
  struct checkpoint_plan plan = {.take = keep_state, .context = state};
  request.checkpoint = &plan;
  request.settings.options.max_executions = executions;
  return supervise(&request, run);
}

/* ---- splitting -----------------------------------------------------------
 *
 * If parts go back to what gave them, one item is what all others come from.
 * A process takes it up, with all results and all that came back, and gives
 * away units of it again.
 */

/* All but the units that were given away. */
static void write_rest(const struct job *j, struct text *to) {
  struct search_state rest = {0};
  text_add(&rest.learnt, j->state.learnt.at, j->state.learnt.size);
  for (size_t i = 0; i < j->state.entries.size; i++)
    if (!j->state.entries.at[i].is_unit)
      VEC_PUSH(rest.entries, j->state.entries.at[i]);
  search_state_write(&rest, 0, rest.entries.size, ENTRY_KINDS, to);
  VEC_FREE(rest.entries);
  VEC_FREE(rest.learnt);
}

/* The new ones stand before those that were given away before. */
static void take_split(struct job *j, struct search_state *with) {
  for (size_t i = 0; i < with->entries.size; i++) {
    struct search_entry *e = &with->entries.at[i];
    e->is_unit = e->kind == ENTRY_ITEM && number_of(e);
  }
  for (size_t i = 0; i < j->state.entries.size; i++) {
    struct search_entry *e = &j->state.entries.at[i];
    if (e->is_unit)
      VEC_PUSH(with->entries, *e);
    else
      VEC_FREE(e->bytes);
  }
  j->state.entries.size = 0;
  search_state_free(&j->state);
  j->state = *with;
  memset(with, 0, sizeof *with);
}

static bool is_start(const struct job *j) {
  for (size_t i = 0; i < j->state.entries.size; i++)
    if (j->state.entries.at[i].kind == ENTRY_START)
      return true;
  return false;
}

/* Gives away this many units more, if it can. */
static void split(struct job *j, size_t units) {
  struct run_request request = *j->request;
  struct text rest = {0}, state = {0};
  struct search_state with = {0};
  struct run run;
  bool starts = is_start(j);
  write_rest(j, &rest);
  request.resume = &rest;
  request.settings.options.time_limit = UINT64_MAX;
  request.settings.split = starts ? 0 : (uint32_t)units;
  request.progress = false;
  request.status = 0;
  j->news = starts;
  bool good =
      explore_slice(&request, starts ? FIRST_SLICE : UINT64_MAX, &run, &state);
  if (good && run.end == RUN_REFUSED) {
    j->refused = strdup(run.refused);
    j->over = true;
  } else if (good && search_state_read(&with, state.at, state.size)) {
    take_split(j, &with);
    cut_behind_end(j);
  } else {
    j->news = true;
    take_death(j, UINT32_MAX);
  }
  if (good)
    run_free(&run);
  search_state_free(&with);
  VEC_FREE(rest);
  VEC_FREE(state);
}

/* Splits what is left where workers have nothing to do. */
static void watch_idle(struct job *j) {
  size_t idle = count_idle(j);
  if (!j->request->returns || !j->news || count_free(j) >= idle || !is_left(j))
    return;
  split(j, idle - count_free(j));
}

/* ---- checkpoints --------------------------------------------------------- */

static uint64_t count_executions(const struct job *j) {
  uint64_t sum = 0;
  for (size_t i = 0; i < j->state.entries.size; i++)
    sum += j->state.entries.at[i].executions;
  return sum;
}

static void write_checkpoint(struct job *j) {
  const struct checkpoint_plan *plan = j->request->checkpoint;
  if (!plan)
    return;
  struct checkpoint c = plan->head;
  memset(&c.state, 0, sizeof c.state);
  c.executions = count_executions(j);
  search_state_write(&j->state, 0, j->state.entries.size, ENTRY_KINDS,
                     &c.state);
  if (checkpoint_write(plan->path, &c))
    j->run->checkpoints = true;
  VEC_FREE(c.state);
}

/* Workers return what they have before it is written. */
static void watch_checkpoint(struct job *j) {
  const struct checkpoint_plan *plan = j->request->checkpoint;
  double time = now();
  if (!plan || time - j->written < plan->seconds)
    return;
  write_checkpoint(j);
  j->written = time;
  for (uint32_t w = 1; w < j->workers.size; w++)
    if (j->workers.at[w].busy && time - j->workers.at[w].since > plan->seconds)
      ask_back(j, w);
}

/* ---- the end ------------------------------------------------------------- */

static void watch_limits(struct job *j) {
  uint64_t limit = j->request->settings.options.time_limit;
  if (supervise_interrupted() && !j->over) {
    run_add_limit(j->run, "interrupted");
    j->over = true;
  }
  if (!j->over && limit < UINT32_MAX && now() - j->started >= (double)limit) {
    run_add_limit(j->run, "time limit of %" PRIu64 " s reached", limit);
    j->over = true;
  }
}

/* The results of units that are under way.  First what is known is written:
 * there may be no time for more. */
static void collect_rest(struct job *j) {
  double until = now() + (supervise_interrupted() ? HURRY : LAST);
  write_checkpoint(j);
  for (uint32_t w = 1; w < j->workers.size; w++)
    if (j->workers.at[w].busy)
      ask_back(j, w);
  while (count_idle(j) + 1 < j->workers.size && now() < until)
    if (!receive(j))
      nap(NAP);
  write_checkpoint(j);
}

/* An exploring process adds the results and tells what was found. */
static bool report_results(struct job *j) {
  struct run_request request = *j->request;
  struct text state = {0};
  struct run run;
  bool left = is_left(j);
  char *limit = j->run->limit;
  bool written = j->run->checkpoints;
  search_state_write(&j->state, 0, j->state.entries.size, ENTRY_RESULT, &state);
  request.resume = &state;
  request.checkpoint = 0;
  bool ran = supervise(&request, &run);
  *j->run = run;
  if (limit && (!j->run->limit || strcmp(j->run->limit, limit) != 0))
    run_add_limit(j->run, "%s", limit);
  free(limit);
  j->run->complete = j->run->complete && !left;
  j->run->left = left;
  j->run->checkpoints = written;
  j->run->time = now() - j->started;
  if (j->refused) {
    j->run->refused = j->refused;
    j->run->end = RUN_REFUSED;
  }
  VEC_FREE(state);
  return ran;
}

void cluster_dismiss(struct cluster *c) {
  for (int w = 1; w < c->size; w++)
    send_message(c, w, END, 0);
}

/* For --verbose. */
static void tell_statistics(const struct job *j) {
  struct rusage u;
  double seconds = now() - j->started;
  double workers = (double)j->workers.size - 1;
  getrusage(RUSAGE_SELF, &u);
  fprintf(stderr,
          "heddle: %" PRIu64
          " units in %.2f s; workers had none for %.1f %% of "
          "it; rank 0 has used %.3f s of processor time\n",
          j->units, seconds, 100 * j->idle / seconds / workers,
          (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
              1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec));
}

static void lead(struct job *j) {
  double quiet = now(), before = quiet;
  j->written = quiet;
  while (is_left(j) && !j->over) {
    bool any = false;
    while (receive(j))
      any = true;
    j->idle += (now() - before) * (double)count_idle(j);
    before = now();
    watch_idle(j);
    hand_out(j);
    watch_checkpoint(j);
    watch_limits(j);
    if (any)
      quiet = now();
    else
      nap(now() - quiet > 1 ? LONG_NAP : NAP);
  }
  if (j->over && is_left(j))
    collect_rest(j);
}

bool coordinate(struct cluster *c, const struct run_request *request,
                struct run *run) {
  struct job j = {.cluster = c, .request = request, .run = run};
  struct text state = {0};
  j.started = now();
  memset(run, 0, sizeof *run);
  if (request->resume)
    text_add(&state, request->resume->at, request->resume->size);
  else if (!explore_slice(request, FIRST_SLICE, run, &state))
    return false;
  if (!request->resume && run->left && run->end == RUN_DONE && !state.size) {
    run_free(run); /* it cannot be written down, so this process does all */
    return supervise(request, run);
  }
  bool shared = request->resume || (run->left && run->end == RUN_DONE);
  if (shared && !search_state_read(&j.state, state.at, state.size))
    shared = false;
  VEC_FREE(state);
  if (shared) {
    run_free(run);
    j.news = true;
    VEC_CLEARED(j.workers, (size_t)c->size);
    lead(&j);
    if (request->statistics)
      tell_statistics(&j);
    report_results(&j);
  }
  VEC_FREE(j.workers);
  search_state_free(&j.state);
  return true;
}

/* ---- workers ------------------------------------------------------------- */

struct work {
  struct cluster *cluster;
  bool ended;
};

/* Does rank 0 want back what is left? */
static bool is_asked(void *context) {
  struct work *w = context;
  void *bytes;
  size_t size;
  if (w->ended || w->cluster->receive(&bytes, &size) < 0)
    return w->ended;
  char type = size ? *(char *)bytes : END;
  w->ended = type == END;
  free(bytes);
  return w->ended || type == RETURN;
}

static void refuse_unit(const struct work *w, const char *why) {
  struct text text = {0};
  text_print(&text, "rank %d: %s", w->cluster->rank, why);
  send_message(w->cluster, 0, REFUSED, &text);
  VEC_FREE(text);
}

static void explore_unit(struct work *w, const struct run_request *from,
                         const struct text *unit) {
  struct run_request request = *from;
  struct text state = {0};
  struct run run;
  request.resume = unit;
  request.settings.options.time_limit = UINT64_MAX; /* that is for rank 0 */
  request.progress = false;
  request.status = 0;
  request.asked = is_asked;
  request.context = w;
  if (!explore_slice(&request, UINT64_MAX, &run, &state)) {
    send_message(w->cluster, 0, DIED, 0);
    return;
  }
  if (run.end == RUN_REFUSED)
    refuse_unit(w, run.refused);
  else
    send_message(w->cluster, 0, run.end == RUN_DONE ? STATE : DIED, &state);
  run_free(&run);
  VEC_FREE(state);
}

/* Schedules are understood by the same program only. */
static void take_unit(struct work *w, const struct run_request *request,
                      const char *at, size_t size) {
  struct text unit = {0};
  uint64_t identity = 0;
  if (size >= sizeof identity)
    memcpy(&identity, at, sizeof identity);
  if (identity != request->identity) {
    refuse_unit(w, "the program is not the one that rank 0 has: the compilers "
                   "or the sources differ, or it could not be built");
    return;
  }
  text_add(&unit, at + sizeof identity, size - sizeof identity);
  explore_unit(w, request, &unit);
  VEC_FREE(unit);
}

void cluster_work(struct cluster *c, const struct run_request *request) {
  struct work w = {.cluster = c};
  double quiet = now();
  while (!w.ended) {
    void *bytes;
    size_t size;
    if (c->receive(&bytes, &size) < 0) {
      nap(now() - quiet > 1 ? LONG_NAP : NAP);
      continue;
    }
    w.ended = !size || *(char *)bytes == END;
    if (!w.ended && *(char *)bytes == UNIT)
      take_unit(&w, request, (char *)bytes + 1, size - 1);
    free(bytes);
    quiet = now();
  }
}

#define _GNU_SOURCE
#include "fuzz/c/c_verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "explore/algorithms.h"
#include "util/ensure.h"

/* ---- sets of texts ---------------------------------------------------------
 */

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void set_settle(text_set *set) {
  size_t kept = 0;
  if (set->size)
    qsort(set->at, set->size, sizeof *set->at, by_text);
  for (size_t i = 0; i < set->size; i++)
    if (kept && !strcmp(set->at[kept - 1], set->at[i]))
      free(set->at[i]);
    else
      set->at[kept++] = set->at[i];
  set->size = kept;
}

static void set_free(text_set *set) {
  for (size_t i = 0; i < set->size; i++)
    free(set->at[i]);
  VEC_FREE(*set);
}

static bool set_has(const text_set *set, const char *text) {
  return set->size &&
         bsearch(&text, set->at, set->size, sizeof *set->at, by_text);
}

/* A text of `a` that is not in `b`, or NULL. */
static const char *set_lacks(const text_set *a, const text_set *b) {
  for (size_t i = 0; i < a->size; i++)
    if (!set_has(b, a->at[i]))
      return a->at[i];
  return NULL;
}

/* ---- what an exploration says ----------------------------------------------
 */

#define KIND(name) (1u << FINDING_##name)
#define STUCK (KIND(DEADLOCK) | KIND(LIVELOCK))

static void set_add(text_set *set, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void set_add(text_set *set, const char *format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  ensure(vasprintf(&text, format, list) >= 0);
  va_end(list);
  VEC_PUSH(*set, text);
}

/* Either access of a race may come first. */
void c_verdict_add_finding(struct c_verdict *v, enum finding_kind kind,
                           uint64_t place, uint64_t other) {
  unsigned bit = 1u << kind;
  v->kinds |= bit;
  if (bit & KIND(RACE))
    set_add(&v->races, "%" PRIx64 " %" PRIx64, place < other ? place : other,
            place < other ? other : place);
  else if (bit & STUCK)
    set_add(&v->errors, "%s", finding_name(kind));
  else
    set_add(&v->errors, "%s %" PRIx64, finding_name(kind), place);
}

/* A status other than 0 is a part of the text. */
void c_verdict_add_outcome(struct c_verdict *v, const char *output,
                           size_t length, unsigned status) {
  const char *text = length ? output : "";
  if (status)
    set_add(&v->outcomes, "%.*s and exit status %u", (int)length, text, status);
  else
    set_add(&v->outcomes, "%.*s", (int)length, text);
}

static bool has_outcome(const struct c_verdict *v, const char *output,
                        unsigned status) {
  struct c_verdict one = {0};
  c_verdict_add_outcome(&one, output, strlen(output), status);
  bool has = set_has(&v->outcomes, one.outcomes.at[0]);
  c_verdict_free(&one);
  return has;
}

void c_verdict_settle(struct c_verdict *v) {
  set_settle(&v->outcomes);
  set_settle(&v->errors);
  set_settle(&v->races);
}

void c_verdict_free(struct c_verdict *v) {
  set_free(&v->outcomes);
  set_free(&v->errors);
  set_free(&v->races);
}

/* ---- comparing -------------------------------------------------------------
 */

bool c_complain(struct c_complaint *c, const char *what, const char *format,
                ...) {
  va_list list;
  va_start(list, format);
  snprintf(c->what, sizeof c->what, "%s", what);
  vsnprintf(c->more, sizeof c->more, format, list);
  va_end(list);
  return false;
}

/* Is this the place of one of the race's accesses? */
static bool race_has(const char *race, const char *place, size_t length) {
  const char *second = strchr(race, ' ') + 1;
  return (!strncmp(race, place, length) && race[length] == ' ') ||
         (!strncmp(second, place, length) && !second[length]);
}

/* A race of `a` with neither place in a race of `b`, or NULL.  Not every pair
 * is reported: of two accesses of one thread the later one hides the earlier
 * one, or not, as events without an order are put in one. */
static const char *races_lack(const text_set *a, const text_set *b) {
  for (size_t i = 0; i < a->size; i++) {
    const char *first = a->at[i], *second = strchr(first, ' ') + 1;
    bool found = false;
    for (size_t j = 0; j < b->size && !found; j++)
      found = race_has(b->at[j], first, (size_t)(second - 1 - first)) ||
              race_has(b->at[j], second, strlen(second));
    if (!found)
      return first;
  }
  return NULL;
}

/* Neither lost nor new. */
static bool agree(const char *name, const char *kind, const char *lost,
                  const char *new, struct c_complaint *c) {
  char what[80];
  if (!lost && !new)
    return true;
  snprintf(what, sizeof what, "%s %s %s", name, lost ? "loses" : "invents",
           kind);
  return c_complain(c, what, "%s", lost ? lost : new);
}

static bool same_sets(const char *name, const char *kind, const text_set *set,
                      const text_set *judge, struct c_complaint *c) {
  return agree(name, kind, set_lacks(judge, set), set_lacks(set, judge), c);
}

/* What an algorithm promises, where the judge counts traces. */
struct promise {
  bool every_trace; /* once each */
  bool never_blocked;
  bool finer; /* it orders operations that commute for the judge */
};

static struct promise promise_of(const char *name) {
  const struct algorithm *a = algorithm_find(name, false);
  unsigned promises = a ? algorithm_promises(a) : 0;
  bool every_trace = (promises & EVERY_TRACE) && (promises & EACH_ONCE) &&
                     !(promises & BY_OBSERVERS);
  return (struct promise){
      every_trace, every_trace && (promises & NEVER_BLOCKED), a && !a->updates};
}

static bool right_counts(const struct c_verdict *v, const char *algorithm,
                         uint64_t traces, struct c_complaint *c) {
  char what[80];
  struct promise promise = promise_of(algorithm);
  snprintf(what, sizeof what, "%s: wrong number of executions", algorithm);
  if ((promise.every_trace && v->executions < traces) ||
      (!promise.finer && v->executions > traces))
    return c_complain(c, what, "%" PRIu64 " executions, %" PRIu64 " traces",
                      v->executions, traces);
  snprintf(what, sizeof what, "%s: is blocked", algorithm);
  if (promise.never_blocked && v->blocked)
    return c_complain(c, what, "%" PRIu64 " times", v->blocked);
  return true;
}

static bool same_races(const struct c_verdict *v, const char *algorithm,
                       const struct c_verdict *judge, struct c_complaint *c) {
  char what[80];
  struct promise promise = promise_of(algorithm);
  if (promise.every_trace)
    return agree(algorithm, "a race", races_lack(&judge->races, &v->races),
                 races_lack(&v->races, &judge->races), c);
  if (!v->races.size == !judge->races.size)
    return true;
  snprintf(what, sizeof what, "%s: %s all races", algorithm,
           v->races.size ? "invents" : "loses");
  return c_complain(c, what, "%zu pairs, %zu", v->races.size,
                    judge->races.size);
}

bool c_verdict_agrees(const struct c_verdict *v, const char *algorithm,
                      const struct c_verdict *judge, struct c_complaint *c) {
  char what[80];
  snprintf(what, sizeof what, "%s: does not come to an end", algorithm);
  if (!v->complete)
    return !judge->traces ||
           c_complain(c, what, "%" PRIu64 " executions", v->executions);
  return same_sets(algorithm, "an outcome", &v->outcomes, &judge->outcomes,
                   c) &&
         same_sets(algorithm, "an error", &v->errors, &judge->errors, c) &&
         same_races(v, algorithm, judge, c) &&
         (!judge->traces || right_counts(v, algorithm, judge->traces, c));
}

bool c_verdict_within(const struct c_verdict *part,
                      const struct c_verdict *judge, struct c_complaint *c) {
  return agree("optimal", "an outcome",
               set_lacks(&part->outcomes, &judge->outcomes), NULL, c) &&
         agree("optimal", "an error", set_lacks(&part->errors, &judge->errors),
               NULL, c) &&
         agree("optimal", "a race", races_lack(&part->races, &judge->races),
               NULL, c);
}

bool c_verdict_same(const struct c_verdict *a, const struct c_verdict *b,
                    const char *option, struct c_complaint *c) {
  if (a->executions != b->executions || a->blocked != b->blocked)
    return c_complain(c, option, "%" PRIu64 " executions, without %" PRIu64,
                      a->executions, b->executions);
  return same_sets(option, "an outcome", &a->outcomes, &b->outcomes, c) &&
         same_sets(option, "an error", &a->errors, &b->errors, c) &&
         same_sets(option, "a race", &a->races, &b->races, c);
}

bool c_verdict_fits(const struct c_verdict *v, const struct c_program *p,
                    struct c_complaint *c) {
  if (!p->racy && v->races.size)
    return c_complain(c, "a race that does not exist", "at %s", v->races.at[0]);
  if (v->kinds & KIND(NONDETERMINISM))
    return c_complain(c, "called not deterministic", "%zu errors",
                      v->errors.size);
  if (!p->awaits && (v->kinds & KIND(LIVELOCK)))
    return c_complain(c, "a livelock that does not exist", "%zu errors",
                      v->errors.size);
  if (!v->outcomes.size && !v->errors.size)
    return c_complain(c, "neither an outcome nor an error",
                      "%" PRIu64 " executions", v->executions);
  return true;
}

/* The report comes from `heddle check`, which runs each error again. */
bool c_verdict_reported(const struct c_verdict *v, const struct claims *claims,
                        struct c_complaint *c) {
  if (claims->kinds != v->kinds || claims->complete != v->complete)
    return c_complain(c, "the report has other errors", "kinds %x, found %x",
                      claims->kinds, v->kinds);
  for (size_t i = 0; i < claims->outcomes.size; i++)
    if (!has_outcome(v, claims->outcomes.at[i].output,
                     claims->outcomes.at[i].status))
      return c_complain(c, "the report has another outcome", "%s",
                        claims->outcomes.at[i].output);
  return claims->outcomes.size == v->outcomes.size ||
         c_complain(c, "the report lacks outcomes", "%zu of %zu",
                    claims->outcomes.size, v->outcomes.size);
}

/* ---- real runs -------------------------------------------------------------
 */

bool c_verdict_hangs(const struct c_verdict *v) {
  return v->kinds & STUCK;
}

/* After an error that is none for the machine a real run goes on. */
static bool goes_on(const struct c_verdict *v) {
  return v->kinds & (KIND(MEMORY) | KIND(MISUSE) | KIND(CRASH));
}

bool c_verdict_allows(const struct c_verdict *v, const struct real_result *r,
                      struct c_complaint *c) {
  if (goes_on(v))
    return true;
  if (r->end == REAL_EXIT && !r->code)
    return has_outcome(v, r->output, 0) ||
           c_complain(c, "a real run prints what heddle does not", "%s",
                      r->output);
  if (v->kinds & claims_kinds(r))
    return true;
  if (r->end == REAL_EXIT && !r->asserted && has_outcome(v, r->output, r->code))
    return true;
  if (r->end == REAL_HANG)
    return c_complain(c, "a real run does not end", "heddle knows no deadlock");
  return c_complain(
      c,
      r->asserted ? "a real run fails, heddle does not" : "a real run crashes",
      "%s %u", r->end == REAL_EXIT ? "status" : "signal", r->code);
}

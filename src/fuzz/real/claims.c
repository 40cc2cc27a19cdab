#include "fuzz/real/claims.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host/json_read.h"
#include "host/process.h"
#include "util/ensure.h"

/* ---- reading --------------------------------------------------------------
 */

static unsigned kind_named(const char *name) {
  unsigned kind = 0;
  while (kind < FINDINGS && strcmp(name, finding_name((enum finding_kind)kind)))
    kind++;
  ensure(kind < FINDINGS);
  return 1u << kind;
}

static void take_status(struct claims *c, const char *value) {
  struct claim *claim = &VEC_TOP(c->outcomes);
  claim->status_known = true;
  claim->status = (unsigned)strtoul(value, NULL, 10);
}

/* "output" is the first member of an outcome. */
static void take(void *context, const char *path, const char *value) {
  struct claims *c = context;
  if (!value)
    return;
  if (!strcmp(path, "complete"))
    c->complete = !strcmp(value, "true");
  else if (!strcmp(path, "limit") && strcmp(value, "null"))
    c->limit = strdup(value);
  else if (!strcmp(path, "errors.kind") || !strcmp(path, "warnings.kind"))
    c->kinds |= kind_named(value);
  else if (!strcmp(path, "outcomes.output"))
    VEC_PUSH(c->outcomes, (struct claim){.output = strdup(value)});
  else if (!strcmp(path, "outcomes.exit"))
    take_status(c, value);
}

bool claims_read(struct claims *c, const char *json) {
  return json_read(json, take, c);
}

int claims_check(struct claims *c, const struct word_list *words,
                 const char *folder, enum process_output output) {
  struct word_list all = {0};
  char *json = NULL;
  word_list_add_each(&all, "/proc/self/exe", "check", "--keep-going",
                     "--outcomes", "--exit-status=any", "--quiet", "--json=-",
                     NULL);
  word_list_add(&all, text_format("--error-file=%s/error", folder));
  word_list_add_all(&all, words);
  int code = process_run(word_list_argv(&all), output, &json);
  if ((code <= 1 || code == 3) && !claims_read(c, json))
    code = 70;
  free(json);
  return code;
}

/* ---- comparing ------------------------------------------------------------
 */

#define KIND(name) (1u << FINDING_##name)

/* A program that a signal ended has the status that a shell would show. */
static bool outcome_allowed(struct claims *c, const struct real_result *r) {
  unsigned status = r->end == REAL_SIGNAL ? 128 + r->code : r->code;
  bool found = false;
  for (size_t i = 0; i < c->outcomes.size; i++) {
    struct claim *claim = &c->outcomes.at[i];
    if (strcmp(claim->output, r->output) ||
        (claim->status_known && claim->status != status))
      continue;
    claim->seen = true;
    found = true;
  }
  return found;
}

/* The C library also aborts when it finds its heap or a lock damaged. */
static unsigned kinds_of_signal(const struct real_result *r) {
  if (r->asserted)
    return KIND(ASSERTION);
  if (r->code == SIGABRT)
    return KIND(CRASH) | KIND(MEMORY) | KIND(MISUSE);
  return KIND(CRASH) | KIND(MEMORY);
}

unsigned claims_kinds(const struct real_result *r) {
  switch (r->end) {
  case REAL_EXIT:
    return 0;
  case REAL_SIGNAL:
    return kinds_of_signal(r);
  default:
    return KIND(DEADLOCK) | KIND(LIVELOCK);
  }
}

bool claims_allow(struct claims *c, const struct real_result *r) {
  if (r->end != REAL_EXIT && (c->kinds & claims_kinds(r)))
    return true;
  return (r->end == REAL_EXIT || r->end == REAL_SIGNAL) &&
         outcome_allowed(c, r);
}

bool claims_undefined(const struct claims *c) {
  return c->kinds & (KIND(RACE) | KIND(MEMORY) | KIND(MISUSE) | KIND(CRASH));
}

bool claims_have(const struct claims *c, enum finding_kind kind) {
  return c->kinds & (1u << kind);
}

size_t claims_seen(const struct claims *c) {
  size_t seen = 0;
  for (size_t i = 0; i < c->outcomes.size; i++)
    seen += c->outcomes.at[i].seen;
  return seen;
}

void claims_free(struct claims *c) {
  for (size_t i = 0; i < c->outcomes.size; i++)
    free(c->outcomes.at[i].output);
  VEC_FREE(c->outcomes);
  free(c->limit);
}

#include "report/result.h"

#include <stdlib.h>
#include <string.h>

void result_finding_free(struct result_finding *finding) {
  for (size_t i = 0; i < finding->threads.size; i++) {
    VEC_FREE(finding->threads.at[i].stack);
    VEC_FREE(finding->threads.at[i].holds);
  }
  VEC_FREE(finding->threads);
  VEC_FREE(finding->objects);
  VEC_FREE(finding->accesses);
  VEC_FREE(finding->steps);
  VEC_FREE(finding->output);
  VEC_FREE(finding->complaints);
}

static void outcome_free(struct result_outcome *outcome) {
  VEC_FREE(outcome->output);
  result_finding_free(&outcome->example);
}

void result_free(struct result *result) {
  for (size_t i = 0; i < result->errors.size; i++)
    result_finding_free(&result->errors.at[i]);
  for (size_t i = 0; i < result->warnings.size; i++)
    result_finding_free(&result->warnings.at[i]);
  for (size_t i = 0; i < result->outcomes.size; i++)
    outcome_free(&result->outcomes.at[i]);
  VEC_FREE(result->errors);
  VEC_FREE(result->warnings);
  VEC_FREE(result->outcomes);
  texts_free(&result->texts);
}

size_t result_preemptions(const struct result_finding *finding) {
  size_t count = 0;
  for (size_t i = 0; i < finding->steps.size; i++)
    count += finding->steps.at[i].preempts;
  return count;
}

bool result_is_vacuous(const struct result *result) {
  return result->counters.assumed &&
         result->counters.assumed == result->counters.executions;
}

static int compare_texts(const struct text *x, const struct text *y) {
  size_t shorter = x->size < y->size ? x->size : y->size;
  int order = shorter ? memcmp(x->at, y->at, shorter) : 0;
  if (order)
    return order;
  return x->size < y->size ? -1 : x->size > y->size;
}

static int by_output(const void *a, const void *b) {
  const struct result_outcome *x = a, *y = b;
  int order = compare_texts(&x->output, &y->output);
  if (order)
    return order;
  return x->status < y->status ? -1 : x->status > y->status;
}

void result_sort_outcomes(struct result *result) {
  struct result_outcome *at = result->outcomes.at;
  size_t kept = 0;
  if (!result->outcomes.size)
    return;
  qsort(at, result->outcomes.size, sizeof *at, by_output);
  for (size_t i = 1; i < result->outcomes.size; i++) {
    if (by_output(&at[kept], &at[i])) {
      at[++kept] = at[i];
    } else {
      at[kept].count += at[i].count;
      outcome_free(&at[i]);
    }
  }
  result->outcomes.size = kept + 1;
}

const char *finding_headline(enum finding_kind kind) {
  static const char *const headlines[] = {
#define FINDING(id, name, headline) headline,
#include "core/findings.def"
#undef FINDING
  };
  return kind < FINDINGS ? headlines[kind] : "unknown error";
}

void thread_name(uint32_t proc, char *to, size_t size) {
  if (proc)
    snprintf(to, size, "T%u", proc);
  else
    snprintf(to, size, "main");
}

void result_add_step(struct result_finding *finding, struct result_step step) {
  size_t before = finding->steps.size ? VEC_TOP(finding->steps).number : 0;
  step.number = before + !step.local;
  VEC_PUSH(finding->steps, step);
}

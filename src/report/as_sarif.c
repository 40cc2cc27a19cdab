/* The result as SARIF 2.1.0 (OASIS standard): editors and code hosts show it.
 *
 * Every error has the schedule as a code flow.  The first flow has all steps in
 * their order, because most viewers show one sequence; the second has a
 * sequence for each thread, with the order of all steps in executionOrder. */
#include <inttypes.h>
#include <string.h>

#include "report/result.h"
#include "util/hash.h"

/* Code hosts refuse longer flows.  Then the middle is left out. */
enum { MOST_STEPS = 1000, FIRST_STEPS = 200 };

static void put_string(FILE *to, const char *text) {
  json_string(to, text, strlen(text));
}

static void put_text(FILE *to, const struct text *text) {
  json_string(to, text->at, text->size);
}

/* `"key": {"text": "..."}` */
static void put_message(FILE *to, const char *key, const char *text) {
  fprintf(to, "\"%s\": {\"text\": ", key);
  put_string(to, text);
  fputc('}', to);
}

/* ---- places -------------------------------------------------------------- */

/* A path as a URI: relative, or of a file. */
static void put_uri(FILE *to, const char *path) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789-._~/"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  fprintf(to, "\"%s", *path == '/' ? "file://" : "");
  for (; *path; path++)
    if (strchr(plain, *path))
      fputc(*path, to);
    else
      fprintf(to, "%%%02X", (unsigned char)*path);
  fputc('"', to);
}

static void put_function(FILE *to, const char *function) {
  fputs("\"logicalLocations\": [{\"kind\": \"function\", \"name\": ", to);
  put_string(to, function);
  fputs("}]", to);
}

static void put_physical(FILE *to, const struct source_place *place) {
  fputs("\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", to);
  put_uri(to, place->file);
  fputc('}', to);
  if (place->line)
    fprintf(to, ", \"region\": {\"startLine\": %u}", place->line);
  fputc('}', to);
}

/* A location object; `message` may be NULL. */
static void put_location(FILE *to, const struct source_place *place,
                         const struct text *message) {
  const char *between = "";
  fputc('{', to);
  if (message) {
    fputs("\"message\": {\"text\": ", to);
    put_text(to, message);
    fputc('}', to);
    between = ", ";
  }
  if (place->file) {
    fputs(between, to);
    put_physical(to, place);
    between = ", ";
  }
  if (place->function) {
    fputs(between, to);
    put_function(to, place->function);
  }
  fputc('}', to);
}

/* ---- flows --------------------------------------------------------------- */

static bool is_left_out(const struct result_finding *finding, size_t i) {
  size_t steps = finding->steps.size;
  return steps > MOST_STEPS && i >= FIRST_STEPS &&
         i < steps - (MOST_STEPS - FIRST_STEPS);
}

static const char *importance(const struct result_finding *finding, size_t i) {
  const struct result_step *step = &finding->steps.at[i];
  if (i + 1 == finding->steps.size || i + 1 == finding->access ||
      i + 1 == finding->other_access || step->preempts)
    return "essential";
  return step->local ? "unimportant" : "important";
}

/* "T1 worker" */
static void thread_title(struct text *to, const struct result_finding *finding,
                         uint32_t proc) {
  char name[16];
  thread_name(proc, name, sizeof name);
  text_print(to, "%s", name);
  for (size_t i = 0; i < finding->threads.size && proc; i++)
    if (finding->threads.at[i].proc == proc && finding->threads.at[i].function)
      text_print(to, " %s", finding->threads.at[i].function);
}

static void put_state(FILE *to, const struct result_step *step) {
  if (!step->variable || !step->value)
    return;
  fputs(", \"state\": {", to);
  put_string(to, step->variable);
  fputs(": {\"text\": ", to);
  put_string(to, step->value);
  fputs("}}", to);
}

static void put_step(FILE *to, const struct result_finding *finding, size_t i) {
  const struct result_step *step = &finding->steps.at[i];
  struct text words = {0};
  thread_title(&words, finding, step->proc);
  text_print(&words, " ");
  op_text_full(&words, finding, step);
  fputs("{\"location\": ", to);
  put_location(to, &step->place, &words);
  fprintf(to, ", \"executionOrder\": %zu, \"importance\": \"%s\"", i + 1,
          importance(finding, i));
  put_state(to, step);
  fputc('}', to);
  VEC_FREE(words);
}

/* The steps of one thread, or of all. */
static void put_thread_flow(FILE *to, const struct result_finding *finding,
                            const struct result_thread *only) {
  struct text title = {0};
  const char *before = "\n            ";
  if (only)
    thread_title(&title, finding, only->proc);
  else
    text_print(&title, "all threads");
  fputs("{\"id\": ", to);
  put_text(to, &title);
  fputs(", \"locations\": [", to);
  for (size_t i = 0; i < finding->steps.size; i++) {
    if (is_left_out(finding, i) ||
        (only && finding->steps.at[i].proc != only->proc))
      continue;
    fputs(before, to);
    put_step(to, finding, i);
    before = ",\n            ";
  }
  fputs("]}", to);
  VEC_FREE(title);
}

static bool moves(const struct result_finding *finding, uint32_t proc) {
  for (size_t i = 0; i < finding->steps.size; i++)
    if (finding->steps.at[i].proc == proc && !is_left_out(finding, i))
      return true;
  return false;
}

static void put_flow_by_thread(FILE *to, const struct result_finding *finding) {
  const char *before = "";
  fputs(",\n          {", to);
  put_message(to, "message", "The same by threads.");
  fputs(", \"threadFlows\": [", to);
  for (size_t i = 0; i < finding->threads.size; i++) {
    if (!moves(finding, finding->threads.at[i].proc))
      continue;
    fputs(before, to);
    put_thread_flow(to, finding, &finding->threads.at[i]);
    before = ",\n            ";
  }
  fputs("]}", to);
}

static void put_flows(FILE *to, const struct result_finding *finding) {
  bool cut = finding->steps.size > MOST_STEPS;
  if (!finding->steps.size)
    return;
  fputs(",\n        \"codeFlows\": [{", to);
  put_message(to, "message",
              cut ? "The schedule that fails, without steps in the middle."
                  : "The schedule that fails.");
  fputs(", \"threadFlows\": [", to);
  put_thread_flow(to, finding, 0);
  fputs("]}", to);
  if (!cut && finding->threads.size)
    put_flow_by_thread(to, finding);
  fputc(']', to);
}

/* ---- results ------------------------------------------------------------- */

/* The same error has the same fingerprint when lines have moved. */
static uint64_t fingerprint(const struct result_finding *finding) {
  const char *function = finding->place.function;
  uint64_t hash = hash_start();
  hash = hash_bytes(hash, finding_name(finding->kind),
                    strlen(finding_name(finding->kind)));
  if (finding->message)
    hash = hash_bytes(hash, finding->message, strlen(finding->message));
  return function ? hash_bytes(hash, function, strlen(function)) : hash;
}

static void put_result_text(FILE *to, const struct result_finding *finding) {
  struct text text = {0};
  text_print(&text, "%s", finding_headline(finding->kind));
  if (finding->message && *finding->message)
    text_print(&text, ": %s", finding->message);
  fputs("\"message\": {\"text\": ", to);
  put_text(to, &text);
  fputc('}', to);
  VEC_FREE(text);
}

static void put_other(FILE *to, const struct result_finding *finding) {
  struct text text = {0};
  if (!finding->other.file)
    return;
  text_print(&text, "the earlier access");
  fputs(",\n        \"relatedLocations\": [", to);
  put_location(to, &finding->other, &text);
  fputc(']', to);
  VEC_FREE(text);
}

static void put_finding(FILE *to, const struct result_finding *finding,
                        bool warning) {
  fprintf(to,
          "      {\"ruleId\": \"%s\", \"ruleIndex\": %d, \"level\": \"%s\",\n"
          "        ",
          finding_name(finding->kind), (int)finding->kind,
          warning ? "warning" : "error");
  put_result_text(to, finding);
  fputs(",\n        \"locations\": [", to);
  put_location(to, &finding->place, 0);
  fputc(']', to);
  put_other(to, finding);
  put_flows(to, finding);
  fprintf(to,
          ",\n        \"partialFingerprints\": {\"heddle/1\": \"%016" PRIx64
          "\"},\n        \"properties\": {\"preemptions\": %zu",
          fingerprint(finding), result_preemptions(finding));
  if (finding->replay) {
    fputs(", \"replay\": ", to);
    put_string(to, finding->replay);
  }
  fputs("}}", to);
}

static void put_findings(FILE *to, const struct result *result) {
  const char *before = "\n";
  fputs("    \"results\": [", to);
  for (size_t i = 0; i < result->errors.size; i++, before = ",\n") {
    fputs(before, to);
    put_finding(to, &result->errors.at[i], false);
  }
  for (size_t i = 0; i < result->warnings.size; i++, before = ",\n") {
    fputs(before, to);
    put_finding(to, &result->warnings.at[i], true);
  }
  fputs("],\n", to);
}

/* ---- the log ------------------------------------------------------------- */

static void put_rules(FILE *to) {
  fputs("\"rules\": [", to);
  for (int kind = 0; kind < FINDINGS; kind++) {
    fprintf(to, "%s\n        {\"id\": \"%s\", ", kind ? "," : "",
            finding_name((enum finding_kind)kind));
    put_message(to, "shortDescription",
                finding_headline((enum finding_kind)kind));
    fputc('}', to);
  }
  fputc(']', to);
}

/* A limit that was reached is told, lest no result looks like no error. */
static void put_invocation(FILE *to, const struct result *result) {
  fputs("    \"invocations\": [{\"executionSuccessful\": true", to);
  if (result->limit) {
    fputs(",\n      \"toolExecutionNotifications\": [{\"level\": \"warning\", ",
          to);
    fputs("\"message\": {\"text\": ", to);
    struct text text = {0};
    text_print(&text, "incomplete: %s", result->limit);
    put_text(to, &text);
    VEC_FREE(text);
    fputs("}}]", to);
  }
  fputs("}],\n", to);
}

void report_as_sarif(FILE *to, const struct result *result) {
  fputs("{\n  \"$schema\": "
        "\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json\",\n"
        "  \"version\": \"2.1.0\",\n  \"runs\": [{\n"
        "    \"tool\": {\"driver\": {\"name\": \"heddle\", \"version\": ",
        to);
  put_string(to, result->version);
  fputs(",\n      ", to);
  put_rules(to);
  fputs("}},\n", to);
  put_invocation(to, result);
  put_findings(to, result);
  fprintf(to,
          "    \"properties\": {\"verdict\": \"%s\", \"executions\": %" PRIu64
          "}\n  }]\n}\n",
          result->verdict == VERDICT_SAFE    ? "safe"
          : result->verdict == VERDICT_ERROR ? "error"
                                             : "incomplete",
          result->counters.executions);
}

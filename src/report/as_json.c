/* The result as one JSON object. */
#include <inttypes.h>
#include <string.h>

#include "report/result.h"
#include "report/utf8.h"

/* The version of the object's format: docs/json.md.  A change that a reader may
 * not expect, such as a member that is gone, makes it one larger. */
enum { JSON_FORMAT = 2 };

static void escape_byte(FILE *to, unsigned char byte) {
  static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  const char *found = byte ? strchr(plain, byte) : 0;
  if (found)
    fprintf(to, "\\%c", letters[found - plain]);
  else
    fprintf(to, "\\u%04x", byte);
}

void json_string(FILE *to, const char *text, size_t length) {
  const unsigned char *s = (const unsigned char *)text;
  fputc('"', to);
  for (size_t i = 0; i < length;) {
    size_t one = utf8_length(s + i, length - i);
    bool escaped =
        !one || s[i] < ' ' || s[i] == '"' || s[i] == '\\' || s[i] == 0x7f;
    if (escaped)
      escape_byte(to, s[i]), one = 1;
    else
      fwrite(s + i, 1, one, to);
    i += one;
  }
  fputc('"', to);
}

/* `"key": "value"`, or null. */
static void member(FILE *to, const char *key, const char *value) {
  fprintf(to, "\"%s\": ", key);
  if (value)
    json_string(to, value, strlen(value));
  else
    fputs("null", to);
}

static void place_members(FILE *to, const struct source_place *place) {
  member(to, "function", place->function);
  fputs(", ", to);
  member(to, "file", place->file);
  if (place->line)
    fprintf(to, ", \"line\": %u", place->line);
  else
    fputs(", \"line\": null", to);
}

/* `, "key": index`, of a step in the schedule. */
static void index_member(FILE *to, const char *key, size_t step) {
  if (step)
    fprintf(to, ", \"%s\": %zu", key, step - 1);
}

static const char *function_of(const struct result_finding *finding,
                               uint32_t proc) {
  for (size_t i = 0; i < finding->threads.size; i++)
    if (finding->threads.at[i].proc == proc)
      return finding->threads.at[i].function;
  return 0;
}

/* The thread as "thread" and, if it is not main, its start routine. */
static void thread_members(FILE *to, const struct result_finding *finding,
                           uint32_t proc) {
  char thread[16];
  thread_name(proc, thread, sizeof thread);
  member(to, "thread", thread);
  fputs(", ", to);
  member(to, "start", proc ? function_of(finding, proc) : 0);
  fputs(", ", to);
}

/* The thread that the step creates, joins or detaches; the choice. */
static void target_member(FILE *to, const struct result_step *step) {
  char thread[16];
  switch ((enum op_target)op_table[step->op].target) {
  case OPTARGET_NONE:
    break;
  case OPTARGET_THREAD:
    thread_name(step->target, thread, sizeof thread);
    fputs(", ", to);
    member(to, "target", thread);
    break;
  case OPTARGET_CHOICE:
    fprintf(to, ", \"choice\": %" PRIu32, step->target);
    break;
  }
}

static void write_step(FILE *to, const struct result_finding *finding,
                       const struct result_step *step) {
  fprintf(to, "{\"step\": %zu, ", step->number);
  thread_members(to, finding, step->proc);
  place_members(to, &step->place);
  fputs(", ", to);
  member(to, "op", op_name(step->op));
  fputs(", ", to);
  member(to, "variable", step->variable);
  fputs(", ", to);
  member(to, "value", step->value);
  if (step->before) {
    fputs(", ", to);
    member(to, "before", step->before);
  }
  if (step->object) {
    fputs(", ", to);
    member(to, "object", step->object);
  }
  target_member(to, step);
  if (step->failed)
    fputs(", \"failed\": true", to);
  if (step->local)
    fputs(", \"local\": true", to);
  if (step->shown)
    fputs(", \"shown\": true", to);
  index_member(to, "reads_from", step->reads_from);
  index_member(to, "overwrites", step->overwrites);
  if (step->preempts)
    fputs(", \"preempts\": true", to);
  fputc('}', to);
}

static void write_other(FILE *to, const struct result_finding *finding) {
  if (!finding->other.file && !finding->other.function)
    return;
  fputs(",\n     \"other\": {", to);
  place_members(to, &finding->other);
  fputc('}', to);
}

static void write_stack(FILE *to, const struct result_thread *thread) {
  fputs(",\n        \"stack\": [", to);
  for (size_t i = 0; i < thread->stack.size; i++) {
    fputs(i ? ", {" : "{", to);
    place_members(to, &thread->stack.at[i]);
    fputc('}', to);
  }
  fputs("]", to);
}

static void write_locks(FILE *to, const struct result_thread *thread) {
  fputs(",\n        \"holds\": [", to);
  for (size_t i = 0; i < thread->holds.size; i++) {
    fputs(i ? ", {" : "{", to);
    member(to, "lock", thread->holds.at[i].name);
    index_member(to, "locked", thread->holds.at[i].step);
    fputc('}', to);
  }
  fputs("]", to);
}

static void write_threads(FILE *to, const struct result_finding *finding) {
  static const char *const ends[] = {0,       "runs",   "waits",
                                     "ended", "failed", "stopped"};
  fputs(",\n     \"threads\": [", to);
  for (size_t i = 0; i < finding->threads.size; i++) {
    const struct result_thread *thread = &finding->threads.at[i];
    fputs(i ? ",\n       {" : "\n       {", to);
    thread_members(to, finding, thread->proc);
    member(to, "state", ends[thread->end]);
    fputs(", ", to);
    member(to, "waits", thread->waits);
    write_stack(to, thread);
    write_locks(to, thread);
    fputc('}', to);
  }
  fputs("]", to);
}

static void write_objects(FILE *to, const struct result_finding *finding) {
  fputs(",\n     \"objects\": [", to);
  for (size_t i = 0; i < finding->objects.size; i++) {
    const struct result_object *object = &finding->objects.at[i];
    fputs(i ? ",\n       {" : "\n       {", to);
    member(to, "name", object->name);
    fprintf(to, ", \"size\": %" PRIu64 ", ", object->size);
    place_members(to, &object->place);
    fputc('}', to);
  }
  fputs("]", to);
}

static void write_finding(FILE *to, const struct result_finding *finding) {
  fputs("    {", to);
  member(to, "kind", finding_name(finding->kind));
  fputs(", ", to);
  member(to, "message", finding->message);
  fputs(",\n     ", to);
  thread_members(to, finding, finding->proc);
  place_members(to, &finding->place);
  fputs(",\n     ", to);
  member(to, "variable", finding->variable);
  write_other(to, finding);
  fprintf(to, ",\n     \"preemptions\": %zu", result_preemptions(finding));
  fputs(",\n     \"schedule\": [", to);
  for (size_t i = 0; i < finding->steps.size; i++) {
    fputs(i ? ",\n       " : "\n       ", to);
    write_step(to, finding, &finding->steps.at[i]);
  }
  fputs("]", to);
  index_member(to, "critical", finding->critical);
  index_member(to, "access", finding->access);
  index_member(to, "other_access", finding->other_access);
  write_threads(to, finding);
  write_objects(to, finding);
  fputs(",\n     \"output\": ", to);
  json_string(to, finding->output.at, finding->output.size);
  fputs(",\n     \"stderr\": ", to);
  json_string(to, finding->complaints.at, finding->complaints.size);
  fputs(",\n     ", to);
  member(to, "replay", finding->replay);
  fputc('}', to);
}

static void write_findings(FILE *to, const char *key,
                           const struct result_finding *at, size_t count) {
  fprintf(to, "  \"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ",\n" : "\n", to);
    write_finding(to, &at[i]);
  }
  fputs("],\n", to);
}

static void write_outcomes(FILE *to, const struct result *result) {
  fputs("  \"outcomes\": [", to);
  for (size_t i = 0; i < result->outcomes.size; i++) {
    const struct result_outcome *outcome = &result->outcomes.at[i];
    fputs(i ? ",\n    {\"output\": " : "\n    {\"output\": ", to);
    json_string(to, outcome->output.at, outcome->output.size);
    fprintf(to, ", \"count\": %" PRIu64 ", \"exit\": %" PRIu32 "}",
            outcome->count, outcome->status);
  }
  fputs("]\n", to);
}

static void write_hunt(FILE *to, const struct result_hunt *hunt) {
  if (!hunt->steps)
    return;
  fprintf(to,
          "  \"hunt\": {\"executions\": %" PRIu64 ", \"steps\": %" PRIu64
          ", \"searched\": %" PRIu64 ", \"found_by\": ",
          hunt->executions, hunt->steps, hunt->searched);
  if (hunt->strategy)
    json_string(to, hunt->strategy, strlen(hunt->strategy));
  else
    fputs("null", to);
  fputs("},\n", to);
}

static void write_turns(FILE *to, const struct result_turns *turns) {
  if (!turns->steps)
    return;
  fputs("  \"turns\": {", to);
  member(to, "instead_of", turns->first);
  if (turns->first)
    fprintf(to, ", \"executions\": %" PRIu64, turns->executions);
  fprintf(to, ", \"steps\": %" PRIu64 "},\n", turns->steps);
}

static void write_assumptions(FILE *to) {
  static const char *const all[] = {
#define ASSUMPTION(words) words,
#include "core/assumptions.def"
#undef ASSUMPTION
  };
  fputs(",\n  \"assumptions\": [", to);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fputs(i ? ",\n    " : "\n    ", to);
    json_string(to, all[i], strlen(all[i]));
  }
  fputs("]", to);
}

void report_as_json(FILE *to, const struct result *result) {
  static const char *const verdicts[] = {"safe", "error", "incomplete"};
  fprintf(to, "{\n  \"format\": %d,\n  ", JSON_FORMAT);
  member(to, "verdict", verdicts[result->verdict]);
  fprintf(to, ",\n  \"complete\": %s,\n  ",
          result->complete ? "true" : "false");
  member(to, "algorithm", result->algorithm);
  fputs(",\n  ", to);
  member(to, "version", result->version);
  fputs(",\n  ", to);
  member(to, "limit", result->limit);
  if (result_is_vacuous(result))
    fputs(",\n  \"vacuous\": true", to);
  if (result->trusted) {
    fputs(",\n  ", to);
    member(to, "trusted", result->trusted);
  }
  if (result->assumes)
    write_assumptions(to);
#define COUNTER(field, name, words) \
  fprintf(to, ",\n  \"%s\": %" PRIu64, name, result->counters.field);
#define SOMETIMES(field, name, words) \
  if (result->counters.field)         \
  COUNTER(field, name, words)
#define STATISTIC SOMETIMES
#include "core/counters.def"
#undef STATISTIC
#undef SOMETIMES
#undef COUNTER
  fprintf(to, ",\n  \"time_s\": %.6f,\n  \"max_rss_kb\": %" PRIu64 ",\n",
          result->time, result->max_rss);
  write_hunt(to, &result->hunt);
  write_turns(to, &result->turns);
  write_findings(to, "errors", result->errors.at, result->errors.size);
  write_findings(to, "warnings", result->warnings.at, result->warnings.size);
  write_outcomes(to, result);
  fputs("}\n", to);
}

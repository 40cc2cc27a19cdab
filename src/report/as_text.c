/* The result for people. */
#include <inttypes.h>
#include <string.h>

#include "report/relevance.h"
#include "report/text_printer.h"

/* ---- pieces -------------------------------------------------------------- */

/* A line of its own for each of several; control characters in what the
 * program printed must not reach the terminal. */
static void print_escaped(FILE *to, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '\n')
      fputs("\\n", to);
    else if (c == '\t')
      fputs("\\t", to);
    else if (c == '"' || c == '\\')
      fprintf(to, "\\%c", c);
    else if (c < ' ' || c == 0x7f)
      fprintf(to, "\\x%02x", c);
    else
      fputc(c, to);
  }
}

static void print_output(struct text_printer *p, const char *title,
                         const struct text *output) {
  const char *at = output->at, *end = at + output->size;
  if (!output->size)
    return;
  fprintf(p->to, "\n%s:\n", title);
  while (at < end) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((line_end ? line_end : end) - at);
    fputs("  | ", p->to);
    for (size_t i = 0; i < length; i++)
      if ((unsigned char)at[i] >= ' ' && at[i] != 0x7f)
        fputc(at[i], p->to);
      else
        print_escaped(p->to, at + i, 1);
    fputc('\n', p->to);
    at += length + (line_end != 0);
  }
}

/* "1 execution", "2 executions", "1 step in the longest": the noun is the first
 * word, or else the last one. */
static void print_counter(FILE *to, const char *words, uint64_t value) {
  size_t noun = strcspn(words, " ");
  if (words[noun - 1] != 's')
    noun = strlen(words);
  bool singular = value == 1 && words[noun - 1] == 's';
  fprintf(to, "%" PRIu64 " %.*s%s", value, (int)(noun - singular), words,
          words + noun);
}

static void print_counters(FILE *to, const struct counters *counters) {
  const char *before = "";
#define COUNTER(field, name, words)            \
  do {                                         \
    fputs(before, to);                         \
    print_counter(to, words, counters->field); \
    before = ", ";                             \
  } while (0);
#define SOMETIMES(field, name, words) \
  if (counters->field)                \
  COUNTER(field, name, words)
#define STATISTIC(field, name, words)
#include "core/counters.def"
#undef STATISTIC
#undef SOMETIMES
#undef COUNTER
}

/* ---- findings ------------------------------------------------------------ */

/* The message of a race names both places itself; threads that wait for each
 * other do so at several places. */
static bool has_place(enum finding_kind kind) {
  return kind != FINDING_RACE && kind != FINDING_DEADLOCK &&
         kind != FINDING_LIVELOCK;
}

/* "assertion failed: balance == 100 (account.c:31)".  Only the first line of a
 * longer message; the rest follows in print_details. */
static void finding_line(struct text *to,
                         const struct result_finding *finding) {
  text_print(to, "%s", finding_headline(finding->kind));
  size_t first = strcspn(finding->message, "\n");
  if (first)
    text_print(to, ": %.*s", (int)first, finding->message);
  if (finding->place.file && has_place(finding->kind)) {
    text_print(to, " (");
    place_text(to, &finding->place);
    text_print(to, ")");
  }
}

static void print_message_rest(struct text_printer *p, const char *message) {
  const char *rest = strchr(message, '\n');
  while (rest && rest[1]) {
    size_t length = strcspn(rest + 1, "\n");
    fprintf(p->to, "  %.*s\n", (int)length, rest + 1);
    rest = rest[1 + length] ? rest + 1 + length : 0;
  }
}

static void print_command(struct text_printer *p, const char *before,
                          const char *path) {
  struct text word = {0};
  text_shell_word(&word, path);
  fprintf(p->to, "\n%s %.*s\n", before, (int)word.size, word.at);
  VEC_FREE(word);
}

static void print_error(struct text_printer *p,
                        const struct result_finding *finding) {
  print_message_rest(p, finding->message);
  if (p->style.full || relevance_is_unknown(finding))
    schedule_text(p, finding);
  else
    brief_text(p, finding);
  print_output(p, "output of this execution", &finding->output);
  print_output(p, "written to stderr", &finding->complaints);
  if (finding->replay && !p->style.replaying)
    print_command(p, "replay: heddle replay", finding->replay);
}

/* One access of a race: the step that it was, if that is known. */
static void print_access(struct text_printer *p,
                         const struct result_finding *finding, size_t access,
                         const struct source_place *place) {
  struct text line = {0};
  if (access) {
    thread_text(&line, finding, finding->steps.at[access - 1].proc);
    text_print(&line, "  ");
  }
  text_print(&line, "%s  ", function_text(place));
  place_text(&line, place);
  if (access) {
    text_print(&line, "  ");
    op_text_full(&line, finding, &finding->steps.at[access - 1]);
  }
  fprintf(p->to, "    %.*s\n", (int)line.size, line.at);
  VEC_FREE(line);
}

static void print_warning(struct text_printer *p,
                          const struct result_finding *finding) {
  struct text line = {0};
  finding_line(&line, finding);
  text_color(p, YELLOW);
  fputs("warning: ", p->to);
  text_color(p, PLAIN);
  fprintf(p->to, "%.*s\n", (int)line.size, line.at);
  VEC_FREE(line);
  print_message_rest(p, finding->message);
  if (finding->other.file || finding->other.function) {
    print_access(p, finding, finding->other_access, &finding->other);
    print_access(p, finding, finding->access, &finding->place);
  }
}

/* ---- the whole ----------------------------------------------------------- */

/* What the counters do not count. */
static void print_hunt(struct text_printer *p, const struct result_hunt *hunt) {
  if (hunt->strategy)
    fprintf(p->to,
            "found by hunting: %s; the search itself had found nothing in "
            "%" PRIu64 " executions\n",
            hunt->strategy, hunt->searched);
  else if (hunt->steps)
    fprintf(p->to,
            "hunted in vain, too: %" PRIu64
            " executions with few preemptions, and samples\n",
            hunt->executions);
}

/* The counters are those of the search that ended first. */
static void print_turns(struct text_printer *p, const struct result *result) {
  const struct result_turns *turns = &result->turns;
  const char *algorithm = result->algorithm;
  if (turns->first && result->verdict == VERDICT_ERROR)
    fprintf(p->to,
            "found by a search that stores states (%s): %s had found nothing "
            "in %" PRIu64 " executions\n",
            algorithm, turns->first, turns->executions);
  else if (turns->first)
    fprintf(p->to,
            "stored states ended the search (%s): %s had run %" PRIu64
            " execution%s, and had %s\n",
            algorithm, turns->first, turns->executions,
            turns->executions == 1 ? "" : "s",
            turns->followed ? "stopped at a loop without end" : "more to run");
  else if (turns->steps && result->verdict == VERDICT_INCOMPLETE)
    fprintf(p->to,
            "a search that stores states (stateful) did not end either, in "
            "%" PRIu64 " steps\n",
            turns->steps);
}

static void print_safe(struct text_printer *p, const struct result *result) {
  text_color(p, GREEN);
  fputs("SAFE", p->to);
  text_color(p, PLAIN);
  fputs(result_is_vacuous(result) ? ": no execution passed the assumptions: "
                                  : ": no error exists: ",
        p->to);
  print_counters(p->to, &result->counters);
  fputc('\n', p->to);
  if (result->trusted)
    fprintf(p->to, "trusted, not checked: %s\n", result->trusted);
  if (p->style.detail != DETAIL_VERDICT)
    print_turns(p, result);
}

static void print_incomplete(struct text_printer *p,
                             const struct result *result) {
  text_color(p, YELLOW);
  fputs("INCOMPLETE", p->to);
  text_color(p, PLAIN);
  fprintf(p->to, ": %s: no error so far: ",
          result->limit ? result->limit : "not everything was explored");
  print_counters(p->to, &result->counters);
  fputc('\n', p->to);
  if (p->style.detail == DETAIL_VERDICT)
    return;
  print_hunt(p, &result->hunt);
  print_turns(p, result);
}

static void print_headline(struct text_printer *p, const char *before,
                           const struct result_finding *finding) {
  struct text line = {0};
  finding_line(&line, finding);
  text_color(p, RED);
  fputs(before, p->to);
  text_color(p, PLAIN);
  fprintf(p->to, ": %.*s\n", (int)line.size, line.at);
  VEC_FREE(line);
}

static void print_errors(struct text_printer *p, const struct result *result) {
  size_t count = result->errors.size;
  if (count == 1) {
    print_headline(p, "ERROR", &result->errors.at[0]);
    if (p->style.detail != DETAIL_VERDICT)
      print_error(p, &result->errors.at[0]);
    return;
  }
  text_color(p, RED);
  fputs("ERROR", p->to);
  text_color(p, PLAIN);
  fprintf(p->to, ": %zu different errors\n", count);
  if (p->style.detail == DETAIL_VERDICT)
    return;
  for (size_t i = 0; i < count; i++) {
    char before[64];
    snprintf(before, sizeof before, "\nerror %zu of %zu", i + 1, count);
    print_headline(p, before, &result->errors.at[i]);
    print_error(p, &result->errors.at[i]);
  }
}

static void print_warnings(struct text_printer *p,
                           const struct result *result) {
  if (result->warnings.size)
    fputc('\n', p->to);
  for (size_t i = 0; i < result->warnings.size; i++)
    print_warning(p, &result->warnings.at[i]);
}

static void print_outcomes(struct text_printer *p,
                           const struct result *result) {
  if (!result->outcomes_wanted)
    return;
  fprintf(p->to, "\n%zu outcome%s%s\n", result->outcomes.size,
          result->outcomes.size == 1 ? "" : "s",
          result->complete ? ":" : " so far:");
  for (size_t i = 0; i < result->outcomes.size; i++) {
    const struct result_outcome *outcome = &result->outcomes.at[i];
    fprintf(p->to, "%10" PRIu64 "  \"", outcome->count);
    print_escaped(p->to, outcome->output.at, outcome->output.size);
    fputc('"', p->to);
    if (outcome->status)
      fprintf(p->to, " and exit status %" PRIu32, outcome->status);
    fputc('\n', p->to);
  }
}

static void print_more(struct text_printer *p, const struct result *result) {
  double rate =
      result->time > 0 ? (double)result->counters.executions / result->time : 0;
  fprintf(p->to, "\nheddle %s, algorithm %s, %s\n", result->version,
          result->algorithm, result->complete ? "complete" : "not complete");
#define COUNTER(field, name, words) \
  fprintf(p->to, "  %-24s %14" PRIu64 "\n", words, result->counters.field);
#define SOMETIMES(field, name, words) \
  if (result->counters.field)         \
  COUNTER(field, name, words)
#define STATISTIC SOMETIMES
#include "core/counters.def"
#undef STATISTIC
#undef SOMETIMES
#undef COUNTER
  fprintf(p->to, "  %-24s %14.6f\n", "seconds", result->time);
  fprintf(p->to, "  %-24s %14.0f\n", "executions per second", rate);
  fprintf(p->to, "  %-24s %14" PRIu64 "\n", "memory in kB", result->max_rss);
}

/* After an error: how far the search came. */
static void print_summary(struct text_printer *p, const struct result *result) {
  fputc('\n', p->to);
  print_counters(p->to, &result->counters);
  if (result->limit)
    fprintf(p->to, "; not complete: %s", result->limit);
  fputc('\n', p->to);
  print_hunt(p, &result->hunt);
  print_turns(p, result);
}

void report_as_text(FILE *to, const struct result *result,
                    struct text_style style) {
  struct text_printer printer = {to, style}, *p = &printer;
  if (result->verdict == VERDICT_SAFE)
    print_safe(p, result);
  else if (result->verdict == VERDICT_INCOMPLETE)
    print_incomplete(p, result);
  else
    print_errors(p, result);
  if (style.detail == DETAIL_VERDICT)
    return;
  if (result->verdict == VERDICT_ERROR && !style.replaying)
    print_summary(p, result);
  if (!style.replaying)
    print_warnings(p, result);
  print_outcomes(p, result);
  if (result->resume)
    print_command(p, "to go on: heddle resume", result->resume);
  if (style.detail == DETAIL_ALL && !style.replaying)
    print_more(p, result);
}

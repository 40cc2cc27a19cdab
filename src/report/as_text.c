/* The result for people. */
#include <inttypes.h>
#include <string.h>

#include "report/result.h"

/* ---- colours ------------------------------------------------------------- */

#define RED "\033[1;31m"
#define GREEN "\033[1;32m"
#define YELLOW "\033[1;33m"
#define DIM "\033[2m"
#define PLAIN "\033[0m"

struct text_printer {
  FILE *to;
  struct text_style style;
};

static void color(struct text_printer *p, const char *code) {
  if (p->style.color)
    fputs(code, p->to);
}

/* Each thread has its own colour; they come round again. */
static void thread_color(struct text_printer *p, uint32_t proc) {
  if (p->style.color)
    fprintf(p->to, "\033[%um", 32 + proc % 5);
}

/* ---- pieces -------------------------------------------------------------- */

/* "account.c:31", or what is known of it. */
static void place_text(struct text *to, const struct source_place *place) {
  if (place->file && place->line)
    text_print(to, "%s:%u", place->file, place->line);
  else if (place->file)
    text_print(to, "%s", place->file);
  else
    text_print(to, "?");
}

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

/* "1 execution", "2 executions" */
static void print_counter(FILE *to, const char *words, uint64_t value) {
  size_t length = strlen(words);
  bool plural = length > 1 && words[length - 1] == 's';
  fprintf(to, "%" PRIu64 " %.*s", value, (int)(length - (plural && value == 1)),
          words);
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

/* ---- the schedule -------------------------------------------------------- */

struct widths {
  int number, thread, function, place;
};

static void widen(int *width, size_t length) {
  /* A path that is longer than this pushes its own line only. */
  enum { WIDEST = 40 };
  if ((int)length > *width && length <= WIDEST)
    *width = (int)length;
}

static const char *function_text(const struct source_place *place) {
  return place->function ? place->function : "?";
}

static struct widths measure(const struct result_finding *finding) {
  struct widths widths = {4, 6, 8, 0};
  struct text text = {0};
  for (size_t i = 0; i < finding->steps.size; i++) {
    const struct result_step *step = &finding->steps.at[i];
    text.size = 0;
    thread_text(&text, finding, step->proc);
    widen(&widths.thread, text.size);
    widen(&widths.function, strlen(function_text(&step->place)));
    text.size = 0;
    place_text(&text, &step->place);
    widen(&widths.place, text.size);
  }
  VEC_FREE(text);
  return widths;
}

/* Local code has none: it belongs to the step before. */
static void print_number(struct text_printer *p, const struct result_step *step,
                         int width) {
  if (step->local)
    fprintf(p->to, "  %*s", width, "");
  else
    fprintf(p->to, "  %*zu", width, step->number);
}

static void print_step(struct text_printer *p,
                       const struct result_finding *finding, size_t i,
                       const struct widths *widths) {
  const struct result_step *step = &finding->steps.at[i];
  bool switched = i && step[-1].proc != step->proc;
  struct text thread = {0}, place = {0}, words = {0};
  thread_text(&thread, finding, step->proc);
  place_text(&place, &step->place);
  op_text_full(&words, finding, step);
  print_number(p, step, widths->number);
  fprintf(p->to, " %c ", switched ? '>' : ' ');
  thread_color(p, step->proc);
  fprintf(p->to, "%-*.*s", widths->thread, (int)thread.size, thread.at);
  color(p, PLAIN);
  fprintf(p->to, "  %-*s  ", widths->function, function_text(&step->place));
  color(p, DIM);
  fprintf(p->to, "%-*.*s", widths->place, (int)place.size, place.at);
  color(p, PLAIN);
  fprintf(p->to, "  %.*s\n", (int)words.size, words.at);
  VEC_FREE(thread);
  VEC_FREE(place);
  VEC_FREE(words);
}

/* ---- rounds: steps that come again and again ----------------------------- */

/* A stack overflow or a long loop repeats the same few steps.  Of so many the
 * first two rounds and the last one are shown. */
enum { LONGEST_ROUND = 16, SHOWN_ROUNDS = 3, FEWEST_FOLDED = 40 };

struct rounds {
  size_t length; /* of one, in steps */
  size_t count;
};

static bool looks_like(const struct result_step *a,
                       const struct result_step *b) {
  return a->proc == b->proc && a->op == b->op &&
         a->place.line == b->place.line &&
         !strcmp(function_text(&a->place), function_text(&b->place));
}

static size_t count_rounds(const struct result_finding *finding, size_t first,
                           size_t length) {
  const struct result_step *steps = finding->steps.at;
  size_t end = first + length;
  while (end < finding->steps.size &&
         looks_like(&steps[end], &steps[end - length]))
    end++;
  return (end - first) / length;
}

/* The shortest rounds from here on that are worth folding; count 0: none. */
static struct rounds find_rounds(const struct result_finding *finding,
                                 size_t first) {
  for (size_t length = 1; length <= LONGEST_ROUND; length++) {
    size_t count = count_rounds(finding, first, length);
    if (count > SHOWN_ROUNDS &&
        (count - SHOWN_ROUNDS) * length >= FEWEST_FOLDED)
      return (struct rounds){length, count};
  }
  return (struct rounds){0};
}

static void print_folded(struct text_printer *p,
                         const struct result_step *first,
                         const struct rounds *rounds,
                         const struct widths *widths) {
  fprintf(p->to, "  %*s   ... %zu more of ", widths->number, "",
          (rounds->count - SHOWN_ROUNDS) * rounds->length);
  for (size_t i = 0, known = 0; i < rounds->length; i++, known = 0) {
    const char *function = function_text(&first[i].place);
    for (size_t k = 0; k < i; k++)
      known += !strcmp(function, function_text(&first[k].place));
    if (!known)
      fprintf(p->to, "%s%s()", i ? ", " : "", function);
  }
  fputs(" ...\n", p->to);
}

static void print_steps(struct text_printer *p,
                        const struct result_finding *finding, size_t from,
                        size_t end, const struct widths *widths) {
  for (size_t i = from; i < end; i++)
    print_step(p, finding, i, widths);
}

static void print_all_steps(struct text_printer *p,
                            const struct result_finding *finding,
                            const struct widths *widths) {
  for (size_t i = 0; i < finding->steps.size;) {
    struct rounds rounds = find_rounds(finding, i);
    size_t end = i + rounds.length * rounds.count;
    if (!rounds.count) {
      print_step(p, finding, i++, widths);
      continue;
    }
    print_steps(p, finding, i, i + (SHOWN_ROUNDS - 1) * rounds.length, widths);
    print_folded(p, &finding->steps.at[i], &rounds, widths);
    print_steps(p, finding, end - rounds.length, end, widths);
    i = end;
  }
}

static void print_schedule(struct text_printer *p,
                           const struct result_finding *finding) {
  if (!finding->steps.size)
    return;
  struct widths widths = measure(finding);
  fprintf(p->to, "\n  %*s   %-*s  %-*s  %-*s  operation\n", widths.number,
          "step", widths.thread, "thread", widths.function, "function",
          widths.place, "place");
  print_all_steps(p, finding, &widths);
}

/* ---- findings ------------------------------------------------------------ */

/* "assertion failed: balance == 100 (account.c:31)".  Only the first line of a
 * longer message; the rest follows in print_details. */
static void finding_line(struct text *to,
                         const struct result_finding *finding) {
  text_print(to, "%s", finding_headline(finding->kind));
  size_t first = strcspn(finding->message, "\n");
  if (first)
    text_print(to, ": %.*s", (int)first, finding->message);
  /* The message of a race names both places itself. */
  if (finding->place.file && finding->kind != FINDING_RACE) {
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

static void print_replay(struct text_printer *p, const char *path) {
  struct text word = {0};
  text_shell_word(&word, path);
  fprintf(p->to, "\nreplay: heddle replay %.*s\n", (int)word.size, word.at);
  VEC_FREE(word);
}

static void print_error(struct text_printer *p,
                        const struct result_finding *finding) {
  print_message_rest(p, finding->message);
  print_schedule(p, finding);
  print_output(p, "output of this execution", &finding->output);
  print_output(p, "written to stderr", &finding->complaints);
  if (finding->replay && !p->style.replaying)
    print_replay(p, finding->replay);
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
  color(p, YELLOW);
  fputs("warning: ", p->to);
  color(p, PLAIN);
  fprintf(p->to, "%.*s\n", (int)line.size, line.at);
  VEC_FREE(line);
  print_message_rest(p, finding->message);
  if (finding->other.file || finding->other.function) {
    print_access(p, finding, finding->other_access, &finding->other);
    print_access(p, finding, finding->access, &finding->place);
  }
}

/* ---- the whole ----------------------------------------------------------- */

static void print_safe(struct text_printer *p, const struct result *result) {
  color(p, GREEN);
  fputs("SAFE", p->to);
  color(p, PLAIN);
  fputs(result_is_vacuous(result) ? ": no execution passed the assumptions: "
                                  : ": no error exists: ",
        p->to);
  print_counters(p->to, &result->counters);
  fputc('\n', p->to);
  if (result->trusted)
    fprintf(p->to, "trusted, not checked: %s\n", result->trusted);
}

static void print_incomplete(struct text_printer *p,
                             const struct result *result) {
  color(p, YELLOW);
  fputs("INCOMPLETE", p->to);
  color(p, PLAIN);
  fprintf(p->to, ": %s: no error so far: ",
          result->limit ? result->limit : "not everything was explored");
  print_counters(p->to, &result->counters);
  fputc('\n', p->to);
}

static void print_headline(struct text_printer *p, const char *before,
                           const struct result_finding *finding) {
  struct text line = {0};
  finding_line(&line, finding);
  color(p, RED);
  fputs(before, p->to);
  color(p, PLAIN);
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
  color(p, RED);
  fputs("ERROR", p->to);
  color(p, PLAIN);
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
  if (style.detail == DETAIL_ALL && !style.replaying)
    print_more(p, result);
}

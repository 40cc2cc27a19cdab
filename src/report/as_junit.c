/* The result in the XML format of JUnit, which CI servers read.
 *
 * Every kind of error is a test case: it fails if there is such an error.  So
 * the cases are the same every time, and a server can compare runs.  A second
 * error of one kind is a case of its own.  One more case is an error if the
 * search was incomplete. */
#include <inttypes.h>
#include <string.h>

#include "report/result.h"
#include "report/utf8.h"

/* ---- XML ----------------------------------------------------------------- */

static const char *entity(unsigned char byte) {
  switch (byte) {
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '&':
    return "&amp;";
  case '"':
    return "&quot;";
  case '\n':
    return "&#10;";
  case '\t':
    return "&#9;";
  default:
    return 0;
  }
}

/* XML has no way to write most control characters, nor U+FFFE and U+FFFF. */
static bool can_stand(const unsigned char *s, size_t length) {
  bool none = length == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe;
  return length && (s[0] >= ' ' || s[0] == '\n' || s[0] == '\t') && !none;
}

static void put_xml(FILE *to, const char *text, size_t length) {
  const unsigned char *s = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    size_t one = utf8_length(s + i, length - i);
    if (!can_stand(s + i, one))
      fprintf(to, "\\x%02x", s[i]), one = 1;
    else if (entity(s[i]))
      fputs(entity(s[i]), to);
    else
      fwrite(s + i, 1, one, to);
    i += one;
  }
}

static void put_attribute(FILE *to, const char *name, const char *value) {
  fprintf(to, " %s=\"", name);
  put_xml(to, value, strlen(value));
  fputc('"', to);
}

static void put_line(FILE *to, struct text *line) {
  put_xml(to, line->at, line->size);
  fputc('\n', to);
  line->size = 0;
}

/* ---- one finding --------------------------------------------------------- */

static void add_place(struct text *to, const struct source_place *place) {
  if (place->file)
    text_print(to, place->line ? " (%s:%u)" : " (%s)", place->file,
               place->line);
}

static void put_steps(FILE *to, const struct result_finding *finding) {
  struct text line = {0};
  for (size_t i = 0; i < finding->steps.size; i++) {
    const struct result_step *step = &finding->steps.at[i];
    char name[16];
    thread_name(step->proc, name, sizeof name);
    text_print(&line, "%zu %s ", step->number, name);
    op_text_full(&line, finding, step);
    add_place(&line, &step->place);
    put_line(to, &line);
  }
  VEC_FREE(line);
}

static void put_failure(FILE *to, const struct result_finding *finding) {
  struct text line = {0};
  fputs("      <failure", to);
  put_attribute(to, "type", finding_name(finding->kind));
  put_attribute(to, "message", finding->message ? finding->message : "");
  fputc('>', to);
  text_print(&line, "%s: %s", finding_headline(finding->kind),
             finding->message ? finding->message : "");
  add_place(&line, &finding->place);
  put_line(to, &line);
  put_steps(to, finding);
  if (finding->replay) {
    text_print(&line, "heddle replay %s", finding->replay);
    put_line(to, &line);
  }
  fputs("</failure>\n", to);
  VEC_FREE(line);
}

/* ---- cases --------------------------------------------------------------- */

/* The nth error of this kind, or NULL. */
static const struct result_finding *
nth_error(const struct result *result, enum finding_kind kind, size_t nth) {
  for (size_t i = 0; i < result->errors.size; i++)
    if (result->errors.at[i].kind == kind && nth-- == 0)
      return &result->errors.at[i];
  return 0;
}

static size_t count_errors(const struct result *result,
                           enum finding_kind kind) {
  size_t count = 0;
  while (nth_error(result, kind, count))
    count++;
  return count;
}

static void begin_case(FILE *to, const struct result *result, const char *name,
                       size_t nth) {
  fputs("    <testcase", to);
  put_attribute(to, "classname", result->program ? result->program : "");
  fputs(" name=\"", to);
  put_xml(to, name, strlen(name));
  if (nth)
    fprintf(to, " (%zu)", nth + 1);
  fputc('"', to);
}

static void put_warnings(FILE *to, const struct result *result,
                         enum finding_kind kind) {
  struct text line = {0};
  bool any = false;
  for (size_t i = 0; i < result->warnings.size; i++) {
    const struct result_finding *finding = &result->warnings.at[i];
    if (finding->kind != kind)
      continue;
    fputs(any ? "" : "      <system-out>", to);
    text_print(&line, "warning: %s", finding->message ? finding->message : "");
    put_line(to, &line);
    any = true;
  }
  fputs(any ? "</system-out>\n" : "", to);
  VEC_FREE(line);
}

static void put_case(FILE *to, const struct result *result,
                     enum finding_kind kind, size_t nth) {
  const struct result_finding *error = nth_error(result, kind, nth);
  begin_case(to, result, finding_headline(kind), nth);
  fputs(">\n", to);
  if (error)
    put_failure(to, error);
  if (!nth)
    put_warnings(to, result, kind);
  fputs("    </testcase>\n", to);
}

/* Nothing was found, and not all was looked at. */
static bool is_undecided(const struct result *result) {
  return result->verdict == VERDICT_INCOMPLETE;
}

static void put_completeness(FILE *to, const struct result *result) {
  begin_case(to, result, "complete", 0);
  fprintf(to, " time=\"%.3f\">\n", result->time);
  if (is_undecided(result)) {
    fputs("      <error type=\"incomplete\"", to);
    put_attribute(to, "message", result->limit ? result->limit : "");
    fputs("/>\n", to);
  }
  fputs("    </testcase>\n", to);
}

/* ---- the suite ----------------------------------------------------------- */

static size_t count_cases(const struct result *result) {
  size_t count = 1; /* that the search was complete */
  for (int kind = 0; kind < FINDINGS; kind++) {
    size_t errors = count_errors(result, (enum finding_kind)kind);
    count += errors ? errors : 1;
  }
  return count;
}

static void put_counts(FILE *to, const struct result *result) {
  fprintf(to, " tests=\"%zu\" failures=\"%zu\" errors=\"%d\" time=\"%.3f\"",
          count_cases(result), result->errors.size, is_undecided(result),
          result->time);
}

void report_as_junit(FILE *to, const struct result *result) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "
        "name=\"heddle\"",
        to);
  put_counts(to, result);
  fputs(">\n  <testsuite", to);
  put_attribute(to, "name", result->program ? result->program : "");
  put_counts(to, result);
  fputs(" skipped=\"0\">\n", to);
  for (int kind = 0; kind < FINDINGS; kind++) {
    size_t errors = count_errors(result, (enum finding_kind)kind);
    for (size_t i = 0; i < (errors ? errors : 1); i++)
      put_case(to, result, (enum finding_kind)kind, i);
  }
  put_completeness(to, result);
  fputs("  </testsuite>\n</testsuites>\n", to);
}

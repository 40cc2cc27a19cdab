/* The result as one page that needs nothing else: style, script, the sources,
 * and the report as JSON.  The script (src/report/page) does the rest. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/page_files.h"
#include "report/result.h"
#include "util/ensure.h"

/* The page may come to be anywhere: it fetches nothing. */
static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
    "<title>heddle</title>\n<style>\n";

/* ---- pieces -------------------------------------------------------------- */

struct page {
  FILE *to; /* the report as JSON */
  VEC(const char *) files;
};

static void put_string(struct page *p, const char *text) {
  if (text)
    json_string(p->to, text, strlen(text));
  else
    fputs("null", p->to);
}

static void put_member(struct page *p, const char *key, const char *value) {
  fprintf(p->to, "\"%s\":", key);
  put_string(p, value);
  fputc(',', p->to);
}

static void put_text(struct page *p, const char *key, const struct text *text) {
  fprintf(p->to, "\"%s\":", key);
  json_string(p->to, text->at, text->size);
  fputc(',', p->to);
}

/* The number of the file in the page; -1: no file. */
static long file_number(struct page *p, const char *name) {
  if (!name)
    return -1;
  for (size_t i = p->files.size; i-- > 0;)
    if (p->files.at[i] == name || !strcmp(p->files.at[i], name))
      return (long)i;
  VEC_PUSH(p->files, name);
  return (long)p->files.size - 1;
}

/* ---- a schedule ---------------------------------------------------------- */

/* As in data.js. */
enum { PAGE_PREEMPTS = 1, PAGE_FAILED = 2, PAGE_LOCAL = 4, PAGE_WRITES = 8 };

static unsigned flags_of(const struct result_step *step) {
  bool writes = op_is_of_data(step->op) &&
                op_table[step->op].access != OPACCESS_READS && !step->failed;
  return (step->preempts ? PAGE_PREEMPTS : 0) |
         (step->failed ? PAGE_FAILED : 0) | (step->local ? PAGE_LOCAL : 0) |
         (writes ? PAGE_WRITES : 0);
}

/* The fields are those of STEP_FIELDS in data.js. */
static void put_step(struct page *p, const struct result_finding *finding,
                     const struct result_step *step) {
  struct text words = {0};
  op_text_full(&words, finding, step);
  fprintf(p->to, "[%u,%zu,\"%s\",", step->proc, step->number,
          op_name(step->op));
  json_string(p->to, words.at, words.size);
  fputc(',', p->to);
  put_string(p, step->variable);
  fputc(',', p->to);
  put_string(p, step->value);
  fprintf(p->to, ",%ld,%u,", file_number(p, step->place.file),
          step->place.line);
  put_string(p, step->place.function);
  fprintf(p->to, ",%u,%ld,%d,%" PRIu64 "]", flags_of(step),
          (long)step->follows - 1, step->link, step->address);
  VEC_FREE(words);
}

static void put_steps(struct page *p, const struct result_finding *finding) {
  fputs("\"steps\":[", p->to);
  for (size_t i = 0; i < finding->steps.size; i++) {
    fputs(i ? ",\n" : "\n", p->to);
    put_step(p, finding, &finding->steps.at[i]);
  }
  fputs("]", p->to);
}

/* Where the thread is at the end: in words, and its calls. */
static void put_stand(struct page *p, const struct result_finding *finding,
                      const struct result_thread *thread) {
  struct text words = {0}, stack = {0};
  stand_words(&words, finding, thread);
  stand_stack(&stack, thread);
  fputs(",\"end\":", p->to);
  json_string(p->to, words.at, words.size);
  fputs(",\"stack\":", p->to);
  json_string(p->to, stack.at, stack.size);
  VEC_FREE(words);
  VEC_FREE(stack);
}

static void put_threads(struct page *p, const struct result_finding *finding) {
  fputs("\"threads\":[", p->to);
  for (size_t i = 0; i < finding->threads.size; i++) {
    const struct result_thread *thread = &finding->threads.at[i];
    char name[16];
    thread_name(thread->proc, name, sizeof name);
    fprintf(p->to, "%s{\"number\":%u,\"name\":\"%s\",\"fn\":", i ? "," : "",
            thread->proc, name);
    put_string(p, thread->function);
    put_stand(p, finding, thread);
    fputc('}', p->to);
  }
  fputs("],", p->to);
}

static void put_place(struct page *p, const struct source_place *place) {
  struct text text = {0};
  if (place->file)
    text_print(&text, place->line ? "%s:%u" : "%s", place->file, place->line);
  put_text(p, "place", &text);
  VEC_FREE(text);
}

/* The step that is marked: the last one, unless the finding is a race, whose
 * accesses are, or a thread that waits. */
static long failing_step(const struct result_finding *finding) {
  bool stuck = finding->kind == FINDING_DEADLOCK ||
               finding->kind == FINDING_LIVELOCK ||
               finding->kind == FINDING_RACE;
  return stuck ? -1 : (long)finding->steps.size - 1;
}

static void put_schedule(struct page *p, const struct result_finding *finding,
                         long fails) {
  put_text(p, "output", &finding->output);
  put_text(p, "stderr", &finding->complaints);
  put_member(p, "replay", finding->replay);
  fprintf(p->to, "\"access\":%ld,\"other\":%ld,\"fails\":%ld,\"critical\":%ld,",
          (long)finding->access - 1, (long)finding->other_access - 1, fails,
          (long)finding->critical - 1);
  put_threads(p, finding);
  put_steps(p, finding);
}

static void put_finding(struct page *p, const struct result_finding *finding,
                        bool warning) {
  fputc('{', p->to);
  put_member(p, "kind", finding_name(finding->kind));
  put_member(p, "headline", finding_headline(finding->kind));
  put_member(p, "message", finding->message);
  put_place(p, &finding->place);
  fprintf(p->to, "\"warning\":%s,", warning ? "true" : "false");
  put_schedule(p, finding, failing_step(finding));
  fputc('}', p->to);
}

static void put_findings(struct page *p, const struct result *result) {
  fputs("\"found\":[", p->to);
  for (size_t i = 0; i < result->errors.size; i++) {
    fputs(i ? ",\n" : "\n", p->to);
    put_finding(p, &result->errors.at[i], false);
  }
  for (size_t i = 0; i < result->warnings.size; i++) {
    fputs(i || result->errors.size ? ",\n" : "\n", p->to);
    put_finding(p, &result->warnings.at[i], true);
  }
  fputs("],\n", p->to);
}

/* ---- the rest of the report ---------------------------------------------- */

static void put_example(struct page *p, const struct result_outcome *outcome) {
  fputs(",\"schedule\":{", p->to);
  put_member(p, "headline", "an execution with this outcome");
  put_text(p, "message", &outcome->output);
  put_member(p, "place", "");
  fputs("\"warning\":true,", p->to);
  put_schedule(p, &outcome->example, -1);
  fputc('}', p->to);
}

static void put_outcome(struct page *p, const struct result_outcome *outcome) {
  fputc('{', p->to);
  put_text(p, "output", &outcome->output);
  fprintf(p->to, "\"exit\":%" PRIu32 ",\"count\":%" PRIu64, outcome->status,
          outcome->count);
  if (outcome->example.steps.size)
    put_example(p, outcome);
  fputc('}', p->to);
}

static void put_outcomes(struct page *p, const struct result *result) {
  fputs("\"outcomes\":", p->to);
  if (!result->outcomes_wanted) {
    fputs("null,\n", p->to);
    return;
  }
  fputc('[', p->to);
  for (size_t i = 0; i < result->outcomes.size; i++) {
    fputs(i ? ",\n" : "\n", p->to);
    put_outcome(p, &result->outcomes.at[i]);
  }
  fputs("],\n", p->to);
}

/* "ERROR: deadlock", "SAFE", "INCOMPLETE: time limit of 2 s reached" */
static void put_verdict(struct page *p, const struct result *result) {
  static const char *const names[] = {"safe", "error", "incomplete"};
  struct text text = {0};
  if (result->verdict == VERDICT_SAFE)
    text_print(&text, "SAFE: no error exists");
  else if (result->verdict == VERDICT_INCOMPLETE)
    text_print(&text, "INCOMPLETE: no error so far: %s",
               result->limit ? result->limit : "");
  else if (result->errors.size == 1)
    text_print(&text, "ERROR: %s", finding_headline(result->errors.at[0].kind));
  else
    text_print(&text, "ERROR: %zu errors", result->errors.size);
  put_member(p, "verdict", names[result->verdict]);
  put_text(p, "verdict_text", &text);
  VEC_FREE(text);
}

static void put_summary(struct page *p, const struct result *result) {
  const struct counters *c = &result->counters;
  struct text text = {0};
  text_print(&text,
             "%" PRIu64 " executions, %" PRIu64 " steps, %" PRIu64
             " threads; algorithm %s; heddle %s",
             c->executions, c->steps, c->threads, result->algorithm,
             result->version);
  if (result->limit)
    text_print(&text, "; incomplete: %s", result->limit);
  put_text(p, "summary", &text);
  VEC_FREE(text);
}

/* Larger files are left out: a page must open. */
enum { LARGEST_SOURCE = 4 << 20 };

static bool read_source(const char *name, struct text *text) {
  FILE *from = fopen(name, "re");
  char buffer[65536];
  size_t got;
  if (!from)
    return false;
  while (text->size <= LARGEST_SOURCE &&
         (got = fread(buffer, 1, sizeof buffer, from)))
    text_add(text, buffer, got);
  bool good = !ferror(from) && text->size <= LARGEST_SOURCE;
  fclose(from);
  return good;
}

static void put_files(struct page *p) {
  fputs("\"files\":[", p->to);
  for (size_t i = 0; i < p->files.size; i++) {
    struct text text = {0};
    fputs(i ? ",\n{" : "\n{", p->to);
    put_member(p, "name", p->files.at[i]);
    fputs("\"text\":", p->to);
    if (read_source(p->files.at[i], &text))
      json_string(p->to, text.at, text.size);
    else
      fputs("null", p->to);
    fputc('}', p->to);
    VEC_FREE(text);
  }
  fputs("]}", p->to);
}

/* ---- the page ------------------------------------------------------------ */

/* In a script element `<` could end it. */
static void put_escaped(FILE *to, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] == '<')
      fputs("\\u003c", to);
    else
      fputc(text[i], to);
}

static void put_file(FILE *to, const struct embedded *file) {
  fwrite(file->start, 1, (size_t)(file->end - file->start), to);
}

static void put_report(FILE *to, const struct result *result) {
  char *json = 0;
  size_t length = 0;
  struct page page = {.to = open_memstream(&json, &length)};
  ensure(page.to); /* out of memory */
  fputc('{', page.to);
  put_verdict(&page, result);
  put_summary(&page, result);
  put_findings(&page, result);
  put_outcomes(&page, result);
  put_files(&page); /* the last: now all are known */
  ensure(!fclose(page.to));
  put_escaped(to, json, length);
  free(json);
  VEC_FREE(page.files);
}

void report_as_html(FILE *to, const struct result *result) {
  fputs(head, to);
  put_file(to, &page_style);
  fputs("</style>\n</head>\n<body>\n", to);
  put_file(to, &page_body);
  fputs("<script type=\"application/json\" id=\"report\">", to);
  put_report(to, result);
  fputs("</script>\n<script>\n", to);
  for (size_t i = 0; i < page_script_count; i++)
    put_file(to, &page_scripts[i]);
  fputs("</script>\n</body>\n</html>\n", to);
}

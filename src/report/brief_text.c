/* The short schedule: what must be known to understand the failure. */
#include <inttypes.h>
#include <string.h>

#include "report/text_printer.h"

/* ---- steps --------------------------------------------------------------- */

static bool changes(const struct result_step *step) {
  return step->before && step->value && !step->failed &&
         strcmp(step->before, step->value) && !op_is_rmw(step->op);
}

static void refer(struct text *to, const struct result_finding *finding,
                  const char *before, size_t step) {
  text_print(to, " (%s step %zu)", before, finding->steps.at[step - 1].number);
}

/* "T1 worker read it at step 8" */
static void print_reader(struct text *to, const struct result_finding *finding,
                         size_t step) {
  const struct result_step *reader = &finding->steps.at[step - 1];
  struct text words = {0};
  thread_text(&words, finding, reader->proc);
  text_print(&words, " read it at");
  refer(to, finding, text_string(&words), step);
  VEC_FREE(words);
}

/* A value read from the step right before needs no word. */
static bool is_far(const struct result_finding *finding, size_t now,
                   size_t step) {
  for (size_t i = step; i < now; i++)
    if (finding->steps.at[i].shown)
      return true;
  return false;
}

static void brief_words(struct text *to, const struct result_finding *finding,
                        size_t i) {
  const struct result_step *step = &finding->steps.at[i];
  if (changes(step)) {
    op_text_short(to, step);
    text_print(to, ": %s -> %s", step->before, step->value);
  } else {
    op_text_full(to, finding, step);
  }
  if (step->repeats)
    text_print(to, ", %zu times", 1 + step->repeats);
  if (step->reads_from && is_far(finding, i, step->reads_from) &&
      op_table[step->op].access == OPACCESS_READS)
    refer(to, finding, "written at", step->reads_from);
  if (step->overwrites)
    print_reader(to, finding, step->overwrites);
}

static void brief_step(struct text_printer *p,
                       const struct result_finding *finding, size_t i,
                       bool switched, const struct schedule_widths *widths) {
  struct text words = {0};
  bool critical = finding->critical == i + 1;
  brief_words(&words, finding, i);
  schedule_line(p, finding, i,
                critical   ? switched ? "*>" : "* "
                : switched ? " >"
                           : "  ",
                &words, widths);
  VEC_FREE(words);
}

/* ---- set-up -------------------------------------------------------------- */

/* The steps before the first that is shown, all of one thread. */
static size_t set_up(const struct result_finding *finding) {
  size_t end = 0;
  while (end < finding->steps.size && !finding->steps.at[end].shown &&
         finding->steps.at[end].proc == finding->steps.at[0].proc)
    end++;
  return end;
}

static void print_set_up(struct text_printer *p,
                         const struct result_finding *finding, size_t end,
                         const struct schedule_widths *widths) {
  struct text words = {0};
  const char *before = ": creates ";
  if (!end)
    return;
  text_print(&words, "sets up");
  for (size_t i = 0; i < end; i++) {
    const struct result_step *step = &finding->steps.at[i];
    if (step->op != OP_CREATE)
      continue;
    text_print(&words, "%s", before);
    thread_text(&words, finding, step->target);
    before = ", ";
  }
  schedule_summary(p, finding, 0, end - 1, &words, widths);
  VEC_FREE(words);
}

/* ---- steps of one kind after each other ---------------------------------- */

enum { FEWEST_ALIKE = 4 };

static bool is_alike(const struct result_step *a, const struct result_step *b) {
  return a->proc == b->proc && a->op == b->op && op_has_value(a->op) &&
         a->place.line == b->place.line &&
         !strcmp(function_text(&a->place), function_text(&b->place));
}

/* The last of the shown steps from here on, without others between them, that
 * are of one kind; `count` is their number. */
static size_t last_alike(const struct result_finding *finding, size_t first,
                         size_t *count) {
  const struct result_step *steps = finding->steps.at;
  size_t last = first;
  *count = 1;
  for (size_t i = first + 1; i < finding->steps.size; i++) {
    if (!steps[i].shown)
      continue;
    if (!is_alike(&steps[first], &steps[i]) || finding->critical == i + 1)
      break;
    last = i;
    ++*count;
  }
  return last;
}

/* The character that a value is: "104 'h'". */
static char character_of(const struct result_step *step) {
  const char *quote = step->value ? strchr(step->value, '\'') : 0;
  return quote ? quote[1] : 0;
}

/* The bytes of a string, if the steps are that. */
static void add_string(struct text *to, const struct result_finding *finding,
                       size_t first, size_t last) {
  struct text string = {0};
  for (size_t i = first; i <= last; i++)
    if (finding->steps.at[i].shown && character_of(&finding->steps.at[i]))
      VEC_PUSH(string, character_of(&finding->steps.at[i]));
  if (string.size + 1 >= FEWEST_ALIKE)
    text_print(to, ": \"%.*s\"", (int)string.size, string.at);
  VEC_FREE(string);
}

/* Of many such steps the first and the last one are shown. */
static void print_alike(struct text_printer *p,
                        const struct result_finding *finding, size_t first,
                        size_t last, size_t count,
                        const struct schedule_widths *widths) {
  struct text words = {0};
  text_print(&words, "... %zu more like these", count - 2);
  add_string(&words, finding, first, last);
  schedule_summary(p, finding, first + 1, last - 1, &words, widths);
  VEC_FREE(words);
}

/* ---- the middle of long schedules ---------------------------------------- */

enum { MOST_LINES = 60, FIRST_LINES = 15, LAST_LINES = 30 };

/* A line: one step, or those between two that are like them. */
struct brief_line {
  size_t step;       /* its position */
  size_t last, more; /* `more` > 0: so many steps from the one before it on to
                        before `last` */
};

struct brief_lines {
  VEC(struct brief_line) all;
};

static size_t count_shown(const struct result_finding *finding) {
  size_t count = 0;
  for (size_t i = 0; i < finding->steps.size; i++)
    count += finding->steps.at[i].shown;
  return count;
}

static void find_lines(const struct result_finding *finding, size_t start,
                       struct brief_lines *lines) {
  for (size_t i = start; i < finding->steps.size; i++) {
    if (!finding->steps.at[i].shown)
      continue;
    VEC_PUSH(lines->all, ((struct brief_line){.step = i}));
    size_t count, end = last_alike(finding, i, &count);
    if (count < FEWEST_ALIKE)
      continue;
    VEC_PUSH(lines->all, ((struct brief_line){i, end, count}));
    VEC_PUSH(lines->all, ((struct brief_line){.step = end}));
    i = end;
  }
}

static void print_left_out(struct text_printer *p, size_t lines,
                           const struct schedule_widths *widths) {
  fprintf(p->to, "  %*s   ... %zu more lines like these ...\n", widths->number,
          "", lines);
}

static void print_brief_steps(struct text_printer *p,
                              const struct result_finding *finding,
                              const struct schedule_widths *widths) {
  struct brief_lines lines = {0};
  size_t start = set_up(finding);
  uint32_t last = finding->steps.at[0].proc;
  print_set_up(p, finding, start, widths);
  find_lines(finding, start, &lines);
  size_t count = lines.all.size;
  for (size_t i = 0; i < count; i++) {
    if (i == FIRST_LINES && count > MOST_LINES) {
      print_left_out(p, count - FIRST_LINES - LAST_LINES, widths);
      i = count - LAST_LINES;
      last = finding->steps.at[lines.all.at[i - 1].step].proc;
    }
    const struct brief_line *line = &lines.all.at[i];
    uint32_t proc = finding->steps.at[line->step].proc;
    if (line->more)
      print_alike(p, finding, line->step, line->last, line->more, widths);
    else
      brief_step(p, finding, line->step, proc != last, widths);
    last = proc;
  }
  VEC_FREE(lines.all);
}

static void print_critical(struct text_printer *p,
                           const struct result_finding *finding) {
  if (finding->critical)
    fputs("\n  * the critical step: before it other schedules end well, after "
          "it none that was tried\n",
          p->to);
}

/* ---- where the threads stand --------------------------------------------- */

static void print_thread_end(struct text_printer *p,
                             const struct result_finding *finding,
                             const struct result_thread *thread, int width) {
  struct text name = {0}, line = {0}, stack = {0};
  thread_text(&name, finding, thread->proc);
  stand_words(&line, finding, thread);
  stand_stack(&stack, thread);
  fputs("    ", p->to);
  text_thread_color(p, thread->proc);
  fprintf(p->to, "%-*.*s", width, (int)name.size, name.at);
  text_color(p, PLAIN);
  fprintf(p->to, "  %.*s\n", (int)line.size, line.at);
  if (stack.size)
    fprintf(p->to, "    %*s  in %.*s\n", width, "", (int)stack.size, stack.at);
  VEC_FREE(name);
  VEC_FREE(line);
  VEC_FREE(stack);
}

/* Of the names of all threads. */
static int names_width(const struct result_finding *finding) {
  size_t width = 0;
  struct text name = {0};
  for (size_t i = 0; i < finding->threads.size; i++) {
    name.size = 0;
    thread_text(&name, finding, finding->threads.at[i].proc);
    width = name.size > width ? name.size : width;
  }
  VEC_FREE(name);
  return (int)width;
}

enum { MOST_ENDED = 2 }; /* threads that have a line of their own */

static size_t count_ended(const struct result_finding *finding) {
  size_t count = 0;
  for (size_t i = 0; i < finding->threads.size; i++)
    count += finding->threads.at[i].end == THREAD_END_ENDED;
  return count;
}

/* All that have ended, in one line. */
static void print_ended(struct text_printer *p,
                        const struct result_finding *finding) {
  struct text line = {0};
  for (size_t i = 0; i < finding->threads.size; i++) {
    if (finding->threads.at[i].end != THREAD_END_ENDED)
      continue;
    text_print(&line, "%s", line.size ? ", " : "");
    thread_text(&line, finding, finding->threads.at[i].proc);
  }
  fprintf(p->to, "    %.*s have ended\n", (int)line.size, line.at);
  VEC_FREE(line);
}

static void print_ends(struct text_printer *p,
                       const struct result_finding *finding) {
  bool known = false, together = count_ended(finding) > MOST_ENDED;
  int width = names_width(finding);
  for (size_t i = 0; i < finding->threads.size; i++)
    known |= finding->threads.at[i].end != THREAD_END_UNKNOWN;
  if (!known)
    return;
  fputs("\n  at the end:\n", p->to);
  for (size_t i = 0; i < finding->threads.size; i++) {
    const struct result_thread *thread = &finding->threads.at[i];
    if (thread->end != THREAD_END_UNKNOWN &&
        (thread->end != THREAD_END_ENDED || !together))
      print_thread_end(p, finding, thread, width);
  }
  if (together)
    print_ended(p, finding);
}

/* ---- heap objects -------------------------------------------------------- */

/* Does the text name the object, and not one with a longer number? */
static bool names(const char *text, const char *object) {
  size_t length = strlen(object);
  for (const char *at = text; at && (at = strstr(at, object)); at += length)
    if (at[length] < '0' || at[length] > '9')
      return true;
  return false;
}

static bool is_named(const struct result_finding *finding,
                     const struct result_object *object) {
  if (names(finding->message, object->name))
    return true;
  for (size_t i = 0; i < finding->steps.size; i++) {
    const struct result_step *step = &finding->steps.at[i];
    if (step->shown &&
        ((step->several && names(step->object, object->name)) ||
         names(step->variable, object->name) ||
         names(step->value, object->name) || names(step->before, object->name)))
      return true;
  }
  for (size_t i = 0; i < finding->threads.size; i++)
    if (names(finding->threads.at[i].waits, object->name))
      return true;
  return false;
}

/* The named object with this number, counted from 0 on; NULL: there are fewer.
 */
static const struct result_object *
named_object(const struct result_finding *finding, size_t nth) {
  for (size_t i = 0; i < finding->objects.size; i++)
    if (is_named(finding, &finding->objects.at[i]) && nth-- == 0)
      return &finding->objects.at[i];
  return 0;
}

static bool same_allocation(const struct result_object *a,
                            const struct result_object *b) {
  return a && b && a->size == b->size && a->place.line == b->place.line &&
         a->place.file == b->place.file;
}

/* Those of one kind in one line. */
static void print_objects(struct text_printer *p,
                          const struct result_finding *finding) {
  enum { MOST = 8 };
  const struct result_object *object, *next;
  struct text line = {0};
  for (size_t i = 0; i < MOST && (object = named_object(finding, i)); i++) {
    next = named_object(finding, i + 1);
    text_print(&line, "%s%s", line.size ? ", " : "    ", object->name);
    if (i + 1 < MOST && same_allocation(object, next))
      continue;
    text_print(&line, ": %" PRIu64 " byte%s allocated at ", object->size,
               object->size == 1 ? "" : "s");
    place_text(&line, &object->place);
    fprintf(p->to, "%.*s\n", (int)line.size, line.at);
    line.size = 0;
  }
  VEC_FREE(line);
}

/* ---- all of it ----------------------------------------------------------- */

static void print_hidden(struct text_printer *p,
                         const struct result_finding *finding) {
  size_t shown = count_shown(finding);
  if (shown < finding->steps.size)
    fprintf(p->to, "\n  %zu of %zu steps are shown; --full shows all\n", shown,
            finding->steps.size);
}

/* Of "12-345", if there can be such. */
static int numbers_width(const struct result_finding *finding) {
  struct text text = {0};
  text_print(&text, "%zu", VEC_TOP(finding->steps).number);
  int width = (int)(2 * text.size + 1);
  VEC_FREE(text);
  return width;
}

void brief_text(struct text_printer *p, const struct result_finding *finding) {
  if (!finding->steps.size)
    return;
  struct schedule_widths widths = schedule_measure(finding, true);
  if (widths.number < numbers_width(finding))
    widths.number = numbers_width(finding);
  schedule_head(p, &widths);
  print_brief_steps(p, finding, &widths);
  print_critical(p, finding);
  print_ends(p, finding);
  if (named_object(finding, 0))
    fputc('\n', p->to);
  print_objects(p, finding);
  print_hidden(p, finding);
}

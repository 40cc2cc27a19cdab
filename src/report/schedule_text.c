/* The schedule with all its steps. */
#include <string.h>

#include "report/text_printer.h"

static void widen(int *width, size_t length) {
  /* A path that is longer than this pushes its own line only. */
  enum { WIDEST = 40 };
  if ((int)length > *width && length <= WIDEST)
    *width = (int)length;
}

struct schedule_widths schedule_measure(const struct result_finding *finding,
                                        bool shown) {
  struct schedule_widths widths = {4, 6, 8, 0};
  struct text text = {0};
  for (size_t i = 0; i < finding->steps.size; i++) {
    const struct result_step *step = &finding->steps.at[i];
    if (shown && !step->shown)
      continue;
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

void schedule_line(struct text_printer *p, const struct result_finding *finding,
                   size_t i, const char *mark, const struct text *words,
                   const struct schedule_widths *widths) {
  const struct result_step *step = &finding->steps.at[i];
  struct text thread = {0}, place = {0};
  thread_text(&thread, finding, step->proc);
  place_text(&place, &step->place);
  print_number(p, step, widths->number);
  fprintf(p->to, "%s ", mark);
  text_thread_color(p, step->proc);
  fprintf(p->to, "%-*.*s", widths->thread, (int)thread.size, thread.at);
  text_color(p, PLAIN);
  fprintf(p->to, "  %-*s  ", widths->function, function_text(&step->place));
  text_color(p, DIM);
  fprintf(p->to, "%-*.*s", widths->place, (int)place.size, place.at);
  text_color(p, PLAIN);
  fprintf(p->to, "  %.*s\n", (int)words->size, words->at);
  VEC_FREE(thread);
  VEC_FREE(place);
}

void schedule_summary(struct text_printer *p,
                      const struct result_finding *finding, size_t first,
                      size_t last, const struct text *words,
                      const struct schedule_widths *widths) {
  const struct result_step *step = &finding->steps.at[last];
  struct text number = {0}, thread = {0};
  if (finding->steps.at[first].number < step->number)
    text_print(&number, "%zu-", finding->steps.at[first].number);
  text_print(&number, "%zu", step->number);
  thread_text(&thread, finding, step->proc);
  fprintf(p->to, "  %*s   ", widths->number, text_string(&number));
  text_thread_color(p, step->proc);
  fprintf(p->to, "%-*.*s", widths->thread, (int)thread.size, thread.at);
  text_color(p, PLAIN);
  fprintf(p->to, "  %*s  %*s  %.*s\n", widths->function, "", widths->place, "",
          (int)words->size, words->at);
  VEC_FREE(number);
  VEC_FREE(thread);
}

static void print_step(struct text_printer *p,
                       const struct result_finding *finding, size_t i,
                       const struct schedule_widths *widths) {
  const struct result_step *step = &finding->steps.at[i];
  bool switched = i && step[-1].proc != step->proc;
  struct text words = {0};
  op_text_full(&words, finding, step);
  schedule_line(p, finding, i, switched ? " >" : "  ", &words, widths);
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
                         const struct schedule_widths *widths) {
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
                        size_t end, const struct schedule_widths *widths) {
  for (size_t i = from; i < end; i++)
    print_step(p, finding, i, widths);
}

static void print_all_steps(struct text_printer *p,
                            const struct result_finding *finding,
                            const struct schedule_widths *widths) {
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

void schedule_head(struct text_printer *p,
                   const struct schedule_widths *widths) {
  fprintf(p->to, "\n  %*s   %-*s  %-*s  %-*s  operation\n", widths->number,
          "step", widths->thread, "thread", widths->function, "function",
          widths->place, "place");
}

void schedule_text(struct text_printer *p,
                   const struct result_finding *finding) {
  if (!finding->steps.size)
    return;
  struct schedule_widths widths = schedule_measure(finding, false);
  schedule_head(p, &widths);
  print_all_steps(p, finding, &widths);
}

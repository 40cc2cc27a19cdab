/* What the parts of a text report share. */
#ifndef REPORT_TEXT_PRINTER_H
#define REPORT_TEXT_PRINTER_H

#include "report/result.h"

#define RED "\033[1;31m"
#define GREEN "\033[1;32m"
#define YELLOW "\033[1;33m"
#define DIM "\033[2m"
#define PLAIN "\033[0m"

struct text_printer {
  FILE *to;
  struct text_style style;
};

void text_color(struct text_printer *, const char *code);
/* Each thread has its own colour; they come round again. */
void text_thread_color(struct text_printer *, uint32_t proc);

/* "account.c:31", or what is known of it. */
void place_text(struct text *, const struct source_place *);
const char *function_text(const struct source_place *);

/* ---- schedule_text.c ----------------------------------------------------- */

struct schedule_widths {
  int number, thread, function, place;
};

/* Of the columns of all steps, or of those that are shown. */
struct schedule_widths schedule_measure(const struct result_finding *,
                                        bool shown);
void schedule_head(struct text_printer *, const struct schedule_widths *);
/* One line.  The mark, two characters, stands behind the step's number. */
void schedule_line(struct text_printer *, const struct result_finding *,
                   size_t step, const char *mark, const struct text *words,
                   const struct schedule_widths *);
/* The same for steps of one thread up to this one, with no place. */
void schedule_summary(struct text_printer *, const struct result_finding *,
                      size_t first, size_t last, const struct text *words,
                      const struct schedule_widths *);

/* Every step. */
void schedule_text(struct text_printer *, const struct result_finding *);

/* ---- brief_text.c -------------------------------------------------------- */

/* The steps that matter; where the threads stand. */
void brief_text(struct text_printer *, const struct result_finding *);

#endif

#include "report/text_printer.h"

void text_color(struct text_printer *p, const char *code) {
  if (p->style.color)
    fputs(code, p->to);
}

void text_thread_color(struct text_printer *p, uint32_t proc) {
  if (p->style.color)
    fprintf(p->to, "\033[%um", 32 + proc % 5);
}

void place_text(struct text *to, const struct source_place *place) {
  if (place->file && place->line)
    text_print(to, "%s:%u", place->file, place->line);
  else if (place->file)
    text_print(to, "%s", place->file);
  else
    text_print(to, "?");
}

const char *function_text(const struct source_place *place) {
  return place->function ? place->function : "?";
}

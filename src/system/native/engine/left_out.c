/* What was not explored, apart from the explorer's own limits: texts for the
 * report. */
#include <stdarg.h>
#include <string.h>

#include "engine.h"

enum { MOST_TOLD = 8 }; /* enough for a report */

/* keep */
static struct {
  unsigned count;
  char text[MOST_TOLD][192];
} told;

static bool is_told(const char *text) {
  for (unsigned i = 0; i < told.count; i++)
    if (!strcmp(told.text[i], text))
      return true;
  return told.count == MOST_TOLD;
}

void left_out(const char *format, ...) {
  char text[sizeof *told.text];
  va_list arguments;
  va_start(arguments, format);
  real_vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!is_told(text))
    strcpy(told.text[told.count++], text);
}

const char *left_out_text(unsigned i) {
  return i < told.count ? told.text[i] : NULL;
}

void left_out_forget(void) {
  told.count = 0;
}

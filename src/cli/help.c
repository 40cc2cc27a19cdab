#include "cli/help.h"

#include <string.h>

enum { COLUMN = 29, WIDTH = 80 - COLUMN };

/* Breaks the text between words where the line would be too long. */
static void print_wrapped(FILE *to, const char *text) {
  while (strlen(text) > WIDTH) {
    int length = WIDTH;
    while (length > 1 && text[length] != ' ')
      length--;
    fprintf(to, "%.*s\n%*s", length, text, COLUMN, "");
    text += length + (text[length] == ' ');
  }
  fprintf(to, "%s\n", text);
}

static void print_row(FILE *to, const char *left, const char *right) {
  if (strlen(left) >= COLUMN)
    fprintf(to, "%s\n%*s", left, COLUMN, "");
  else
    fprintf(to, "%-*s", COLUMN, left);
  print_wrapped(to, right);
}

static void help_option(FILE *to, const struct setting *s) {
  char left[64], right[256], room[SETTING_TEXT_SIZE];
  const char *initial = setting_initial(s, room);
  snprintf(left, sizeof left, "  --%s%s%s", s->name, s->argument ? "=" : "",
           s->argument ? s->argument : "");
  snprintf(right, sizeof right, "%s%s%s%s", s->help,
           initial ? " (default: " : "", initial ? initial : "",
           initial ? ")" : "");
  print_row(to, left, right);
}

void help_options(FILE *to, const struct setting_list *list) {
  for (size_t i = 0; i < list->count; i++)
    help_option(to, &list->at[i]);
}

void help_name(FILE *to, const char *name, const char *help) {
  char left[64];
  snprintf(left, sizeof left, "  %s", name);
  print_row(to, left, help);
}

#include "util/lines.h"

#include <stddef.h>
#include <string.h>

bool lines_text_add(struct lines_text *l, const char *text) {
  size_t used = strlen(l->at), size = strlen(text);
  if (used + size + 2 > sizeof l->at)
    return false;
  memcpy(l->at + used, text, size);
  l->at[used + size] = '\n';
  l->at[used + size + 1] = 0;
  return true;
}

const char *lines_text_next(const char *at, char line[LINES_MOST]) {
  size_t size = 0;
  if (!*at)
    return NULL;
  for (; at[size] && at[size] != '\n'; size++)
    line[size] = at[size];
  line[size] = 0;
  return at + size + (at[size] == '\n');
}

#include "util/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/ensure.h"
#include "util/vec.h"

void text_add(struct text *text, const void *bytes, size_t length) {
  VEC_RESERVE(*text, length);
  if (length)
    memcpy(text->at + text->size, bytes, length);
  text->size += length;
}

/* The first call finds the length.  If there is room, it has printed, too. */
static void print(struct text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  size_t room = text->capacity - text->size;
  int length =
      vsnprintf(room ? text->at + text->size : NULL, room, format, arguments);
  ensure(length >= 0);
  if ((size_t)length >= room) {
    room = (size_t)length + 1; /* vsnprintf puts a 0 behind it */
    VEC_RESERVE(*text, room);
    vsnprintf(text->at + text->size, room, format, again);
  }
  va_end(again);
  text->size += (size_t)length;
}

void text_print(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print(text, format, arguments);
  va_end(arguments);
}

char *text_string(struct text *text) {
  VEC_RESERVE(*text, 1);
  text->at[text->size] = 0;
  return text->at;
}

char *text_take(struct text *text) {
  char *string = text_string(text);
  *text = (struct text){0};
  return string;
}

char *text_format(const char *format, ...) {
  struct text text = {0};
  va_list arguments;
  va_start(arguments, format);
  print(&text, format, arguments);
  va_end(arguments);
  return text_take(&text);
}

bool starts_with(const char *string, const char *prefix) {
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool ends_with(const char *string, const char *suffix) {
  size_t length = strlen(string), wanted = strlen(suffix);
  return length >= wanted && !strcmp(string + length - wanted, suffix);
}

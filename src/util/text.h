/* Strings. */
#ifndef UTIL_TEXT_H
#define UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A string that grows: at[0 .. size-1], no 0 behind it.  All zero is an empty
 * one.  A VEC of char: VEC_PUSH, VEC_RESERVE and VEC_FREE work, too. */
struct text {
  char *at;
  size_t size;
  size_t capacity;
};

void text_add(struct text *, const void *bytes, size_t length);
void text_print(struct text *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The text with a 0 behind it; valid until it is changed. */
char *text_string(struct text *);
/* The text as a string on the heap; the text is empty again. */
char *text_take(struct text *);

/* A new string on the heap. */
char *text_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

bool starts_with(const char *string, const char *prefix);
bool ends_with(const char *string, const char *suffix);

#endif

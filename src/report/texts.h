/* Strings that are all given back at once. */
#ifndef REPORT_TEXTS_H
#define REPORT_TEXTS_H

#include <stddef.h>

#include "util/vec.h"

struct texts {
  VEC(char *) all;
};

/* A copy with a NUL behind it. */
char *texts_copy(struct texts *, const char *, size_t length);
char *texts_format(struct texts *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void texts_free(struct texts *);

/* A string that grows: at[0 .. size-1], no NUL. */
struct text {
  char *at;
  size_t size;
  size_t capacity;
};

void text_add(struct text *, const char *, size_t length);
void text_print(struct text *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

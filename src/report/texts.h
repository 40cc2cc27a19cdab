/* Strings that are freed together. */
#ifndef REPORT_TEXTS_H
#define REPORT_TEXTS_H

#include <stddef.h>

#include "util/text.h"
#include "util/vec.h"

struct texts {
  VEC(char *) all;
};

/* A copy with a NUL behind it. */
char *texts_copy(struct texts *, const char *, size_t length);
char *texts_format(struct texts *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void texts_free(struct texts *);

/* Adds a word of a command line, quoted where a shell needs it.  One that
 * begins with a dash becomes a path. */
void text_shell_word(struct text *, const char *word);

#endif

/* Lines of text of a limited size, in one piece of memory. */
#ifndef UTIL_LINES_H
#define UTIL_LINES_H

#include <stdbool.h>

enum { LINES_MOST = 1024 };

struct lines_text {
  char at[LINES_MOST]; /* each line with its end, then a zero */
};

/* Adds lines; false if there is no room. */
bool lines_text_add(struct lines_text *, const char *);

/* The line that begins here, without its end: copies it and returns where the
 * next one begins; NULL: there is none. */
const char *lines_text_next(const char *at, char line[LINES_MOST]);

#endif

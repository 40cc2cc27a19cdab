/* The calendar: dates from times, and text from dates.
 *
 * The time zone is UTC, whatever the machine's.  Functions that return a
 * variable of the C library's own return one of the runtime: that is memory of
 * the program like any other, and two threads that use it race. */
#define _GNU_SOURCE
#include "libc.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* prog: as in glibc, gmtime and localtime share one variable, asctime and ctime
 * another. */
PROG static struct tm date;
PROG static char date_text[32];

/* ---- dates --------------------------------------------------------------- */

/* The C library copies what lies on its stack to the bytes between members:
 * another value each time. */
static void clear_padding(struct tm *of) {
  char *from = (char *)(&of->tm_isdst + 1);
  memset(from, 0, (size_t)((char *)&of->tm_gmtoff - from));
}

static struct tm *date_of(const time_t *time, struct tm *to, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_overwrite(&e, to, sizeof *to);
  libcall_read(&e, time, sizeof *time);
  libcall_announce(&e);
  foreign_enter();
  struct tm *result = REAL(gmtime_r)(time, to);
  foreign_leave();
  clear_padding(to);
  return result;
}

INTERPOSED struct tm *gmtime_r(const time_t *time, struct tm *to) {
  return date_of(time, to, CALLER);
}

INTERPOSED struct tm *localtime_r(const time_t *time, struct tm *to) {
  return date_of(time, to, CALLER);
}

INTERPOSED struct tm *gmtime(const time_t *time) {
  return date_of(time, &date, CALLER);
}

INTERPOSED struct tm *localtime(const time_t *time) {
  return date_of(time, &date, CALLER);
}

/* The date is made valid on the way: 32 January becomes 1 February. */
static time_t time_of(struct tm *from, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_write(&e, from, sizeof *from);
  libcall_read(&e, from, sizeof *from);
  libcall_announce(&e);
  foreign_enter();
  time_t result = REAL(timegm)(from);
  foreign_leave();
  clear_padding(from);
  return result;
}

INTERPOSED time_t mktime(struct tm *from) {
  return time_of(from, CALLER);
}

INTERPOSED time_t timegm(struct tm *from) {
  return time_of(from, CALLER);
}

INTERPOSED time_t timelocal(struct tm *from) {
  return time_of(from, CALLER);
}

INTERPOSED void tzset(void) {}

/* ---- text ---------------------------------------------------------------- */

static void announce_text(struct libcall *e, const void *from, size_t size,
                          char *to, uint64_t pc) {
  libcall_begin(e, OP_COPY, pc);
  libcall_begin_write(e, to);
  libcall_read(e, from, size);
  libcall_announce(e);
}

static char *store_text(const struct libcall *e, const struct tm *from,
                        char *to) {
  char text[sizeof date_text];
  foreign_enter();
  char *result = REAL(asctime_r)(from, text);
  foreign_leave();
  if (!result)
    return NULL;
  touches(e, to, strlen(text) + 1);
  return strcpy(to, text);
}

static char *text_of(const struct tm *from, char *to, uint64_t pc) {
  struct libcall e;
  announce_text(&e, from, sizeof *from, to, pc);
  return store_text(&e, from, to);
}

static char *text_of_time(const time_t *time, char *to, uint64_t pc) {
  struct libcall e;
  struct tm now;
  announce_text(&e, time, sizeof *time, to, pc);
  foreign_enter();
  bool valid = REAL(gmtime_r)(time, &now);
  foreign_leave();
  return valid ? store_text(&e, &now, to) : NULL;
}

INTERPOSED char *asctime_r(const struct tm *from, char *to) {
  return text_of(from, to, CALLER);
}

INTERPOSED char *asctime(const struct tm *from) {
  return text_of(from, date_text, CALLER);
}

INTERPOSED char *ctime_r(const time_t *time, char *to) {
  return text_of_time(time, to, CALLER);
}

INTERPOSED char *ctime(const time_t *time) {
  return text_of_time(time, date_text, CALLER);
}

/* The text goes to a buffer first: how long it is is known only then. */
INTERPOSED size_t strftime(char *to, size_t size, const char *format,
                           const struct tm *from) {
  static char *text; /* keep */
  struct libcall e;
  libcall_begin(&e, OP_COPY, CALLER);
  if (size)
    libcall_begin_write(&e, to);
  libcall_string(&e, format, SIZE_MAX);
  libcall_read(&e, from, sizeof *from);
  libcall_announce(&e);
  touched(&e, format, string_length(format, SIZE_MAX) + 1);
  text = realloc(text, size + 1);
  foreign_enter();
  size_t length = text ? REAL(strftime)(text, size, format, from) : 0;
  foreign_leave();
  if (length) {
    touches(&e, to, length + 1);
    memcpy(to, text, length + 1);
  }
  return length;
}

INTERPOSED char *strptime(const char *text, const char *format, struct tm *to) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_write(&e, to, sizeof *to);
  libcall_read(&e, to, sizeof *to);
  libcall_string(&e, text, SIZE_MAX);
  libcall_string(&e, format, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, text, string_length(text, SIZE_MAX) + 1);
  touched(&e, format, string_length(format, SIZE_MAX) + 1);
  foreign_enter();
  char *end = REAL(strptime)(text, format, to);
  foreign_leave();
  return end;
}

/* Parts of paths, translations of messages, numbers in parts: functions that
 * keep nothing. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include <errno.h>
#include <fnmatch.h>
#include <gnu/libc-version.h>
#include <langinfo.h>
#include <libintl.h>
#include <math.h>
#include <string.h>

#include "libc.h"

#undef gettext
#undef dgettext
#undef dcgettext
#undef ngettext
#undef dngettext
#undef dcngettext
#undef textdomain
#undef bindtextdomain
#undef bind_textdomain_codeset

#define UNUSED __attribute__((unused))

/* ---- paths --------------------------------------------------------------- */

static void announce_path(struct libcall *e, const char *path, uint64_t pc) {
  libcall_begin(e, OP_SCAN, pc);
  libcall_string(e, path, SIZE_MAX);
  libcall_announce(e);
  touched(e, path, string_length(path, SIZE_MAX) + 1);
}

static char *dot(void) {
  static char text[] = "."; /* keep: never changed by programs that are right */
  return text;
}

char *gnu_basename(const char *) __asm__("basename");
INTERPOSED char *gnu_basename(const char *path) {
  struct libcall e;
  announce_path(&e, path, CALLER);
  const char *last = path;
  for (const char *c = path; *c; c++)
    if (*c == '/')
      last = c + 1;
  return (char *)(uintptr_t)last;
}

/* Cuts the path at this length, in the step. */
static void cut(const struct libcall *e, char *path, size_t length) {
  if (!path[length])
    return;
  touches(e, path + length, 1);
  path[length] = 0;
}

static size_t without_slashes(const char *path, size_t length) {
  while (length > 1 && path[length - 1] == '/')
    length--;
  return length;
}

INTERPOSED char *__xpg_basename(char *);
INTERPOSED char *__xpg_basename(char *path) {
  struct libcall e;
  if (!path)
    return dot();
  announce_path(&e, path, CALLER);
  if (!*path)
    return dot();
  size_t length = without_slashes(path, strlen(path)), from = length;
  cut(&e, path, length);
  while (from && path[from - 1] != '/')
    from--;
  return length == 1 ? path : path + from;
}

INTERPOSED char *dirname(char *);
INTERPOSED char *dirname(char *path) {
  struct libcall e;
  if (!path)
    return dot();
  announce_path(&e, path, CALLER);
  size_t length = strlen(path), end = without_slashes(path, length);
  if (end > 1 || *path != '/') /* not only slashes */
    length = end;
  while (length && path[length - 1] != '/')
    length--;
  if (!length)
    return dot();
  end = without_slashes(path, length);
  if (end == 1 && *path == '/' && length == 2)
    end = 2; /* two slashes mean something else in some systems */
  cut(&e, path, end);
  return path;
}

INTERPOSED int fnmatch(const char *pattern, const char *text, int flags) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_string(&e, pattern, SIZE_MAX);
  libcall_string(&e, text, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, pattern, string_length(pattern, SIZE_MAX) + 1);
  touched(&e, text, string_length(text, SIZE_MAX) + 1);
  foreign_enter();
  int result = REAL(fnmatch)(pattern, text, flags);
  foreign_leave();
  return result;
}

/* ---- messages: there is only the locale "C" ------------------------------ */

static char *same(const char *text) {
  return (char *)(uintptr_t)text;
}

INTERPOSED char *gettext(const char *text) {
  return same(text);
}

INTERPOSED char *dgettext(const char *domain UNUSED, const char *text) {
  return same(text);
}

INTERPOSED char *dcgettext(const char *domain UNUSED, const char *text,
                           int category UNUSED) {
  return same(text);
}

INTERPOSED char *ngettext(const char *one, const char *many, unsigned long n) {
  return same(n == 1 ? one : many);
}

INTERPOSED char *dngettext(const char *domain UNUSED, const char *one,
                           const char *many, unsigned long n) {
  return same(n == 1 ? one : many);
}

INTERPOSED char *dcngettext(const char *domain UNUSED, const char *one,
                            const char *many, unsigned long n,
                            int category UNUSED) {
  return same(n == 1 ? one : many);
}

INTERPOSED char *textdomain(const char *domain) {
  return same(domain ? domain : "messages");
}

INTERPOSED char *bindtextdomain(const char *domain UNUSED, const char *folder) {
  return same(folder ? folder : "/usr/share/locale");
}

INTERPOSED char *bind_textdomain_codeset(const char *domain UNUSED,
                                         const char *codeset) {
  return same(codeset);
}

INTERPOSED char *nl_langinfo(nl_item item) {
  return REAL(nl_langinfo)(item);
}

INTERPOSED const char *gnu_get_libc_version(void) {
  return "2.36";
}

/* ---- numbers in two parts ------------------------------------------------ */

#define STORE(to, value)                     \
  do {                                       \
    struct libcall e;                        \
    libcall_begin(&e, OP_SET, CALLER);       \
    libcall_overwrite(&e, to, sizeof *(to)); \
    libcall_announce(&e);                    \
    *(to) = (value);                         \
  } while (0)

/* Those that libc itself has: of libm's the linker may leave out the library if
 * the runtime has the names. */
#define IN_PARTS(type, suffix)                           \
  INTERPOSED type frexp##suffix(type x, int *exponent) { \
    int part;                                            \
    type result = REAL(frexp##suffix)(x, &part);         \
    STORE(exponent, part);                               \
    return result;                                       \
  }                                                      \
  INTERPOSED type modf##suffix(type x, type *whole) {    \
    type part, result = REAL(modf##suffix)(x, &part);    \
    STORE(whole, part);                                  \
    return result;                                       \
  }

IN_PARTS(double, )
IN_PARTS(float, f)
IN_PARTS(long double, l)

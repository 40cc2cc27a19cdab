/* Numbers from strings: strtol, strtod, atoi and their families. */
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>

/* Announces the string, and the variable for the end of the number. */
static void number_begin(struct libcall *e, const char *s, char **end,
                         uint64_t pc) {
  libcall_begin(e, OP_SCAN, pc);
  libcall_string(e, s, SIZE_MAX);
  if (end)
    libcall_write(e, end, sizeof *end);
  libcall_announce(e);
  foreign_enter();
}

/* May the parser have looked beyond this character, which comes after the
 * number ("0x", "1e+", "infinit")? */
static bool is_suspect(unsigned char c) {
  return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
         c == '.' || c == '+' || c == '-' || c == '(';
}

/* The bytes read end with the first byte after the number.  If the parser may
 * have looked further, or found no number, the whole string counts as read: a
 * footprint that is too large is never wrong. */
static void number_end(const struct libcall *e, const char *s, char *stop,
                       char **end) {
  foreign_leave();
  if (!stop) /* a base that does not exist: the string is not looked at */
    return;
  if (stop == s || is_suspect((unsigned char)*stop))
    touched(e, s, string_length(s, SIZE_MAX) + 1);
  else
    touched(e, s, (size_t)(stop - s) + 1);
  if (end)
    *end = stop;
}

#define INTEGER(type, name, real)                             \
  type name(const char *, char **, int);                      \
  INTERPOSED type name(const char *s, char **end, int base) { \
    struct libcall e;                                         \
    char *stop = NULL;                                        \
    number_begin(&e, s, end, CALLER);                         \
    type value = REAL(real)(s, &stop, base);                  \
    number_end(&e, s, stop, end);                             \
    return value;                                             \
  }

INTEGER(long, strtol, strtol)
INTEGER(long long, strtoll, strtoll)
INTEGER(unsigned long, strtoul, strtoul)
INTEGER(unsigned long long, strtoull, strtoull)
INTEGER(intmax_t, strtoimax, strtol)
INTEGER(uintmax_t, strtoumax, strtoul)

/* The names in glibc from 2.38 on. */
INTEGER(long, __isoc23_strtol, strtol)
INTEGER(long long, __isoc23_strtoll, strtoll)
INTEGER(unsigned long, __isoc23_strtoul, strtoul)
INTEGER(unsigned long long, __isoc23_strtoull, strtoull)

#define FLOATING(type, name)                        \
  INTERPOSED type name(const char *s, char **end) { \
    struct libcall e;                               \
    char *stop;                                     \
    number_begin(&e, s, end, CALLER);               \
    type value = REAL(name)(s, &stop);              \
    number_end(&e, s, stop, end);                   \
    return value;                                   \
  }

FLOATING(double, strtod)
FLOATING(float, strtof)
FLOATING(long double, strtold)

/* There is only the locale "C". */
#define INTEGER_L(type, name, real)                                            \
  type name(const char *, char **, int, locale_t);                             \
  INTERPOSED type name(const char *s, char **end, int base, locale_t locale) { \
    struct libcall e;                                                          \
    char *stop = NULL;                                                         \
    (void)locale;                                                              \
    number_begin(&e, s, end, CALLER);                                          \
    type value = REAL(real)(s, &stop, base);                                   \
    number_end(&e, s, stop, end);                                              \
    return value;                                                              \
  }

INTEGER_L(long, strtol_l, strtol)
INTEGER_L(long long, strtoll_l, strtoll)
INTEGER_L(unsigned long, strtoul_l, strtoul)
INTEGER_L(unsigned long long, strtoull_l, strtoull)

#define FLOATING_L(type, name, real)                                 \
  type name(const char *, char **, locale_t);                        \
  INTERPOSED type name(const char *s, char **end, locale_t locale) { \
    struct libcall e;                                                \
    char *stop;                                                      \
    (void)locale;                                                    \
    number_begin(&e, s, end, CALLER);                                \
    type value = REAL(real)(s, &stop);                               \
    number_end(&e, s, stop, end);                                    \
    return value;                                                    \
  }

FLOATING_L(double, strtod_l, strtod)
FLOATING_L(float, strtof_l, strtof)
FLOATING_L(long double, strtold_l, strtold)

#define DECIMAL(type, name, real)                \
  INTERPOSED type name(const char *s) {          \
    struct libcall e;                            \
    char *stop;                                  \
    number_begin(&e, s, NULL, CALLER);           \
    type value = (type)REAL(real)(s, &stop, 10); \
    number_end(&e, s, stop, NULL);               \
    return value;                                \
  }

DECIMAL(int, atoi, strtol)
DECIMAL(long, atol, strtol)
DECIMAL(long long, atoll, strtoll)

INTERPOSED double atof(const char *s) {
  struct libcall e;
  char *stop;
  number_begin(&e, s, NULL, CALLER);
  double value = REAL(strtod)(s, &stop);
  number_end(&e, s, stop, NULL);
  return value;
}

/* libc's functions that the runtime both interposes and uses.
 *
 * The executable's definition hides that of the shared library, which is the
 * next one in the search order.  It is looked up at the first call.
 */
#define _GNU_SOURCE
#include "real.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "system/native/engine/native.h"
#include "util/ensure.h"

/* Finds the function once; keep. */
#define REAL(pointer, name)                     \
  do {                                          \
    if (__builtin_expect(!(pointer), 0)) {      \
      *(void **)&(pointer) = real_lookup(name); \
      ensure(pointer);                          \
    }                                           \
  } while (0)

int heddle_real_vsnprintf(char *to, size_t size, const char *format,
                          va_list arguments) {
  static int (*real)(char *, size_t, const char *, va_list);
  REAL(real, "vsnprintf");
  return real(to, size, format, arguments);
}

int real_vsnprintf(char *to, size_t size, const char *format,
                   va_list arguments) {
  return heddle_real_vsnprintf(to, size, format, arguments);
}

int heddle_real_snprintf(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = heddle_real_vsnprintf(to, size, format, arguments);
  va_end(arguments);
  return length;
}

static void write_all(int descriptor, const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = write(descriptor, text, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return; /* the reader is gone: no reason to end the program */
    text += written;
    length -= (size_t)written;
  }
}

/* Writes the text to the descriptor, in one piece if it fits into the
 * buffer. */
int heddle_real_vdprintf(int descriptor, const char *format,
                         va_list arguments) {
  char buffer[1024];
  va_list again;
  va_copy(again, arguments);
  int length = heddle_real_vsnprintf(buffer, sizeof buffer, format, arguments);
  if (length >= (int)sizeof buffer) {
    char *larger = malloc((size_t)length + 1);
    ensure(larger); /* out of memory */
    heddle_real_vsnprintf(larger, (size_t)length + 1, format, again);
    write_all(descriptor, larger, (size_t)length);
    free(larger);
  } else if (length > 0) {
    write_all(descriptor, buffer, (size_t)length);
  }
  va_end(again);
  return length;
}

int heddle_real_dprintf(int descriptor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = heddle_real_vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

void heddle_real_qsort(void *base, size_t count, size_t size,
                       int (*compare)(const void *, const void *)) {
  static void (*real)(void *, size_t, size_t,
                      int (*)(const void *, const void *));
  REAL(real, "qsort");
  real(base, count, size, compare);
}

char *heddle_real_getenv(const char *name) {
  static char *(*real)(const char *);
  REAL(real, "getenv");
  return real(name);
}

int heddle_real_clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  REAL(real, "clock_gettime");
  return real(clock, now);
}

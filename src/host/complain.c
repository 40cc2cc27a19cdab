#include "host/complain.h"

#include <stdarg.h>
#include <stdio.h>

int complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("heddle: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return EXIT_UNCHECKED;
}

/* syslog: what a program logs goes to its standard error stream, which is no
 * outcome. */
#define _GNU_SOURCE
#include "libc.h"

#include <syslog.h>

static void log_list(const char *format, va_list arguments, uint64_t pc) {
  print_list(format, arguments, pc);
  print_error("\n");
}

INTERPOSED void vsyslog(int priority, const char *format, va_list arguments) {
  (void)priority;
  log_list(format, arguments, CALLER);
}

void __vsyslog_chk(int, int, const char *, va_list);
INTERPOSED void __vsyslog_chk(int priority, int flag, const char *format,
                              va_list arguments) {
  (void)priority;
  (void)flag;
  log_list(format, arguments, CALLER);
}

INTERPOSED void syslog(int priority, const char *format, ...) {
  (void)priority;
  va_list arguments;
  va_start(arguments, format);
  log_list(format, arguments, CALLER);
  va_end(arguments);
}

void __syslog_chk(int, int, const char *, ...);
INTERPOSED void __syslog_chk(int priority, int flag, const char *format, ...) {
  (void)priority;
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  log_list(format, arguments, CALLER);
  va_end(arguments);
}

/* What they set does not show. */
INTERPOSED void openlog(const char *name, int options, int facility) {
  (void)name;
  (void)options;
  (void)facility;
}

INTERPOSED void closelog(void) {}

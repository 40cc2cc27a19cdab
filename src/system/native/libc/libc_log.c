/* syslog: what a program logs goes to its standard error stream, which is no
 * outcome. */
#define _GNU_SOURCE
#include "libc.h"

#include <errno.h>
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

/* ---- error --------------------------------------------------------------- */

static void tell_error(int number, const char *file, unsigned line,
                       const char *format, va_list arguments, uint64_t pc) {
  print_error("%s:", program_invocation_short_name);
  if (file)
    print_error("%s:%u:", file, line);
  print_error(" ");
  print_list(format, arguments, pc);
  if (number)
    print_error(": %s", error_text(number) ? error_text(number) : "?");
  print_error("\n");
}

INTERPOSED void error(int, int, const char *, ...);
INTERPOSED void error(int status, int number, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell_error(number, NULL, 0, format, arguments, CALLER);
  va_end(arguments);
  if (status)
    program_exit(status, CALLER);
}

INTERPOSED void error_at_line(int, int, const char *, unsigned, const char *,
                              ...);
INTERPOSED void error_at_line(int status, int number, const char *file,
                              unsigned line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell_error(number, file, line, format, arguments, CALLER);
  va_end(arguments);
  if (status)
    program_exit(status, CALLER);
}

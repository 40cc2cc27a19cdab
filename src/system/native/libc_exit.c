/* How a program ends: exit and its like, and the ways to fail.
 *
 * exit() runs the program's handlers and ends the calling thread.  The other
 * threads run on: whatever they still do could have come before the exit.
 * Threads that wait for something then are no deadlock.
 */
#define _GNU_SOURCE
#include "libc.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine.h"
#include "fingerprint.h"

/* ---- the runtime's own way out (real.map) -------------------------------- */

_Noreturn void heddle_real_exit_now(int status);
_Noreturn void heddle_real_exit_now(int status) {
  for (;;)
    syscall(SYS_exit_group, status);
}

/* ---- handlers ------------------------------------------------------------ */

#define HANDLERS 4096

/* prog, except where said */
struct handlers {
  uint32_t count;
  uint32_t initial; /* keep: count when main began */
  void (*at[HANDLERS])(void);
};

static struct handlers on_exit_handlers, on_quick_exit_handlers;

/* Only the main thread may: the order between its calls and its exit is that of
 * its code, no event. */
static int add_handler(struct handlers *list, void (*function)(void),
                       const char *name) {
  if (self && self->id)
    refuse("%s called by a thread other than the main thread is not supported",
           name);
  if (list->count == HANDLERS)
    refuse("%s: more than %d handlers are not supported", name, HANDLERS);
  SET(list->at[list->count], function);
  SET(list->count, list->count + 1);
  return 0;
}

/* The latest first; a handler may add others, or call exit again. */
static void run_handlers(struct handlers *list) {
  while (list->count) {
    void (*function)(void) = list->at[list->count - 1];
    SET(list->count, list->count - 1);
    function();
  }
}

INTERPOSED int atexit(void (*function)(void)) {
  return add_handler(&on_exit_handlers, function, "atexit");
}

INTERPOSED int at_quick_exit(void (*function)(void)) {
  return add_handler(&on_quick_exit_handlers, function, "at_quick_exit");
}

void exit_reset(void) {
  on_exit_handlers.count = on_exit_handlers.initial;
  on_quick_exit_handlers.count = on_quick_exit_handlers.initial;
}

void exit_start(void) {
  on_exit_handlers.initial = on_exit_handlers.count;
  on_quick_exit_handlers.initial = on_quick_exit_handlers.count;
}

static void digest_handlers(struct digest *d, const struct handlers *list) {
  digest_word(d, (uintptr_t)list, list->count);
  digest_bytes(d, list->at, list->count * sizeof *list->at);
}

void exit_digest(struct digest *d) {
  digest_handlers(d, &on_exit_handlers);
  digest_handlers(d, &on_quick_exit_handlers);
}

/* Functions with the attribute destructor, in the order that libc uses. */
extern void (*const __fini_array_start[])(void)
    __attribute__((weak, visibility("hidden")));
extern void (*const __fini_array_end[])(void)
    __attribute__((weak, visibility("hidden")));

static void run_destructors(void) {
  size_t count = (size_t)(__fini_array_end - __fini_array_start);
  while (count)
    __fini_array_start[--count]();
}

/* ---- exit ---------------------------------------------------------------- */

static _Noreturn void leave(int status) {
  if (engine.mode == MODE_EXPLORE) {
    SET(exiting, 1);
    thread_end(THREAD_ENDED);
  }
  heddle_real_exit_now(status);
}

_Noreturn void program_exit(int status) {
  run_handlers(&on_exit_handlers);
  if (engine.mode != MODE_EXPLORE) /* the real one runs destructors itself */
    REAL(exit)(status);
  run_destructors();
  leave(status);
}

INTERPOSED _Noreturn void exit(int status) {
  program_exit(status);
}

INTERPOSED _Noreturn void _exit(int status) {
  leave(status);
}

INTERPOSED _Noreturn void _Exit(int status) {
  leave(status);
}

INTERPOSED _Noreturn void quick_exit(int status) {
  run_handlers(&on_quick_exit_handlers);
  leave(status);
}

/* ---- failing ------------------------------------------------------------- */

INTERPOSED _Noreturn void abort(void) {
  if (engine.mode != MODE_EXPLORE)
    REAL(abort)();
  fail(FINDING_CRASH, CALLER, "abort() was called (SIGABRT)");
}

static _Noreturn void assertion_failed(const char *expression, const char *file,
                                       unsigned line, const char *function) {
  if (engine.mode != MODE_EXPLORE) {
    print_error("%s: %s:%u: %s%sAssertion `%s' failed.\n",
                program_invocation_short_name, file, line,
                function ? function : "", function ? ": " : "", expression);
    REAL(abort)();
  }
  fail_at(FINDING_ASSERTION, file, line, "%s", expression);
}

INTERPOSED _Noreturn void __assert_fail(const char *expression,
                                        const char *file, unsigned line,
                                        const char *function) {
  assertion_failed(expression, file, line, function);
}

INTERPOSED _Noreturn void __assert(const char *expression, const char *file,
                                   int line) {
  assertion_failed(expression, file, (unsigned)line, NULL);
}

INTERPOSED _Noreturn void __assert_perror_fail(int number, const char *file,
                                               unsigned line,
                                               const char *function) {
  const char *text = error_text(number);
  assertion_failed(text ? text : "Unknown error", file, line, function);
}

INTERPOSED _Noreturn void __stack_chk_fail(void);
INTERPOSED _Noreturn void __stack_chk_fail(void) {
  fail(FINDING_MEMORY, CALLER,
       "the stack was overwritten beyond a local "
       "array (stack protector)");
}

INTERPOSED _Noreturn void __chk_fail(void);
INTERPOSED _Noreturn void __chk_fail(void) {
  fail(FINDING_MEMORY, CALLER, "buffer overflow (_FORTIFY_SOURCE)");
}

/* ---- err.h --------------------------------------------------------------- */

/* Message, then what the error number means, if one is given. */
static void complain(int number, const char *format, va_list arguments,
                     uint64_t pc) {
  print_error("%s: ", program_invocation_short_name);
  if (format) {
    print_list(format, arguments, pc);
    print_error("%s", number >= 0 ? ": " : "");
  }
  if (number >= 0)
    print_error("%s",
                error_text(number) ? error_text(number) : "Unknown error");
  print_error("\n");
}

static int error_now(void) {
  return self ? self->error_number : errno;
}

#define COMPLAIN(number)                       \
  va_list arguments;                           \
  va_start(arguments, format);                 \
  complain(number, format, arguments, CALLER); \
  va_end(arguments)

INTERPOSED void vwarn(const char *format, va_list arguments) {
  complain(error_now(), format, arguments, CALLER);
}

INTERPOSED void vwarnx(const char *format, va_list arguments) {
  complain(-1, format, arguments, CALLER);
}

INTERPOSED void warn(const char *format, ...) {
  COMPLAIN(error_now());
}

INTERPOSED void warnx(const char *format, ...) {
  COMPLAIN(-1);
}

INTERPOSED _Noreturn void verr(int status, const char *format,
                               va_list arguments) {
  complain(error_now(), format, arguments, CALLER);
  program_exit(status);
}

INTERPOSED _Noreturn void verrx(int status, const char *format,
                                va_list arguments) {
  complain(-1, format, arguments, CALLER);
  program_exit(status);
}

INTERPOSED _Noreturn void err(int status, const char *format, ...) {
  COMPLAIN(error_now());
  program_exit(status);
}

INTERPOSED _Noreturn void errx(int status, const char *format, ...) {
  COMPLAIN(-1);
  program_exit(status);
}

/* How a program ends: exit and similar functions, and the ways to fail.
 *
 * The end of the process is an event.  The outcome shows which output came
 * before it, and which of two threads ended the process.  So the event writes
 * to the standard output, as all output does.  The other threads run on, since
 * their steps could have come before the end: their errors are found, and if
 * they wait, that is no deadlock.  But no event may depend on the end.  A
 * thread that prints after it is gone (process_must_live), and so is the thread
 * that ended the process, which therefore cannot be joined.
 *
 * exit() takes handlers from a list until it is empty, and only then ends the
 * process; each look at the list is an event.  Several threads may call it at a
 * time, which is undefined in C.  Then, as with glibc, each runs a part of the
 * handlers, and the process ends when one of them finds the list empty.
 */
#define _GNU_SOURCE
#include "libc.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/native/engine/engine.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/files/stream.h"
#include "system/native/signals/signals.h"
#include "system/native/verify/fingerprint.h"

/* ---- the runtime's own way out (real.map) -------------------------------- */

_Noreturn void heddle_real_exit_now(int status);
_Noreturn void heddle_real_exit_now(int status) {
  for (;;)
    syscall(SYS_exit_group, status);
}

/* ---- handlers ------------------------------------------------------------ */

#define HANDLERS 4096

/* prog: one of the two functions */
struct handler {
  void (*function)(void);
  void (*with_status)(int, void *); /* on_exit's, and its argument */
  void *argument;
};

/* prog, except for the field marked keep */
struct handlers {
  uint32_t count;
  uint32_t initial;    /* keep: count when main began */
  uint32_t destructed; /* destructors have run, or must not run */
  struct handler at[HANDLERS];
};

static struct handlers on_exit_handlers;
static struct handlers on_quick_exit_handlers = {.destructed = 1};

static int add_handler(struct handlers *list, struct handler handler,
                       const char *name, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_ATEXIT, pc);
  libcall_object(&e, list);
  libcall_announce(&e);
  if (list->count == HANDLERS)
    refuse("%s: more than %d handlers are not supported", name, HANDLERS);
  SET(list->at[list->count], handler);
  SET(list->count, list->count + 1);
  return 0;
}

INTERPOSED int atexit(void (*function)(void)) {
  struct handler handler = {.function = function};
  return add_handler(&on_exit_handlers, handler, "atexit", CALLER);
}

INTERPOSED int on_exit(void (*function)(int, void *), void *argument) {
  struct handler handler = {.with_status = function, .argument = argument};
  return add_handler(&on_exit_handlers, handler, "on_exit", CALLER);
}

INTERPOSED int at_quick_exit(void (*function)(void)) {
  struct handler handler = {.function = function};
  return add_handler(&on_quick_exit_handlers, handler, "at_quick_exit", CALLER);
}

void exit_reset(void) {
  on_exit_handlers.count = on_exit_handlers.initial;
  on_exit_handlers.destructed = 0;
  on_quick_exit_handlers.count = on_quick_exit_handlers.initial;
}

void exit_start(void) {
  on_exit_handlers.initial = on_exit_handlers.count;
  on_quick_exit_handlers.initial = on_quick_exit_handlers.count;
}

static void digest_handlers(struct state_digest *d,
                            const struct handlers *list) {
  digest_word(d, (uintptr_t)list,
              (uint64_t)list->destructed << 32 | list->count);
  digest_bytes(d, list->at, list->count * sizeof *list->at);
}

void exit_digest(struct state_digest *d) {
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

/* Runs the latest handler; destructors come last.  A handler may add others, or
 * call exit again.  False: nothing is left. */
static bool run_handler(struct handlers *list, int status) {
  if (list->count) {
    struct handler handler = list->at[list->count - 1];
    SET(list->count, list->count - 1);
    if (handler.function)
      handler.function();
    else
      handler.with_status(status, handler.argument);
  } else if (!list->destructed) {
    SET(list->destructed, 1);
    run_destructors();
  } else {
    return false;
  }
  return true;
}

/* ---- exit ---------------------------------------------------------------- */

/* An atomic block happens as a whole or not at all: it runs on, and its output
 * is dropped. */
void process_must_live(void) {
  if (process.ended && !self->atomic_depth)
    thread_end(THREAD_GONE);
}

/* Announces a look at the list of handlers, if there is one, and the end of the
 * process if that list is empty. */
static void announce_exit(const struct handlers *list, uint64_t pc) {
  struct libcall e;
  if (self->atomic_depth) /* others would run on after half a block */
    refuse("the program ends inside an atomic block or task");
  if (thread_is_alone() &&
      !(step_extras &
        EXTRA_SIGNALS)) /* no other step can come after the next one */
    return;
  libcall_begin(&e, OP_EXIT, pc);
  if (list) {
    libcall_object(&e, list);
    libcall_read(&e, streams_mark(), sizeof *streams_mark());
    e.list[e.op.accesses - 1].mode = ACCESS_ATOMIC;
  }
  libcall_object(&e, stdout);
  if (step_extras & EXTRA_SIGNALS) /* the thread can take no signal then */
    libcall_object(&e, &attention[self->id]);
  libcall_announce(&e);
  process_must_live();
}

static _Noreturn void leave(int status) {
  SET(process.ended, self->id + 1);
  SET(process.status, (uint32_t)status);
  thread_end(THREAD_GONE);
}

static _Noreturn void end_process(int status, uint64_t pc) {
  status &= 0xff; /* the parent gets 8 bits */
  if (status && engine.control->options.exit_status == EXIT_STATUS_ZERO)
    finding_set(FINDING_EXIT, pc, "the program ends with status %d", status);
  leave(status);
}

/* How far the running thread has come: its last step, and the accesses within
 * it. */
struct progress {
  uint32_t step, hidden;
};

static struct progress progress(void) {
  return (struct progress){self->last_step, engine.hidden};
}

static bool went_on(struct progress since) {
  struct progress now = progress();
  return now.step != since.step || now.hidden != since.hidden;
}

static bool has_streams(const struct handlers *list) {
  return list == &on_exit_handlers && *streams_mark();
}

/* In a step of its own, unless no other thread is left. */
static void flush_streams(uint64_t pc) {
  struct libcall e;
  bool alone = thread_is_alone();
  file_begin(&e, pc);
  if (!alone)
    file_announce(&e);
  file_peek(alone);
  streams_flush();
  file_peek(false);
}

/* Handlers without an effect on other threads all run in one step. */
static _Noreturn void exit_explored(int status, struct handlers *list,
                                    uint64_t pc) {
  struct progress before;
  bool flushed = false;
  for (;;) {
    announce_exit(list, pc);
    do {
      before = progress();
      if (run_handler(list, status))
        continue;
      if (flushed || !has_streams(list))
        end_process(status, pc);
      flush_streams(pc);
      flushed = true;
    } while (!went_on(before));
  }
}

void program_exit(int status, uint64_t pc) {
  if (engine.mode == MODE_EXPLORE)
    exit_explored(status, &on_exit_handlers, pc);
  SET(on_exit_handlers.destructed, 1); /* the real exit runs them itself */
  while (run_handler(&on_exit_handlers, status))
    ;
  REAL(exit)(status);
}

static _Noreturn void exit_at_once(int status, uint64_t pc) {
  if (engine.mode == MODE_EXPLORE) {
    announce_exit(NULL, pc);
    end_process(status, pc);
  }
  heddle_real_exit_now(status);
}

void program_killed(int number, bool own_step, uint64_t pc) {
  if (own_step)
    announce_exit(NULL, pc);
  footprint_add(stdout, OBJECT_SIZE, ACCESS_ATOMIC | ACCESS_WRITE);
  process_must_live();
  if (engine.control->options.exit_status == EXIT_STATUS_ZERO &&
      !signal_may_end(number))
    finding_set(FINDING_EXIT, pc, "signal %d (%s) ends the program", number,
                signal_name(number));
  leave(128 + number);
}

INTERPOSED _Noreturn void exit(int status) {
  program_exit(status, CALLER);
}

INTERPOSED _Noreturn void _exit(int status) {
  exit_at_once(status, CALLER);
}

INTERPOSED _Noreturn void _Exit(int status) {
  exit_at_once(status, CALLER);
}

INTERPOSED _Noreturn void quick_exit(int status) {
  if (engine.mode == MODE_EXPLORE)
    exit_explored(status, &on_quick_exit_handlers, CALLER);
  while (run_handler(&on_quick_exit_handlers, status))
    ;
  heddle_real_exit_now(status);
}

/* ---- failing ------------------------------------------------------------- */

INTERPOSED _Noreturn void abort(void) {
  if (engine.mode != MODE_EXPLORE)
    REAL(abort)();
  signals_abort(CALLER);
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

/* Prints the message, then the meaning of the error number, if one is given. */
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
  program_exit(status, CALLER);
}

INTERPOSED _Noreturn void verrx(int status, const char *format,
                                va_list arguments) {
  complain(-1, format, arguments, CALLER);
  program_exit(status, CALLER);
}

INTERPOSED _Noreturn void err(int status, const char *format, ...) {
  COMPLAIN(error_now());
  program_exit(status, CALLER);
}

INTERPOSED _Noreturn void errx(int status, const char *format, ...) {
  COMPLAIN(-1);
  program_exit(status, CALLER);
}

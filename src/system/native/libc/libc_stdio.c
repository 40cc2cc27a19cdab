/* stdio, as far as checked programs need it: formatted output, the standard
 * streams.
 *
 * Text to the standard output is an event that writes to the stream: the
 * outcome shows which of two threads prints first.  The standard error stream
 * is for people.  Its order is no outcome, and text to it is no event, unless
 * --stderr makes it a part of the standard output.  Other streams, and these if
 * the program puts a file in their place, are in files/stream.h.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <limits.h>

#include "heap.h"
#include "system/native/files/stream.h"

/* ---- printf to a stream -------------------------------------------------- */

static int print(int number, const char *format, va_list arguments,
                 uint64_t pc) {
  struct libcall e;
  stream_begin_output(&e, number, pc);
  format_announce(&e, format, arguments);
  libcall_announce(&e);
  if (number == 1)
    process_must_live();
  stream_end_output(&e, number);
  format_touch(&e, format, arguments);
  size_t length;
  const char *text = format_text(format, arguments, &length);
  if (text)
    output_append(number, text, length);
  return (int)length;
}

int print_stream(FILE *stream, const char *format, va_list arguments,
                 uint64_t pc) {
  int number = stream_output(stream, pc);
  return number ? print(output_number(number), format, arguments, pc)
                : stream_print(stream, format, arguments, pc);
}

static int print_descriptor(int descriptor, const char *format,
                            va_list arguments, uint64_t pc) {
  stream_unlocked(pc);
  if ((descriptor == 1 || descriptor == 2) &&
      descriptor_is_standard(descriptor, pc))
    return print(output_number(descriptor), format, arguments, pc);
  return descriptor_print(descriptor, format, arguments, pc);
}

void print_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_stream(stderr, format, arguments, 0);
  va_end(arguments);
}

void print_list(const char *format, va_list arguments, uint64_t pc) {
  print_stream(stderr, format, arguments, pc);
}

/* Defines a function with arguments behind the format in terms of one that
 * takes them as a list. */
#define WITH_LIST(call)        \
  va_list arguments;           \
  va_start(arguments, format); \
  int printed = call;          \
  va_end(arguments);           \
  return printed

INTERPOSED int vprintf(const char *format, va_list arguments) {
  return print_stream(stdout, format, arguments, CALLER);
}

INTERPOSED int vfprintf(FILE *stream, const char *format, va_list arguments) {
  return print_stream(stream, format, arguments, CALLER);
}

INTERPOSED int vdprintf(int descriptor, const char *format, va_list arguments) {
  return print_descriptor(descriptor, format, arguments, CALLER);
}

INTERPOSED int printf(const char *format, ...) {
  WITH_LIST(print_stream(stdout, format, arguments, CALLER));
}

INTERPOSED int fprintf(FILE *stream, const char *format, ...) {
  WITH_LIST(print_stream(stream, format, arguments, CALLER));
}

INTERPOSED int dprintf(int descriptor, const char *format, ...) {
  WITH_LIST(print_descriptor(descriptor, format, arguments, CALLER));
}

/* ---- printf to memory ---------------------------------------------------- */

/* If the text has no strings that other threads could change, its length is
 * known before the step. */
static void announce_text(struct libcall *e, char *to, size_t size,
                          const char *format, va_list arguments, uint64_t pc) {
  size_t length;
  libcall_begin(e, OP_COPY, pc);
  format_announce(e, format, arguments);
  if (e->op.flags & STEP_BLOCK) {
    if (size)
      libcall_begin_write(e, to);
  } else if (format_text(format, arguments, &length)) {
    libcall_write(e, to, length < size ? length + 1 : size);
  }
  libcall_announce(e);
  format_touch(e, format, arguments);
}

static int print_memory(char *to, size_t size, const char *format,
                        va_list arguments, uint64_t pc) {
  struct libcall e;
  size_t length;
  announce_text(&e, to, size, format, arguments, pc);
  const char *text = format_text(format, arguments, &length);
  if (!text)
    return -1;
  size_t written = length < size ? length + 1 : size;
  if (e.op.flags & STEP_BLOCK)
    touches(&e, to, written);
  if (written) {
    heddle_real_memcpy(to, text, written - 1);
    to[written - 1] = 0;
  }
  return (int)length;
}

INTERPOSED int vsnprintf(char *to, size_t size, const char *format,
                         va_list arguments) {
  return print_memory(to, size, format, arguments, CALLER);
}

INTERPOSED int snprintf(char *to, size_t size, const char *format, ...) {
  WITH_LIST(print_memory(to, size, format, arguments, CALLER));
}

/* No limit but that of an int. */
INTERPOSED int vsprintf(char *to, const char *format, va_list arguments) {
  return print_memory(to, INT_MAX, format, arguments, CALLER);
}

INTERPOSED int sprintf(char *to, const char *format, ...) {
  WITH_LIST(print_memory(to, INT_MAX, format, arguments, CALLER));
}

/* ---- printf to a new block ----------------------------------------------- */

static int print_block(char **result, const char *format, va_list arguments,
                       uint64_t pc) {
  struct libcall e;
  size_t length;
  libcall_begin(&e, OP_COPY, pc);
  libcall_write(&e, result, sizeof *result);
  format_announce(&e, format, arguments);
  libcall_announce(&e);
  format_touch(&e, format, arguments);
  const char *text = format_text(format, arguments, &length);
  if (!text)
    return -1;
  char *block = heap_allocate(length + 1, 16, pc);
  undo_note(block, length + 1);
  heddle_real_memcpy(block, text, length + 1);
  *result = block;
  heap_written(block, length + 1, pc);
  return (int)length;
}

INTERPOSED int vasprintf(char **result, const char *format, va_list arguments) {
  return print_block(result, format, arguments, CALLER);
}

INTERPOSED int asprintf(char **result, const char *format, ...) {
  WITH_LIST(print_block(result, format, arguments, CALLER));
}

/* ---- what _FORTIFY_SOURCE makes of them ---------------------------------- */

INTERPOSED int __printf_chk(int, const char *, ...);
INTERPOSED int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(print_stream(stdout, format, arguments, CALLER));
}

INTERPOSED int __fprintf_chk(FILE *, int, const char *, ...);
INTERPOSED int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
  (void)flag;
  WITH_LIST(print_stream(stream, format, arguments, CALLER));
}

INTERPOSED int __dprintf_chk(int, int, const char *, ...);
INTERPOSED int __dprintf_chk(int descriptor, int flag, const char *format,
                             ...) {
  (void)flag;
  WITH_LIST(print_descriptor(descriptor, format, arguments, CALLER));
}

INTERPOSED int __vprintf_chk(int, const char *, va_list);
INTERPOSED int __vprintf_chk(int flag, const char *format, va_list arguments) {
  (void)flag;
  return print_stream(stdout, format, arguments, CALLER);
}

INTERPOSED int __vfprintf_chk(FILE *, int, const char *, va_list);
INTERPOSED int __vfprintf_chk(FILE *stream, int flag, const char *format,
                              va_list arguments) {
  (void)flag;
  return print_stream(stream, format, arguments, CALLER);
}

INTERPOSED int __vdprintf_chk(int, int, const char *, va_list);
INTERPOSED int __vdprintf_chk(int descriptor, int flag, const char *format,
                              va_list arguments) {
  (void)flag;
  return print_descriptor(descriptor, format, arguments, CALLER);
}

/* `room` is the size of the object as the compiler knows it. */
static int print_checked(char *to, size_t size, size_t room, const char *format,
                         va_list arguments, uint64_t pc) {
  if (size != SIZE_MAX && size > room)
    fail(FINDING_MEMORY, pc,
         "out of bounds: snprintf of up to %zu bytes to an object of %zu bytes",
         size, room);
  if (size != SIZE_MAX || room > INT_MAX)
    return print_memory(to, size > INT_MAX ? INT_MAX : size, format, arguments,
                        pc);
  int length = print_memory(to, room, format, arguments, pc);
  if (length >= 0 && (size_t)length >= room)
    fail(FINDING_MEMORY, pc,
         "out of bounds: sprintf writes %d bytes to an object of %zu bytes",
         length + 1, room);
  return length;
}

INTERPOSED int __vsnprintf_chk(char *, size_t, int, size_t, const char *,
                               va_list);
INTERPOSED int __vsnprintf_chk(char *to, size_t size, int flag, size_t room,
                               const char *format, va_list arguments) {
  (void)flag;
  return print_checked(to, size, room, format, arguments, CALLER);
}

INTERPOSED int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
INTERPOSED int __snprintf_chk(char *to, size_t size, int flag, size_t room,
                              const char *format, ...) {
  (void)flag;
  WITH_LIST(print_checked(to, size, room, format, arguments, CALLER));
}

INTERPOSED int __vsprintf_chk(char *, int, size_t, const char *, va_list);
INTERPOSED int __vsprintf_chk(char *to, int flag, size_t room,
                              const char *format, va_list arguments) {
  (void)flag;
  return print_checked(to, SIZE_MAX, room, format, arguments, CALLER);
}

INTERPOSED int __sprintf_chk(char *, int, size_t, const char *, ...);
INTERPOSED int __sprintf_chk(char *to, int flag, size_t room,
                             const char *format, ...) {
  (void)flag;
  WITH_LIST(print_checked(to, SIZE_MAX, room, format, arguments, CALLER));
}

INTERPOSED int __vasprintf_chk(char **, int, const char *, va_list);
INTERPOSED int __vasprintf_chk(char **result, int flag, const char *format,
                               va_list arguments) {
  (void)flag;
  return print_block(result, format, arguments, CALLER);
}

INTERPOSED int __asprintf_chk(char **, int, const char *, ...);
INTERPOSED int __asprintf_chk(char **result, int flag, const char *format,
                              ...) {
  (void)flag;
  WITH_LIST(print_block(result, format, arguments, CALLER));
}

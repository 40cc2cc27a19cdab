/* Wide characters of stdio: in the locale "C" they are bytes up to 127.
 *
 * A format is made narrow, since %s, %ls and all others mean the same in both.
 * The orientation of a stream is not kept.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <limits.h>
#include <wchar.h>

#include "heap.h"
#include "system/native/files/stream.h"

/* The text in a block that only this thread knows. */
static char *narrow(const wchar_t *s, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  if (!is_constant(s)) {
    e.op.flags |= STEP_BLOCK;
    libcall_read(&e, s, sizeof *s);
  }
  libcall_announce(&e);
  size_t length = wide_length(s, SIZE_MAX);
  if (!is_constant(s))
    touched(&e, s, (length + 1) * sizeof *s);
  char *block = heap_allocate(length + 1, 16, pc);
  heap_own(block);
  undo_note(block, length + 1);
  for (size_t i = 0; i <= length; i++) {
    if (s[i] < 0 || s[i] > 127)
      refuse("printing of wide characters beyond ASCII is not supported: there "
             "is only the locale \"C\"");
    block[i] = (char)s[i];
  }
  return block;
}

/* ---- printf -------------------------------------------------------------- */

static int print_wide(wchar_t *to, size_t size, const wchar_t *format,
                      va_list arguments, uint64_t pc) {
  struct libcall e;
  size_t length;
  const char *text = narrow(format, pc);
  libcall_begin(&e, OP_COPY, pc);
  if (size)
    libcall_begin_write(&e, to);
  format_announce(&e, text, arguments);
  libcall_announce(&e);
  format_touch(&e, text, arguments);
  text = format_text(text, arguments, &length);
  if (!text || !size)
    return -1;
  size_t written = length < size ? length : size - 1;
  touches(&e, to, (written + 1) * sizeof *to);
  for (size_t i = 0; i < written; i++)
    to[i] = text[i];
  to[written] = 0;
  return length < size ? (int)length : -1;
}

#define WITH_LIST(call)        \
  va_list arguments;           \
  va_start(arguments, format); \
  int printed = call;          \
  va_end(arguments);           \
  return printed

INTERPOSED int vswprintf(wchar_t *to, size_t size, const wchar_t *format,
                         va_list arguments) {
  return print_wide(to, size, format, arguments, CALLER);
}

INTERPOSED int swprintf(wchar_t *to, size_t size, const wchar_t *format, ...) {
  WITH_LIST(print_wide(to, size, format, arguments, CALLER));
}

INTERPOSED int vfwprintf(FILE *stream, const wchar_t *format,
                         va_list arguments) {
  return print_stream(stream, narrow(format, CALLER), arguments, CALLER);
}

INTERPOSED int fwprintf(FILE *stream, const wchar_t *format, ...) {
  WITH_LIST(print_stream(stream, narrow(format, CALLER), arguments, CALLER));
}

INTERPOSED int vwprintf(const wchar_t *format, va_list arguments) {
  return print_stream(stdout, narrow(format, CALLER), arguments, CALLER);
}

INTERPOSED int wprintf(const wchar_t *format, ...) {
  WITH_LIST(print_stream(stdout, narrow(format, CALLER), arguments, CALLER));
}

/* ---- characters ---------------------------------------------------------- */

static wint_t put(wint_t c, FILE *stream, uint64_t pc) {
  if (c > 127) {
    error_set(EILSEQ);
    return WEOF;
  }
  return put_byte(stream, (int)c, pc) == EOF ? WEOF : c;
}

INTERPOSED wint_t fputwc(wchar_t c, FILE *stream) {
  return put((wint_t)c, stream, CALLER);
}

INTERPOSED wint_t putwc(wchar_t c, FILE *stream) {
  return put((wint_t)c, stream, CALLER);
}

INTERPOSED wint_t putwchar(wchar_t c) {
  return put((wint_t)c, stdout, CALLER);
}

INTERPOSED int fputws(const wchar_t *text, FILE *stream) {
  return put_string(stream, narrow(text, CALLER), CALLER);
}

static wint_t get(FILE *stream, uint64_t pc) {
  int c = stream_read_character(stream, pc);
  if (c == EOF)
    return WEOF;
  if (c > 127) {
    error_set(EILSEQ);
    return WEOF;
  }
  return (wint_t)c;
}

INTERPOSED wint_t fgetwc(FILE *stream) {
  return get(stream, CALLER);
}

INTERPOSED wint_t getwc(FILE *stream) {
  return get(stream, CALLER);
}

INTERPOSED wint_t getwchar(void) {
  return get(stdin, CALLER);
}

INTERPOSED int fwide(FILE *stream, int mode) {
  (void)stream;
  return mode;
}

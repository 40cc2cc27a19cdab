/* The rest of stdio's output: characters and strings.  See libc_stdio.c for
 * what is an event. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "system/native/files/stream.h"
#include "system/native/hooks/hooks.h"

static void announce_output(struct libcall *e, int number, const char *text,
                            size_t size, uint64_t pc) {
  stream_begin_output(e, number, pc);
  if (size == SIZE_MAX)
    libcall_string(e, text, SIZE_MAX);
  else
    libcall_read(e, text, size);
  libcall_announce(e);
  if (number == 1)
    process_must_live();
  stream_end_output(e, number);
}

/* Text of a known size, or up to its final zero. */
static size_t put(int number, const char *text, size_t size, uint64_t pc) {
  struct libcall e;
  announce_output(&e, number, text, size, pc);
  if (size == SIZE_MAX) {
    size = string_length(text, SIZE_MAX);
    touched(&e, text, size + 1);
  }
  output_append(number, text, size);
  return size;
}

/* The character is an argument: no memory of the program is read. */
static int put_character(int number, int character, uint64_t pc) {
  struct libcall e;
  char text = (char)character;
  announce_output(&e, number, NULL, 0, pc);
  output_append(number, &text, 1);
  return (unsigned char)text;
}

/* ---- characters ---------------------------------------------------------- */

int put_byte(FILE *stream, int character, uint64_t pc) {
  int number = stream_output(stream, pc);
  return number ? put_character(output_number(number), character, pc)
                : stream_write_character(stream, character, pc);
}

#define LOCKED ((void)0)
#define UNLOCKED stream_unlocked(CALLER)

#define PUT_CHARACTER(name, lock)                    \
  INTERPOSED int name(int character, FILE *stream) { \
    lock;                                            \
    return put_byte(stream, character, CALLER);      \
  }

#undef putc
#undef putchar
#undef fwrite_unlocked
#undef fputs_unlocked
int _IO_putc(int, FILE *);
PUT_CHARACTER(fputc, LOCKED)
PUT_CHARACTER(putc, LOCKED)
PUT_CHARACTER(_IO_putc, LOCKED)
PUT_CHARACTER(putc_unlocked, UNLOCKED)
PUT_CHARACTER(fputc_unlocked, UNLOCKED)

int __overflow(FILE *, int);
INTERPOSED int __overflow(FILE *stream, int character) {
  stream_unlocked(CALLER);
  return put_byte(stream, character, CALLER); /* the headers call it */
}

#define PUTCHAR(name, lock)                     \
  INTERPOSED int name(int character) {          \
    lock;                                       \
    return put_byte(stdout, character, CALLER); \
  }

PUTCHAR(putchar, LOCKED)
PUTCHAR(putchar_unlocked, UNLOCKED)

/* ---- strings ------------------------------------------------------------- */

/* One event, and one piece of output: no other thread's text comes between the
 * line and its end. */
INTERPOSED int puts(const char *text) {
  if (!stream_output(stdout, CALLER))
    return (int)stream_write_line(stdout, text, CALLER);
  size_t size = put(1, text, SIZE_MAX, CALLER);
  output_append(1, "\n", 1);
  return (int)size + 1;
}

static size_t put_text(FILE *stream, const char *text, size_t size,
                       uint64_t pc) {
  int number = stream_output(stream, pc);
  return number ? put(output_number(number), text, size, pc)
                : stream_write(stream, text, size, pc);
}

int put_string(FILE *stream, const char *text, uint64_t pc) {
  size_t done = put_text(stream, text, SIZE_MAX, pc);
  return done || stream_output(stream, pc) || !LOOK_AT(*text, pc) ? 1 : EOF;
}

#define FPUTS(name, lock)                               \
  INTERPOSED int name(const char *text, FILE *stream) { \
    lock;                                               \
    return put_string(stream, text, CALLER);            \
  }

FPUTS(fputs, LOCKED)
FPUTS(fputs_unlocked, UNLOCKED)

#define FWRITE(name, lock)                                            \
  INTERPOSED size_t name(const void *data, size_t size, size_t count, \
                         FILE *stream) {                              \
    lock;                                                             \
    if (!size || !count)                                              \
      return 0;                                                       \
    return put_text(stream, data, size * count, CALLER) / size;       \
  }

FWRITE(fwrite, LOCKED)
FWRITE(fwrite_unlocked, UNLOCKED)

ssize_t output_write(int descriptor, const void *data, size_t size,
                     uint64_t pc) {
  stream_unlocked(pc);
  return (ssize_t)put(output_number(descriptor), data, size, pc);
}

INTERPOSED void perror(const char *text) {
  const char *what = error_text(self ? self->error_number : errno);
  if (!what)
    what = "Unknown error";
  if (text && LOOK(*text))
    print_error("%s: %s\n", text, what);
  else
    print_error("%s\n", what);
}

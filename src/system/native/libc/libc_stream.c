/* The rest of stdio: characters and strings to the standard streams, an empty
 * standard input, and write().  See libc_stdio.c for what is an event. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "system/native/files/files.h"

static void announce_output(struct libcall *e, int number, const char *text,
                            size_t size, uint64_t pc) {
  libcall_begin(e, number == 1 ? OP_OUTPUT : OP_SCAN, pc);
  if (number == 1)
    libcall_object(e, stdout);
  if (size == SIZE_MAX)
    libcall_string(e, text, SIZE_MAX);
  else
    libcall_read(e, text, size);
  libcall_announce(e);
  if (number == 1)
    process_must_live();
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

#define PUT_CHARACTER(name)                                                 \
  INTERPOSED int name(int character, FILE *stream) {                        \
    return put_character(stream_number(stream, "putc"), character, CALLER); \
  }

#undef putc
#undef putchar
#undef fwrite_unlocked
#undef fputs_unlocked
int _IO_putc(int, FILE *);
PUT_CHARACTER(fputc)
PUT_CHARACTER(putc)
PUT_CHARACTER(_IO_putc)
PUT_CHARACTER(putc_unlocked)
PUT_CHARACTER(fputc_unlocked)

#define PUTCHAR(name)                           \
  INTERPOSED int name(int character) {          \
    return put_character(1, character, CALLER); \
  }

PUTCHAR(putchar)
PUTCHAR(putchar_unlocked)

/* ---- strings ------------------------------------------------------------- */

/* One event, and one piece of output: no other thread's text comes between the
 * line and its end. */
INTERPOSED int puts(const char *text) {
  size_t size = put(1, text, SIZE_MAX, CALLER);
  output_append(1, "\n", 1);
  return (int)size + 1;
}

#define FPUTS(name)                                              \
  INTERPOSED int name(const char *text, FILE *stream) {          \
    put(stream_number(stream, "fputs"), text, SIZE_MAX, CALLER); \
    return 1;                                                    \
  }

FPUTS(fputs)
FPUTS(fputs_unlocked)

#define FWRITE(name)                                                  \
  INTERPOSED size_t name(const void *data, size_t size, size_t count, \
                         FILE *stream) {                              \
    if (!size || !count)                                              \
      return 0;                                                       \
    put(stream_number(stream, "fwrite"), data, size *count, CALLER);  \
    return count;                                                     \
  }

FWRITE(fwrite)
FWRITE(fwrite_unlocked)

ssize_t output_write(int descriptor, const void *data, size_t size,
                     uint64_t pc) {
  return (ssize_t)put(output_number(descriptor), data, size, pc);
}

INTERPOSED void perror(const char *text) {
  int number = self ? self->error_number : errno;
  if (text && *text)
    print_error("%s: ", text);
  print_error("%s\n",
              error_text(number) ? error_text(number) : "Unknown error");
}

/* ---- the end of the input ------------------------------------------------ */

/* Standard input is empty, but that shows only in an attempt to read. */
PROG static bool input_ended;

static void set_input_ended(bool ended, uint64_t pc) {
  library_state(&input_ended, sizeof input_ended, true, pc);
  SET(input_ended, ended);
}

static bool is_input_ended(uint64_t pc) {
  library_state(&input_ended, sizeof input_ended, false, pc);
  return input_ended;
}

/* ---- the state of a stream ----------------------------------------------- */

/* Output is never held back, so there is nothing to flush.  Only the standard
 * streams exist. */
static int known(FILE *stream, const char *function) {
  if (stream && stream != stdin)
    stream_number(stream, function);
  return 0;
}

#define ON_STREAM(type, name, otherwise) \
  INTERPOSED type name(FILE *stream) {   \
    known(stream, #name);                \
    return otherwise;                    \
  }

ON_STREAM(int, fflush, 0)
ON_STREAM(int, fflush_unlocked, 0)
ON_STREAM(int, fclose, 0)
ON_STREAM(int, ferror, 0)
ON_STREAM(int, feof, stream == stdin && is_input_ended(CALLER))
ON_STREAM(int, fileno, stream == stdin ? 0 : stream == stdout ? 1 : 2)

INTERPOSED void clearerr(FILE *stream) {
  known(stream, "clearerr");
  if (stream == stdin)
    set_input_ended(false, CALLER);
}

INTERPOSED int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
  (void)buffer;
  (void)mode;
  (void)size;
  return known(stream, "setvbuf");
}

INTERPOSED void setbuf(FILE *stream, char *buffer) {
  (void)buffer;
  known(stream, "setbuf");
}

INTERPOSED void setbuffer(FILE *stream, char *buffer, size_t size) {
  (void)buffer;
  (void)size;
  known(stream, "setbuffer");
}

INTERPOSED void setlinebuf(FILE *stream) {
  known(stream, "setlinebuf");
}

/* ---- standard input ------------------------------------------------------ */

/* An attempt to read. */
static void reach_end(FILE *stream, const char *function, uint64_t pc) {
  if (stream != stdin)
    refuse("%s from a stream other than stdin is not supported", function);
  set_input_ended(true, pc);
}

#define GET_CHARACTER(name)           \
  INTERPOSED int name(FILE *stream) { \
    reach_end(stream, #name, CALLER); \
    return EOF;                       \
  }

#undef getc
#undef getchar
int _IO_getc(FILE *);
GET_CHARACTER(fgetc)
GET_CHARACTER(getc)
GET_CHARACTER(_IO_getc)
GET_CHARACTER(getc_unlocked)

INTERPOSED int getchar(void) {
  reach_end(stdin, "getchar", CALLER);
  return EOF;
}

INTERPOSED char *fgets(char *to, int size, FILE *stream) {
  (void)size;
  (void)to;
  reach_end(stream, "fgets", CALLER);
  return NULL;
}

INTERPOSED size_t fread(void *to, size_t size, size_t count, FILE *stream) {
  (void)count;
  (void)size;
  (void)to;
  reach_end(stream, "fread", CALLER);
  return 0;
}

INTERPOSED ssize_t getline(char **line, size_t *size, FILE *stream) {
  (void)line;
  (void)size;
  reach_end(stream, "getline", CALLER);
  return -1;
}

/* scanf finds the end of the input before it stores anything.  The header gives
 * the standard's scanf another name, so that both need one of their own here.
 */
#define SCANF(function, name)                        \
  int function(const char *, ...) __asm__(name);     \
  INTERPOSED int function(const char *format, ...) { \
    (void)format;                                    \
    reach_end(stdin, "scanf", CALLER);               \
    return EOF;                                      \
  }

SCANF(scan_traditionally, "scanf")
SCANF(scan_standard, "__isoc99_scanf")
SCANF(scan_newest, "__isoc23_scanf")

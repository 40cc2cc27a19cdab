/* scanf from streams. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "channel.h"
#include "stream.h"

#include "system/native/libc/scan.h"

static bool more(struct file_stream *s, size_t size, uint64_t pc) {
  if (size >= STREAM_BUFFER)
    refuse("scanf that looks at more than %d bytes of a stream in one call is "
           "not supported: read the line first, and use sscanf",
           STREAM_BUFFER);
  return s->channel ? stream_wait(s, pc) : stream_more(s);
}

/* The same scan with more and more of the input, until it does not look behind
 * the end. */
static int scan_stream(FILE *stream, const char *format, va_list arguments,
                       uint64_t pc) {
  static char *taken; /* keep: scratch */
  struct libcall e;
  struct scanner scan = {.starved = true};
  int result = EOF;
  struct file_stream *s = stream_of(stream, pc);
  stream_begin(&e, s, pc);
  libcall_string(&e, format, SIZE_MAX);
  stream_announce(&e, s);
  touched(&e, format, string_length(format, SIZE_MAX) + 1);
  for (;;) {
    size_t size;
    scan.begin = stream_window(s, &size);
    if (!scan.begin)
      return EOF;
    scan.end = scan.begin + size;
    foreign_enter();
    result = scan_text(&scan, format, arguments);
    foreign_leave();
    if (!scan.starved)
      break;
    scan.final = !more(s, size, pc);
  }
  size_t used = (size_t)(scan.at - scan.begin);
  stream_take(s, file_scratch(&taken, used), used, -1);
  scan_store(&e, pc);
  return result;
}

/* The header gives the standard's functions other names: all get one of their
 * own here. */
#define FSCANF(function, name, list_name)                            \
  int v##function(FILE *, const char *, va_list) __asm__(list_name); \
  INTERPOSED int v##function(FILE *stream, const char *format,       \
                             va_list arguments) {                    \
    return scan_stream(stream, format, arguments, CALLER);           \
  }                                                                  \
  int function(FILE *, const char *, ...) __asm__(name);             \
  INTERPOSED int function(FILE *stream, const char *format, ...) {   \
    va_list arguments;                                               \
    va_start(arguments, format);                                     \
    int result = scan_stream(stream, format, arguments, CALLER);     \
    va_end(arguments);                                               \
    return result;                                                   \
  }

FSCANF(fscan_traditionally, "fscanf", "vfscanf")
FSCANF(fscan_standard, "__isoc99_fscanf", "__isoc99_vfscanf")
FSCANF(fscan_newest, "__isoc23_fscanf", "__isoc23_vfscanf")

#define SCANF(function, name, list_name)                              \
  int v##function(const char *, va_list) __asm__(list_name);          \
  INTERPOSED int v##function(const char *format, va_list arguments) { \
    return scan_stream(stdin, format, arguments, CALLER);             \
  }                                                                   \
  int function(const char *, ...) __asm__(name);                      \
  INTERPOSED int function(const char *format, ...) {                  \
    va_list arguments;                                                \
    va_start(arguments, format);                                      \
    int result = scan_stream(stdin, format, arguments, CALLER);       \
    va_end(arguments);                                                \
    return result;                                                    \
  }

SCANF(scan_traditionally, "scanf", "vscanf")
SCANF(scan_standard, "__isoc99_scanf", "__isoc99_vscanf")
SCANF(scan_newest, "__isoc23_scanf", "__isoc23_vscanf")

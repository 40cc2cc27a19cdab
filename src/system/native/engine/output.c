/* The program's output, collected for each execution. */
#include "system/native/libc/libc.h"

#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* The text is keep, its length prog: bytes behind the length are left over from
 * executions that printed more. */
static struct stream {
  char *text;
  size_t capacity;
  size_t length;
} streams[2];

static void reserve(struct stream *stream, size_t length) {
  if (length <= stream->capacity)
    return;
  size_t capacity = 2 * stream->capacity + length;
  stream->text = realloc(stream->text, capacity);
  ensure(stream->text); /* out of memory */
  stream->capacity = capacity;
}

/* What is printed after the end of the process could have come before it.  The
 * outcome says which it was; text on the error stream is no outcome, and a step
 * may not show whether the process has ended. */
void output_append(int number, const char *text, size_t length) {
  struct stream *stream = &streams[number - 1];
  if (process.ended && number == 1)
    return;
  reserve(stream, stream->length + length);
  memcpy(stream->text + stream->length, text, length);
  SET(stream->length, stream->length + length);
}

int output_number(int descriptor) {
  bool merged = engine.control && engine.control->options.merge_stderr;
  return merged ? 1 : descriptor;
}

const char *output_text(int number, size_t *length) {
  *length = streams[number - 1].length;
  return streams[number - 1].text;
}

const size_t *output_length(int number) {
  return &streams[number - 1].length;
}

/* Output of constructors stays. */
static size_t initial[2];

void output_start(void) {
  for (int i = 0; i < 2; i++)
    initial[i] = streams[i].length;
}

void output_reset(void) {
  for (int i = 0; i < 2; i++)
    streams[i].length = initial[i];
}

/* Streams on pipes and sockets.
 *
 * A call is one step on the stream as long as the buffer will do.  To fill or
 * empty it, the thread leaves that step: it waits on the channel in a step of
 * its own, and goes on with a new step on the stream.  Meanwhile the stream is
 * the thread's (`user`), as glibc holds its lock.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "channel.h"
#include "stream.h"

#include <string.h>

#include "system/native/libc/heap.h"

static void begin_again(struct file_stream *s, uint64_t pc) {
  struct libcall e;
  stream_begin(&e, s, pc);
  stream_announce(&e, s);
  SET(s->user, 0);
}

/* ---- reading ------------------------------------------------------------- */

bool stream_wait(struct file_stream *s, uint64_t pc) {
  char *bytes = NULL;
  if (s->head._flags & STREAM_ENDED || !s->may_read)
    return false;
  struct description *d = description_of(s->descriptor);
  SET(s->user, self->id + 1);
  size_t room = STREAM_BUFFER - (s->to - s->from);
  ssize_t got = d ? description_take(d, &bytes, room, 0, pc) : -1;
  begin_again(s, pc);
  if (got > 0)
    stream_append(s, bytes, (size_t)got);
  else
    stream_mark(s, got ? STREAM_FAILED : STREAM_ENDED, true);
  return got > 0;
}

/* What is taken is noted in the step that takes it, which may not be the step
 * in which the caller got the memory.  A thread's stack is kept anyway. */
static size_t take(struct file_stream *s, char *to, size_t size, int stop) {
  if (heap_contains(to))
    undo_note(to, size);
  return stream_take(s, to, size, stop);
}

size_t stream_receive(struct file_stream *s, char *to, size_t size, int stop,
                      uint64_t pc) {
  size_t done = take(s, to, size, stop);
  if (!s->channel || !s->may_read)
    return done;
  while (done < size && !(done && (unsigned char)to[done - 1] == stop) &&
         stream_wait(s, pc))
    done += take(s, to + done, size - done, stop);
  return done;
}

/* ---- writing ------------------------------------------------------------- */

static bool empty(struct file_stream *s, uint64_t pc) {
  uint32_t size = s->to;
  if (s->doing != STREAM_WRITES || !size)
    return true;
  char *bytes = channel_stage(s->buffer, size, pc);
  struct description *d = description_of(s->descriptor);
  SET(s->to, 0);
  SET(s->user, self->id + 1);
  ssize_t done = d ? description_deliver(d, bytes, size, 0, pc) : -1;
  begin_again(s, pc);
  if (done != (ssize_t)size)
    stream_mark(s, STREAM_FAILED, true);
  return done == (ssize_t)size;
}

static bool must_empty(const struct file_stream *s, bool line) {
  return s->to == STREAM_BUFFER || s->buffering == _IONBF ||
         (s->buffering == _IOLBF && line);
}

size_t stream_send(struct file_stream *s, const char *bytes, size_t size,
                   uint64_t pc) {
  if (!s->channel)
    return stream_put(s, bytes, size);
  bytes = channel_stage(bytes, size, pc);
  bool line = memchr(bytes, '\n', size);
  size_t done = 0;
  while (done < size) {
    size_t put = stream_put(s, bytes + done, size - done);
    done += put;
    if (!put || (must_empty(s, line) && !empty(s, pc)))
      break;
  }
  return done;
}

int stream_finish(struct file_stream *s, uint64_t pc) {
  if (s->channel)
    return empty(s, pc) ? 0 : -1;
  return stream_flush(s);
}

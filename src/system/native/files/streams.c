/* The buffer of a stream, as part of a step. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "channel.h"
#include "stream.h"
#include "system/native/engine/engine.h"
#include "system/native/engine/timekeeping.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "system/native/libc/heap.h"

/* prog: their buffers are empty before the program reads or redirects them. */
PROG static struct file_stream standard[3] = {
    {.life = STREAM_OPEN, .descriptor = 0, .may_read = true},
    {.life = STREAM_OPEN,
     .descriptor = 1,
     .may_write = true,
     .buffering = _IONBF},
    {.life = STREAM_OPEN,
     .descriptor = 2,
     .may_write = true,
     .buffering = _IONBF}};

int stream_output(FILE *stream, uint64_t pc) {
  int number = stream == stdout ? 1 : stream == stderr ? 2 : 0;
  return number && descriptor_is_standard(number, pc) ? number : 0;
}

static bool is_block(const FILE *stream) {
  uint64_t start, size, pc;
  return heap_find(stream, &start, &size, &pc) && start == (uintptr_t)stream &&
         size == sizeof(struct file_stream);
}

struct file_stream *stream_of(FILE *stream, uint64_t pc) {
  if (stream == stdin || stream == stdout || stream == stderr)
    return &standard[stream == stdin ? 0 : stream == stdout ? 1 : 2];
  if (!stream)
    fail(FINDING_CRASH, pc, "null pointer to a stream");
  struct file_stream *s = (struct file_stream *)stream;
  if (!is_block(stream) || (s->life != STREAM_OPEN && s->life != STREAM_CLOSED))
    fail(FINDING_MISUSE, pc, "use of a stream that was never opened");
  return s;
}

static void check_open(const struct file_stream *s, uint64_t pc) {
  if (s->life != STREAM_OPEN)
    fail(FINDING_MEMORY, pc, "use of a stream that was closed");
}

/* In glibc the second one waits, since the first holds the stream's lock. */
static void check_user(const struct file_stream *s) {
  if (s->user && s->user != self->id + 1)
    refuse("two threads use one stream on a pipe or socket at a time: this is "
           "not supported; give each a stream of its own, by fdopen(dup(fd))");
}

/* Reports name them. */
PROG static struct mutex lock_of_stdin, lock_of_stdout, lock_of_stderr;

/* The head's members from _lock on have no other use. */
static struct mutex *lock_of(const struct file_stream *s) {
  struct mutex *standard_locks[] = {&lock_of_stdin, &lock_of_stdout,
                                    &lock_of_stderr};
  _Static_assert(offsetof(FILE, _lock) + sizeof(struct mutex) <= sizeof(FILE),
                 "the lock lies in the head");
  return s >= standard && s < standard + 3 ? standard_locks[s - standard]
                                           : (void *)&s->head._lock;
}

struct mutex *stream_lock(struct file_stream *s) {
  if (!(step_extras & EXTRA_STREAMS) && !engine.following && engine.steps.size)
    engine.stale = true;
  step_extras |= EXTRA_STREAMS;
  struct mutex *lock = lock_of(s);
  if (lock->kind != MUTEX_RECURSIVE)
    SET(lock->kind, MUTEX_RECURSIVE);
  return lock;
}

void stream_unlocked(uint64_t pc) {
  if ((step_extras & EXTRA_STREAMS) && self)
    SET(self->unlocked, pc);
}

/* As in glibc, a call locks the stream, which is a step of its own, and its
 * operation unlocks it. */
static bool lock(struct mutex *m, uint64_t pc) {
  if (likely(!(step_extras & EXTRA_STREAMS)) || !self ||
      m->owner == self->id + 1)
    return false;
  if (self->unlocked == pc) {
    SET(self->unlocked, 0);
    return false;
  }
  mutex_lock(m, pc);
  return true;
}

static void announce_unlock(struct libcall *e, struct mutex *m) {
  libcall_object(e, m);
  e->op.object = m;
  e->op.offers = mutex_offers;
}

static void unlock(const struct libcall *e, struct mutex *m) {
  if (likely(e->op.object != m))
    return;
  SET(m->owner, 0);
  SET(m->count, 0);
}

/* Stream and descriptor of the standard output are one object. */
void stream_begin_output(struct libcall *e, int number, uint64_t pc) {
  bool locked = lock(lock_of(&standard[number]), pc);
  libcall_begin(e, number == 1 ? OP_OUTPUT : OP_SCAN, pc);
  if (number == 1)
    libcall_object(e, stdout);
  if (locked)
    announce_unlock(e, lock_of(&standard[number]));
}

void stream_end_output(const struct libcall *e, int number) {
  unlock(e, lock_of(&standard[number]));
}

void stream_begin(struct libcall *e, struct file_stream *s, uint64_t pc) {
  bool locked = lock(lock_of(s), pc);
  file_begin(e, pc);
  libcall_object(e, &s->life);
  if (locked)
    announce_unlock(e, lock_of(s));
}

void stream_announce(struct libcall *e, const struct file_stream *s) {
  visible(&e->op);
  check_open(s, e->op.pc);
  check_user(s);
  for (unsigned i = 0; i < e->op.accesses; i++) {
    void *at = (void *)(uintptr_t)e->list[i].addr;
    if (at == &s->life || at == lock_of(s))
      continue;
    bool write = e->list[i].mode & ACCESS_WRITE;
    heap_check(at, e->list[i].size, write, e->op.pc);
    if (write)
      undo_note(at, e->list[i].size);
  }
  unlock(e, lock_of(s));
}

void stream_mark(struct file_stream *s, int mark, bool set) {
  int now = set ? s->head._flags | mark : s->head._flags & ~mark;
  if (now != s->head._flags)
    SET(s->head._flags, now);
}

static bool fails(struct file_stream *s) {
  stream_mark(s, STREAM_FAILED, true);
  return false;
}

/* ---- memory -------------------------------------------------------------- */

static size_t put_memory(struct file_stream *s, const char *bytes,
                         size_t size) {
  if (s->place + size > s->room) {
    uint64_t room = 2 * (s->place + size) + 64;
    char *larger = heap_allocate(room, 16, 0);
    heap_own(larger);
    undo_note(larger, s->size);
    memcpy(larger, s->memory, s->size);
    SET(s->memory, larger);
    SET(s->room, room);
  }
  undo_note(s->memory + s->place, size);
  memcpy(s->memory + s->place, bytes, size);
  SET(s->place, s->place + size);
  if (s->place > s->size)
    SET(s->size, s->place);
  return size;
}

/* The text so far is in a block of the program's. */
static void leave_result(struct file_stream *s) {
  char *block = heap_allocate(s->size + 1, 16, 0);
  undo_note(block, s->size);
  memcpy(block, s->memory, s->size);
  footprint_add(s->result, sizeof *s->result, ACCESS_WRITE);
  footprint_add(s->result_size, sizeof *s->result_size, ACCESS_WRITE);
  SET(*s->result, block);
  SET(*s->result_size, s->size);
}

/* ---- emptying ------------------------------------------------------------ */

static bool write_out(struct file_stream *s, const char *bytes, size_t size) {
  struct description *d = description_of(s->descriptor);
  if (d && d->kind == DESCRIPTION_OUTPUT) {
    output_append(output_number(d->number), bytes, size);
    return true;
  }
  while (d && size) {
    ssize_t done = description_write(d, bytes, size, FILE_HERE);
    if (done < 0)
      break;
    bytes += done;
    size -= (size_t)done;
  }
  return !size || fails(s);
}

static bool empty(struct file_stream *s) {
  uint32_t size = s->to;
  if (s->doing != STREAM_WRITES || !size)
    return true;
  SET(s->to, 0);
  return write_out(s, s->buffer, size);
}

/* What was read ahead is given back to the file. */
static void give_back(struct file_stream *s) {
  off_t ahead = (off_t)(s->to - s->from) + s->pushed;
  if (s->channel && ahead)
    refuse("a stream on a socket is written while there is input that was not "
           "read: use one stream for each direction, by fdopen(dup(fd))");
  if (s->doing == STREAM_READS && ahead && s->descriptor >= 0) {
    struct description *d = description_of(s->descriptor);
    if (d)
      description_seek(d, -ahead, SEEK_CUR);
  }
  SET(s->from, 0);
  SET(s->to, 0);
  SET(s->pushed, 0);
}

int stream_flush(struct file_stream *s) {
  if (s->result)
    leave_result(s);
  if (s->doing == STREAM_READS)
    give_back(s);
  return empty(s) ? 0 : EOF;
}

/* ---- writing ------------------------------------------------------------- */

static bool begin_writing(struct file_stream *s) {
  if (!s->may_write) {
    error_set(EBADF);
    return fails(s);
  }
  if (s->doing != STREAM_WRITES) {
    give_back(s);
    SET(s->doing, STREAM_WRITES);
  }
  return true;
}

static void append(struct file_stream *s, const char *bytes, size_t size) {
  undo_note(s->buffer + s->to, size);
  memcpy(s->buffer + s->to, bytes, size);
  SET(s->to, s->to + (uint32_t)size);
}

/* Whole buffers go to the file at once. */
static bool put_buffered(struct file_stream *s, const char *bytes,
                         size_t size) {
  size_t first = STREAM_BUFFER - s->to;
  if (first > size)
    first = size;
  append(s, bytes, first);
  size -= first;
  if (!size)
    return true;
  size_t whole = size - size % STREAM_BUFFER;
  if (!empty(s) || (whole && !write_out(s, bytes + first, whole)))
    return false;
  append(s, bytes + first + whole, size - whole);
  return true;
}

size_t stream_put(struct file_stream *s, const char *bytes, size_t size) {
  if (!begin_writing(s))
    return 0;
  if (s->descriptor < 0)
    return put_memory(s, bytes, size);
  if (s->channel) {
    if (size > STREAM_BUFFER - s->to)
      size = STREAM_BUFFER - s->to;
    append(s, bytes, size);
    return size;
  }
  if (s->buffering == _IONBF)
    return write_out(s, bytes, size) ? size : 0;
  if (!put_buffered(s, bytes, size))
    return 0;
  if (s->buffering == _IOLBF && memchr(bytes, '\n', size) && !empty(s))
    return 0;
  return size;
}

/* ---- reading ------------------------------------------------------------- */

static bool begin_reading(struct file_stream *s) {
  if (!s->may_read) {
    error_set(EBADF);
    return fails(s);
  }
  if (s->channel && s->doing == STREAM_WRITES && s->to)
    refuse("a stream on a pipe or socket is read while it has data that was "
           "not flushed: call fflush before, as the C standard demands");
  if (s->doing == STREAM_WRITES && !empty(s))
    return false;
  if (s->doing != STREAM_READS) {
    SET(s->from, 0);
    SET(s->to, 0);
    SET(s->doing, STREAM_READS);
  }
  return true;
}

void stream_append(struct file_stream *s, const char *bytes, size_t size) {
  uint32_t there = s->to - s->from;
  undo_note(s->buffer, there + size);
  memmove(s->buffer, s->buffer + s->from, there);
  memcpy(s->buffer + there, bytes, size);
  SET(s->from, 0);
  SET(s->to, there + (uint32_t)size);
}

/* As much as there is room for. */
bool stream_more(struct file_stream *s) {
  static char bytes[STREAM_BUFFER]; /* keep: scratch */
  size_t room = STREAM_BUFFER - (s->to - s->from);
  struct description *d =
      s->descriptor < 0 ? NULL : description_of(s->descriptor);
  ssize_t got = d ? description_read(d, bytes, room, FILE_HERE)
                : s->descriptor < 0 ? 0
                                    : -1;
  if (got < 0)
    return fails(s);
  if (got)
    stream_append(s, bytes, (size_t)got);
  else
    stream_mark(s, STREAM_ENDED, true);
  return got;
}

/* Is there something in the buffer? */
static bool fill(struct file_stream *s) {
  return s->from < s->to || (!s->channel && stream_more(s));
}

const char *stream_window(struct file_stream *s, size_t *size) {
  static char bytes[STREAM_PUSHED + STREAM_BUFFER]; /* keep: scratch */
  *size = 0;
  if (!begin_reading(s))
    return NULL;
  for (size_t i = s->pushed; i-- > 0;)
    bytes[(*size)++] = s->back[i];
  size_t rest = s->memory ? s->size - s->place : s->to - s->from;
  const char *from = s->memory ? s->memory + s->place : s->buffer + s->from;
  if (rest > STREAM_BUFFER)
    rest = STREAM_BUFFER;
  memcpy(bytes + *size, from, rest);
  *size += rest;
  return bytes;
}

static bool next_byte(struct file_stream *s, char *to) {
  if (s->pushed) {
    SET(s->pushed, s->pushed - 1);
    *to = s->back[s->pushed];
    return true;
  }
  if (s->memory && s->place < s->size) {
    *to = s->memory[s->place];
    SET(s->place, s->place + 1);
    return true;
  }
  if (!fill(s))
    return false;
  *to = s->buffer[s->from];
  s->from++;
  return true;
}

size_t stream_take(struct file_stream *s, char *to, size_t size, int stop) {
  size_t done = 0;
  if (!begin_reading(s))
    return 0;
  undo_note(&s->from, sizeof s->from);
  while (done < size && next_byte(s, to + done))
    if ((unsigned char)to[done++] == stop)
      break;
  if (done)
    step_reads_on();
  return done;
}

/* ---- the place ----------------------------------------------------------- */

static off_t seek_memory(struct file_stream *s, off_t offset, int whence) {
  off_t base = whence == SEEK_SET   ? 0
               : whence == SEEK_CUR ? (off_t)s->place
                                    : (off_t)s->size;
  if (base + offset < 0 || base + offset > (off_t)s->size)
    return file_error(EINVAL);
  SET(s->place, (uint64_t)(base + offset));
  return base + offset;
}

int stream_seek(struct file_stream *s, off_t offset, int whence) {
  if (!empty(s))
    return -1;
  give_back(s);
  struct description *d =
      s->descriptor < 0 ? NULL : description_of(s->descriptor);
  off_t at = s->descriptor < 0 ? seek_memory(s, offset, whence)
             : d               ? description_seek(d, offset, whence)
                               : -1;
  if (at < 0)
    return -1;
  stream_mark(s, STREAM_ENDED, false);
  SET(s->doing, STREAM_IDLE);
  return 0;
}

off_t stream_tell(struct file_stream *s) {
  if (s->descriptor < 0)
    return (off_t)s->place;
  struct description *d = description_of(s->descriptor);
  off_t at = d ? description_seek(d, 0, SEEK_CUR) : -1;
  if (at < 0)
    return -1;
  if (s->doing == STREAM_READS)
    return at - (off_t)(s->to - s->from) - s->pushed;
  if (s->to && d->flags & O_APPEND)
    at = description_seek(d, 0, SEEK_END);
  return at + (off_t)s->to;
}

/* ---- steps of their own -------------------------------------------------- */

int stream_print(FILE *stream, const char *format, va_list arguments,
                 uint64_t pc) {
  struct libcall e;
  struct file_stream *s = stream_of(stream, pc);
  size_t length;
  stream_begin(&e, s, pc);
  format_announce(&e, format, arguments);
  stream_announce(&e, s);
  format_touch(&e, format, arguments);
  const char *text = format_text(format, arguments, &length);
  return text && stream_send(s, text, length, pc) == length ? (int)length : -1;
}

size_t stream_write(FILE *stream, const char *bytes, size_t size, uint64_t pc) {
  struct libcall e;
  struct file_stream *s = stream_of(stream, pc);
  stream_begin(&e, s, pc);
  if (size == SIZE_MAX)
    libcall_string(&e, bytes, SIZE_MAX);
  else
    libcall_read(&e, bytes, size);
  stream_announce(&e, s);
  if (size == SIZE_MAX) {
    size = string_length(bytes, SIZE_MAX);
    touched(&e, bytes, size + 1);
  }
  return stream_send(s, bytes, size, pc) == size ? size : 0;
}

int stream_write_character(FILE *stream, int character, uint64_t pc) {
  struct libcall e;
  struct file_stream *s = stream_of(stream, pc);
  char byte = (char)character;
  stream_begin(&e, s, pc);
  stream_announce(&e, s);
  return stream_send(s, &byte, 1, pc) ? (unsigned char)byte : EOF;
}

size_t stream_write_line(FILE *stream, const char *text, uint64_t pc) {
  struct libcall e;
  struct file_stream *s = stream_of(stream, pc);
  stream_begin(&e, s, pc);
  libcall_string(&e, text, SIZE_MAX);
  stream_announce(&e, s);
  size_t size = string_length(text, SIZE_MAX);
  touched(&e, text, size + 1);
  char *line = channel_stage(text, size + 1, pc);
  line[size] = '\n';
  return stream_send(s, line, size + 1, pc);
}

int descriptor_print(int descriptor, const char *format, va_list arguments,
                     uint64_t pc) {
  struct libcall e;
  size_t length;
  file_begin(&e, pc);
  format_announce(&e, format, arguments);
  file_announce(&e);
  format_touch(&e, format, arguments);
  struct description *d = description_of(descriptor);
  const char *text = d ? format_text(format, arguments, &length) : NULL;
  if (!text)
    return -1;
  if (d->kind == DESCRIPTION_OUTPUT)
    return length ? (int)output_write(d->number, text, length, pc) : 0;
  if (d->kind == DESCRIPTION_CHANNEL)
    return (int)description_deliver(d, channel_stage(text, length, pc), length,
                                    0, pc);
  return (int)description_write(d, text, length, FILE_HERE);
}

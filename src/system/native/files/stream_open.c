/* fopen and its relatives, and the end of streams. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "channel.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "system/native/libc/heap.h"

/* prog: the streams that each thread has opened, the latest first. */
PROG static struct file_stream *opened[NATIVE_THREADS + 1];
PROG static uint32_t any; /* has a stream been opened? */

/* ---- modes --------------------------------------------------------------- */

/* The flags of open() for "r", "w+", ...; -1 with errno set. */
static int flags_of(const char *mode) {
  bool plus = strchr(mode, '+');
  int ways = plus ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  int close_on_exec = strchr(mode, 'e') ? O_CLOEXEC : 0;
  int alone = strchr(mode, 'x') ? O_EXCL : 0;
  switch (*mode) {
  case 'r':
    return ways | close_on_exec;
  case 'w':
    return ways | O_CREAT | O_TRUNC | alone | close_on_exec;
  case 'a':
    return ways | O_CREAT | O_APPEND | alone | close_on_exec;
  default:
    return file_error(EINVAL);
  }
}

static int mode_flags(const struct libcall *e, const char *mode) {
  size_t length = string_length(mode, SIZE_MAX);
  touched(e, mode, length + 1);
  return flags_of(mode);
}

static void set_ways(struct file_stream *s, int flags) {
  s->may_read = (flags & O_ACCMODE) != O_WRONLY;
  s->may_write = (flags & O_ACCMODE) != O_RDONLY;
}

/* ---- opening ------------------------------------------------------------- */

static struct file_stream *stream_new(int descriptor, int flags, uint64_t pc) {
  uint32_t thread = self ? self->id : NATIVE_THREADS;
  struct file_stream *s = heap_allocate(sizeof *s, 16, pc);
  heap_own(s);
  undo_note(s, offsetof(struct file_stream, buffer));
  memset(s, 0, offsetof(struct file_stream, buffer));
  s->life = STREAM_OPEN;
  s->descriptor = descriptor;
  set_ways(s, flags);
  s->next = opened[thread];
  file_reads(&any, sizeof any);
  if (!any)
    FILE_SET(any, 1);
  FILE_SET(opened[thread], s);
  return s;
}

static int open_file(const char *path, int flags, uint64_t pc) {
  struct description *d =
      flags < 0 ? NULL
                : description_open(name_working(), path, flags, 0666, pc);
  int descriptor = d ? descriptor_give(d, 0, flags & O_CLOEXEC) : -1;
  if (descriptor >= 0 && (flags & O_APPEND))
    description_seek(d, 0, SEEK_END);
  return descriptor;
}

static FILE *open_stream(const char *path, const char *mode, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_string(&e, path, SIZE_MAX);
  libcall_string(&e, mode, SIZE_MAX);
  file_announce(&e);
  int flags = mode_flags(&e, mode);
  path = file_path(&e, path);
  int descriptor = path ? open_file(path, flags, pc) : -1;
  return descriptor < 0 ? NULL : (FILE *)stream_new(descriptor, flags, pc);
}

#define FOPEN(name)                                           \
  INTERPOSED FILE *name(const char *path, const char *mode) { \
    return open_stream(path, mode, CALLER);                   \
  }
FOPEN(fopen)
FOPEN(fopen64)

INTERPOSED FILE *fdopen(int descriptor, const char *mode) {
  struct libcall e;
  file_begin(&e, CALLER);
  libcall_string(&e, mode, SIZE_MAX);
  file_announce(&e);
  int flags = mode_flags(&e, mode);
  struct description *d = flags < 0 ? NULL : description_of(descriptor);
  if (!d)
    return NULL;
  int has = (int)d->flags & O_ACCMODE, wants = flags & O_ACCMODE;
  if (has != O_RDWR && has != wants) {
    error_set(EINVAL);
    return NULL;
  }
  if ((flags & O_APPEND) && !(d->flags & O_APPEND))
    FILE_SET(d->flags, d->flags | O_APPEND);
  struct file_stream *s = stream_new(descriptor, flags, CALLER);
  s->channel = d->kind == DESCRIPTION_CHANNEL;
  return (FILE *)s;
}

/* The new file gets the old one's descriptor. */
static FILE *open_again(const char *path, const char *mode, FILE *stream,
                        uint64_t pc) {
  struct libcall e;
  struct file_stream *s = stream_of(stream, pc);
  if (!path)
    refuse("freopen without a path is not supported");
  stream_begin(&e, s, pc);
  libcall_string(&e, path, SIZE_MAX);
  libcall_string(&e, mode, SIZE_MAX);
  stream_announce(&e, s);
  if (s->channel)
    refuse("freopen of a stream on a pipe or socket is not supported");
  stream_flush(s);
  int flags = mode_flags(&e, mode);
  path = file_path(&e, path);
  struct description *d =
      !path || flags < 0
          ? NULL
          : description_open(name_working(), path, flags, 0666, pc);
  if (!d) {
    descriptor_close(s->descriptor);
    return NULL;
  }
  descriptor_replace(s->descriptor, d, flags & O_CLOEXEC);
  undo_note(s, offsetof(struct file_stream, buffer));
  set_ways(s, flags);
  s->doing = STREAM_IDLE;
  s->from = s->to = s->pushed = 0;
  s->head._flags = 0;
  return stream;
}

#define FREOPEN(name)                                                       \
  INTERPOSED FILE *name(const char *path, const char *mode, FILE *stream) { \
    return open_again(path, mode, stream, CALLER);                          \
  }
FREOPEN(freopen)
FREOPEN(freopen64)

/* A file without a name. */
static FILE *open_unnamed(uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  struct description *d = description_new(DESCRIPTION_FILE, O_RDWR, pc);
  d->node = node_create(S_IFREG | 0600);
  node_link(d->node, -1);
  int descriptor = descriptor_give(d, 0, false);
  return descriptor < 0 ? NULL : (FILE *)stream_new(descriptor, O_RDWR, pc);
}

INTERPOSED FILE *tmpfile(void) {
  return open_unnamed(CALLER);
}

INTERPOSED FILE *tmpfile64(void) {
  return open_unnamed(CALLER);
}

/* ---- memory -------------------------------------------------------------- */

INTERPOSED FILE *open_memstream(char **result, size_t *size) {
  struct libcall e;
  file_begin(&e, CALLER);
  libcall_write(&e, result, sizeof *result);
  libcall_write(&e, size, sizeof *size);
  file_announce(&e);
  struct file_stream *s = stream_new(-1, O_WRONLY, CALLER);
  s->result = result;
  s->result_size = size;
  *result = NULL;
  *size = 0;
  return (FILE *)s;
}

/* A copy: what the program writes to its memory later is not read. */
INTERPOSED FILE *fmemopen(void *memory, size_t size, const char *mode) {
  struct libcall e;
  file_begin(&e, CALLER);
  libcall_string(&e, mode, SIZE_MAX);
  libcall_read(&e, memory, size);
  file_announce(&e);
  int flags = mode_flags(&e, mode);
  if (flags < 0)
    return NULL;
  if ((flags & O_ACCMODE) != O_RDONLY)
    refuse("fmemopen for writing is not supported, only with mode \"r\"");
  struct file_stream *s = stream_new(-1, flags, CALLER);
  s->memory = heap_allocate(size + 1, 16, CALLER);
  heap_own(s->memory);
  undo_note(s->memory, size);
  memcpy(s->memory, memory, size);
  s->size = s->room = size;
  return (FILE *)s;
}

/* ---- the end ------------------------------------------------------------- */

INTERPOSED int fclose(FILE *stream) {
  struct libcall e;
  if (stream_output(stream, CALLER))
    return 0; /* output is never held back, and the program ends soon */
  struct file_stream *s = stream_of(stream, CALLER);
  stream_begin(&e, s, CALLER);
  stream_announce(&e, s);
  int result = stream_finish(s, CALLER);
  struct description *d =
      s->descriptor >= 0 ? description_of(s->descriptor) : NULL;
  if (s->descriptor >= 0 && descriptor_close(s->descriptor) < 0)
    result = EOF;
  SET(s->life, STREAM_CLOSED);
  if (heap_contains(s))
    heap_release(s, CALLER);
  if (s->channel && d && !d->users)
    description_end(d, CALLER);
  return result;
}

const uint32_t *streams_mark(void) {
  return &any;
}

/* At the end of the last thread there is no reader left. */
static void check_empty(const struct file_stream *s) {
  if (s->to && !thread_is_alone())
    refuse("a stream on a pipe or socket has data that was not flushed when "
           "all streams are: call fflush or fclose for this stream before");
}

static int flush_list(unsigned thread) {
  int result = 0;
  for (struct file_stream *s = opened[thread]; s; s = s->next) {
    file_reads(&s->life, sizeof s->life);
    if (s->life != STREAM_OPEN || s->doing != STREAM_WRITES)
      continue;
    if (s->channel) {
      check_empty(s);
      continue;
    }
    file_writes(&s->life, sizeof s->life);
    result |= stream_flush(s);
  }
  return result;
}

int streams_flush(void) {
  int result = 0;
  file_reads(&any, sizeof any);
  if (!any)
    return 0;
  file_reads(opened, sizeof opened); /* also those of threads still to come */
  for (unsigned i = 0; i <= NATIVE_THREADS; i++)
    result |= flush_list(i);
  return result;
}

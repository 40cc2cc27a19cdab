/* Calls on streams that are open: reading, the place, marks. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "channel.h"
#include "stream.h"

#include <errno.h>
#include <string.h>

#include "system/native/hooks/hooks.h"
#include "system/native/libc/heap.h"

/* Announces a step that touches no memory of the program. */
static struct file_stream *begin_on(FILE *stream, uint64_t pc) {
  struct libcall e;
  struct file_stream *s = stream_of(stream, pc);
  stream_begin(&e, s, pc);
  stream_announce(&e, s);
  return s;
}

/* ---- characters ---------------------------------------------------------- */

int stream_read_character(FILE *stream, uint64_t pc) {
  char byte;
  return stream_receive(begin_on(stream, pc), &byte, 1, -1, pc)
             ? (unsigned char)byte
             : EOF;
}

#define LOCKED ((void)0)
#define UNLOCKED stream_unlocked(CALLER)

#define GET_CHARACTER(name, lock)                 \
  INTERPOSED int name(FILE *stream) {             \
    lock;                                         \
    return stream_read_character(stream, CALLER); \
  }

#undef getc
#undef getchar
#undef fread_unlocked
#undef fgets_unlocked
int _IO_getc(FILE *);
int __uflow(FILE *);
GET_CHARACTER(fgetc, LOCKED)
GET_CHARACTER(getc, LOCKED)
GET_CHARACTER(_IO_getc, LOCKED)
GET_CHARACTER(getc_unlocked, UNLOCKED)
GET_CHARACTER(fgetc_unlocked, UNLOCKED)
GET_CHARACTER(__uflow,
              UNLOCKED) /* the headers call it: the buffer looks empty */

INTERPOSED int getchar(void) {
  return stream_read_character(stdin, CALLER);
}

INTERPOSED int getchar_unlocked(void) {
  stream_unlocked(CALLER);
  return stream_read_character(stdin, CALLER);
}

INTERPOSED int ungetc(int character, FILE *stream) {
  if (character == EOF)
    return EOF;
  struct file_stream *s = begin_on(stream, CALLER);
  if (!s->may_read || s->pushed == STREAM_PUSHED)
    return EOF;
  SET(s->back[s->pushed], (char)character);
  SET(s->pushed, s->pushed + 1);
  stream_mark(s, STREAM_ENDED, false);
  return (unsigned char)character;
}

/* ---- bytes and lines ----------------------------------------------------- */

/* The program's memory is written in a step behind those that wait. */
static size_t receive(struct file_stream *s, char *to, size_t size, int stop,
                      bool zero, uint64_t pc) {
  char *bytes = channel_room(size, pc);
  size_t got = stream_receive(s, bytes, size, stop, pc);
  SET(bytes[got], 0);
  if (got)
    copy_memory(to, bytes, got + zero, pc, NULL);
  return got;
}

/* How much is written to the program's memory depends on the file. */
static size_t take(FILE *stream, char *to, size_t size, int stop, bool zero,
                   uint64_t pc) {
  static char *bytes; /* keep: scratch */
  struct libcall e;
  struct file_stream *s = stream_of(stream, pc);
  stream_begin(&e, s, pc);
  libcall_begin_write(&e, to);
  stream_announce(&e, s);
  if (s->channel)
    return receive(s, to, size, stop, zero, pc);
  size_t got = stream_take(s, file_scratch(&bytes, size), size, stop);
  size_t written = got + (zero && got);
  bytes[got] = 0;
  touches(&e, to, written);
  memcpy(to, bytes, written);
  return got;
}

static char *get_line(char *to, int size, FILE *stream, uint64_t pc) {
  if (size <= 1) {
    if (size == 1)
      PUT_AT(*to, 0, pc);
    return size == 1 ? to : NULL;
  }
  return take(stream, to, (size_t)size - 1, '\n', true, pc) ? to : NULL;
}

#define FGETS(name, lock)                                   \
  INTERPOSED char *name(char *to, int size, FILE *stream) { \
    lock;                                                   \
    return get_line(to, size, stream, CALLER);              \
  }
FGETS(fgets, LOCKED)
FGETS(fgets_unlocked, UNLOCKED)

#define FGETS_CHK(name, lock)                                                  \
  INTERPOSED char *name(char *, size_t, int, FILE *);                          \
  INTERPOSED char *name(char *to, size_t room, int size, FILE *stream) {       \
    if (size > 0 && (size_t)size > room)                                       \
      fail(FINDING_MEMORY, CALLER,                                             \
           "out of bounds: fgets of up to %d bytes to an object of %zu bytes", \
           size, room);                                                        \
    lock;                                                                      \
    return get_line(to, size, stream, CALLER);                                 \
  }
FGETS_CHK(__fgets_chk, LOCKED)
FGETS_CHK(__fgets_unlocked_chk, UNLOCKED)

static size_t get_items(void *to, size_t size, size_t count, FILE *stream,
                        uint64_t pc) {
  if (!size || !count)
    return 0;
  return take(stream, to, size * count, -1, false, pc) / size;
}

#define FREAD(name, lock)                                                     \
  INTERPOSED size_t name(void *to, size_t size, size_t count, FILE *stream) { \
    lock;                                                                     \
    return get_items(to, size, count, stream, CALLER);                        \
  }
FREAD(fread, LOCKED)
FREAD(fread_unlocked, UNLOCKED)

#define FREAD_CHK(name, lock)                                              \
  INTERPOSED size_t name(void *, size_t, size_t, size_t, FILE *);          \
  INTERPOSED size_t name(void *to, size_t room, size_t size, size_t count, \
                         FILE *stream) {                                   \
    if (size * count > room)                                               \
      fail(FINDING_MEMORY, CALLER,                                         \
           "out of bounds: fread of up to %zu bytes to an object of %zu "  \
           "bytes",                                                        \
           size *count, room);                                             \
    lock;                                                                  \
    return get_items(to, size, count, stream, CALLER);                     \
  }
FREAD_CHK(__fread_chk, LOCKED)
FREAD_CHK(__fread_unlocked_chk, UNLOCKED)

/* ---- lines of any length ------------------------------------------------- */

/* The line in a block of the runtime's, which only this thread knows; NULL at
 * the end. */
static char *take_line(FILE *stream, int stop, size_t *length, uint64_t pc) {
  struct file_stream *s = begin_on(stream, pc);
  char *block = NULL;
  size_t room = 0;
  for (*length = 0;; ++*length) {
    if (*length + 1 >= room) {
      char *larger = heap_allocate(room = 2 * room + 128, 16, pc);
      heap_own(larger);
      undo_note(larger, *length);
      memcpy(larger, block, *length);
      block = larger;
    }
    if (!stream_receive(s, block + *length, 1, -1, pc))
      break;
    if ((unsigned char)block[*length] == stop) {
      ++*length;
      break;
    }
  }
  SET(block[*length], 0);
  return *length ? block : NULL;
}

static ssize_t get_any_line(char **to, size_t *room, int stop, FILE *stream,
                            uint64_t pc) {
  size_t length;
  if (!to || !room)
    return file_error(EINVAL);
  const char *line = take_line(stream, stop, &length, pc);
  if (!line)
    return -1;
  char *block = LOOK_AT(*to, pc);
  if (!block || LOOK_AT(*room, pc) < length + 1) {
    size_t wanted = length + 1 < 120 ? 120 : length + 1;
    block = heap_reallocate(block, wanted, pc);
    PUT_AT(*to, block, pc);
    PUT_AT(*room, wanted, pc);
  }
  copy_memory(block, line, length + 1, pc, NULL);
  return (ssize_t)length;
}

INTERPOSED ssize_t getline(char **to, size_t *room, FILE *stream) {
  return get_any_line(to, room, '\n', stream, CALLER);
}

#define GETDELIM(name)                                                       \
  INTERPOSED ssize_t name(char **to, size_t *room, int stop, FILE *stream) { \
    return get_any_line(to, room, stop, stream, CALLER);                     \
  }
__ssize_t __getdelim(char **, size_t *, int, FILE *);
GETDELIM(getdelim)
GETDELIM(__getdelim)

/* ---- the place ----------------------------------------------------------- */

#define FSEEK(name, type)                                                    \
  INTERPOSED int name(FILE *stream, type offset, int whence) {               \
    if (stream_output(stream, CALLER))                                       \
      return file_error(ESPIPE);                                             \
    struct file_stream *s = begin_on(stream, CALLER);                        \
    return s->channel ? file_error(ESPIPE) : stream_seek(s, offset, whence); \
  }
FSEEK(fseek, long)
FSEEK(fseeko, off_t)
FSEEK(fseeko64, off_t)

#define FTELL(name, type)                         \
  INTERPOSED type name(FILE *stream) {            \
    if (stream_output(stream, CALLER))            \
      return file_error(ESPIPE);                  \
    return stream_tell(begin_on(stream, CALLER)); \
  }
FTELL(ftell, long)
FTELL(ftello, off_t)
FTELL(ftello64, off_t)

#define FGETPOS(name, type)                          \
  INTERPOSED int name(FILE *stream, type *to) {      \
    if (stream_output(stream, CALLER))               \
      return file_error(ESPIPE);                     \
    long at = stream_tell(begin_on(stream, CALLER)); \
    if (at < 0)                                      \
      return -1;                                     \
    PUT_AT(to->__pos, at, CALLER);                   \
    return 0;                                        \
  }
FGETPOS(fgetpos, fpos_t)
FGETPOS(fgetpos64, fpos64_t)

#define FSETPOS(name, type)                                                \
  INTERPOSED int name(FILE *stream, const type *from) {                    \
    off_t at = LOOK_AT(from->__pos, CALLER);                               \
    if (stream_output(stream, CALLER))                                     \
      return file_error(ESPIPE);                                           \
    struct file_stream *s = begin_on(stream, CALLER);                      \
    return s->channel ? file_error(ESPIPE) : stream_seek(s, at, SEEK_SET); \
  }
FSETPOS(fsetpos, fpos_t)
FSETPOS(fsetpos64, fpos64_t)

INTERPOSED void rewind(FILE *stream) {
  if (stream_output(stream, CALLER))
    return;
  struct file_stream *s = begin_on(stream, CALLER);
  if (!s->channel)
    stream_seek(s, 0, SEEK_SET);
  stream_mark(s, STREAM_FAILED, false);
}

/* ---- marks --------------------------------------------------------------- */

static int marked(FILE *stream, int mark, uint64_t pc) {
  return !stream_output(stream, pc) &&
         (begin_on(stream, pc)->head._flags & mark);
}

#define MARKED(name, mark, lock)         \
  INTERPOSED int name(FILE *stream) {    \
    lock;                                \
    return marked(stream, mark, CALLER); \
  }
#undef feof_unlocked
#undef ferror_unlocked
#undef clearerr_unlocked
MARKED(feof, STREAM_ENDED, LOCKED)
MARKED(feof_unlocked, STREAM_ENDED, UNLOCKED)
MARKED(ferror, STREAM_FAILED, LOCKED)
MARKED(ferror_unlocked, STREAM_FAILED, UNLOCKED)

#define CLEARERR(name, lock)                                              \
  INTERPOSED void name(FILE *stream) {                                    \
    lock;                                                                 \
    if (!stream_output(stream, CALLER))                                   \
      stream_mark(begin_on(stream, CALLER), STREAM_ENDED | STREAM_FAILED, \
                  false);                                                 \
  }
CLEARERR(clearerr, LOCKED)
CLEARERR(clearerr_unlocked, UNLOCKED)

INTERPOSED int fileno(FILE *stream) {
  int descriptor = stream_of(stream, CALLER)->descriptor;
  return descriptor < 0 ? file_error(EBADF) : descriptor;
}

INTERPOSED int fileno_unlocked(FILE *stream) {
  int descriptor = stream_of(stream, CALLER)->descriptor;
  return descriptor < 0 ? file_error(EBADF) : descriptor;
}

/* ---- the buffer ---------------------------------------------------------- */

static int flush(FILE *stream, uint64_t pc) {
  if (stream && stream_output(stream, pc))
    return 0;
  if (stream)
    return stream_finish(begin_on(stream, pc), pc);
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  return streams_flush();
}

INTERPOSED int fflush(FILE *stream) {
  return flush(stream, CALLER);
}

INTERPOSED int fflush_unlocked(FILE *stream) {
  stream_unlocked(CALLER);
  return flush(stream, CALLER);
}

/* The program's own buffer is not used. */
static int set_buffering(FILE *stream, int mode, uint64_t pc) {
  if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)
    return -1;
  if (stream_output(stream, pc))
    return 0;
  struct file_stream *s = begin_on(stream, pc);
  SET(s->buffering, (uint8_t)mode);
  return 0;
}

INTERPOSED int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
  (void)buffer, (void)size;
  return set_buffering(stream, mode, CALLER);
}

INTERPOSED void setbuf(FILE *stream, char *buffer) {
  set_buffering(stream, buffer ? _IOFBF : _IONBF, CALLER);
}

INTERPOSED void setbuffer(FILE *stream, char *buffer, size_t size) {
  (void)size;
  set_buffering(stream, buffer ? _IOFBF : _IONBF, CALLER);
}

INTERPOSED void setlinebuf(FILE *stream) {
  set_buffering(stream, _IOLBF, CALLER);
}

/* ---- locks --------------------------------------------------------------- */

static struct mutex *lock_of(FILE *stream, uint64_t pc) {
  return stream_lock(stream_of(stream, pc));
}

INTERPOSED void flockfile(FILE *stream) {
  mutex_lock(lock_of(stream, CALLER), CALLER);
}

INTERPOSED int ftrylockfile(FILE *stream) {
  return mutex_trylock(lock_of(stream, CALLER), CALLER);
}

INTERPOSED void funlockfile(FILE *stream) {
  mutex_unlock(lock_of(stream, CALLER), CALLER);
}

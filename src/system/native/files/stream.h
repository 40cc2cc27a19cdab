/* Streams of stdio on files.
 *
 * A stream has a buffer, as in glibc: what is written reaches the file when the
 * buffer is full, by fflush() or fclose(), or at the end of the program, and
 * what was read ahead is not read again.  A call is one step on the stream; the
 * file is touched only when the buffer is filled or emptied.  The standard
 * output and the standard error stream are not here as long as their
 * descriptors are those that the program began with: see libc_stdio.c.
 */
#ifndef SYSTEM_NATIVE_FILES_STREAM_H
#define SYSTEM_NATIVE_FILES_STREAM_H

#include <stdio.h>

#include "files.h"
#include "system/native/pthread/sync.h"

enum { STREAM_BUFFER = 4096, STREAM_PUSHED = 4 };
enum { STREAM_OPEN = 0x4f70656e, STREAM_CLOSED = 0x436c6f73 };
enum stream_doing { STREAM_IDLE, STREAM_READS, STREAM_WRITES };

/* prog: what FILE is here; in a block of the heap. */
struct file_stream {
  FILE head;     /* headers look into it: _flags has the marks of end and error,
                     and all pointers are NULL, as in an empty buffer */
  uint32_t life; /* STREAM_OPEN, ... */
  int descriptor; /* -1: memory */
  bool may_read, may_write;
  uint8_t buffering; /* _IOFBF, _IOLBF, _IONBF */
  uint8_t doing;     /* enum stream_doing */
  uint8_t pushed;    /* bytes of ungetc() */
  bool channel;      /* on a pipe or socket: see stream_channel.c */
  uint32_t user; /* the thread that uses it while it waits, and 1; 0: none */
  char back[STREAM_PUSHED];
  uint32_t from,
      to;       /* the bytes of the buffer that are to be read or written */
  char *memory; /* of a memory stream */
  uint64_t size, room, place;
  char **result;            /* of open_memstream(): where to leave the text, */
  size_t *result_size;      /* and its size */
  struct file_stream *next; /* opened by the same thread before */
  char buffer[STREAM_BUFFER];
};

/* 1, 2: the standard output or error stream as the program began with it; 0: it
 * is another one. */
int stream_output(FILE *, uint64_t pc);

/* Fails the thread if it is not open. */
struct file_stream *stream_of(FILE *, uint64_t pc);

/* Begins the description of a step on the stream. */
void stream_begin(struct libcall *, struct file_stream *, uint64_t pc);

/* For flockfile(): the program uses locks of streams. */
struct mutex *stream_lock(struct file_stream *);
/* The call that was made at pc does not look at the lock of its stream. */
void stream_unlocked(uint64_t pc);
/* Begins the description of output to this standard stream, and after its
 * announcement. */
void stream_begin_output(struct libcall *, int number, uint64_t pc);
void stream_end_output(const struct libcall *, int number);

/* Announces it, and fails the thread if the stream is closed. */
void stream_announce(struct libcall *, const struct file_stream *);

/* ---- as part of a step --------------------------------------------------- */

/* Up to `size` bytes, and no more after a byte `stop` (-1: none).  Sets the
 * mark of the end, or of an error. */
size_t stream_take(struct file_stream *, char *to, size_t size, int stop);
size_t stream_put(struct file_stream *, const char *, size_t);
int stream_flush(struct file_stream *);
/* What can be taken without reading from the file, and more of it.  The latter
 * is false at the end. */
const char *stream_window(struct file_stream *, size_t *size);
bool stream_more(struct file_stream *);
/* The same with bytes from elsewhere; there must be room. */
void stream_append(struct file_stream *, const char *, size_t);
int stream_seek(struct file_stream *, off_t, int whence);
off_t stream_tell(struct file_stream *);
void stream_mark(struct file_stream *, int mark, bool set);

enum { STREAM_ENDED = 0x10, STREAM_FAILED = 0x20 }; /* bits of head._flags */

/* All streams, at the end of the program and for fflush(NULL). */
int streams_flush(void);
/* Not 0: a stream has been opened. */
const uint32_t *streams_mark(void);

/* ---- on pipes and sockets, too ------------------------------------------- */

/* The caller has announced a step on the stream.  With a channel these may wait
 * in other steps; then the thread is in a new step on the stream.  The bytes
 * are taken to memory that only this thread knows. */
size_t stream_receive(struct file_stream *, char *to, size_t size, int stop,
                      uint64_t pc);
size_t stream_send(struct file_stream *, const char *, size_t, uint64_t pc);
int stream_finish(struct file_stream *, uint64_t pc); /* flushes it */
/* More bytes from the channel; false at the end. */
bool stream_wait(struct file_stream *, uint64_t pc);

/* ---- for printf and its like: a step of its own ------------------------- */

int stream_print(FILE *, const char *format, va_list, uint64_t pc);
/* `size` SIZE_MAX: up to the final zero. */
size_t stream_write(FILE *, const char *, size_t size, uint64_t pc);
int stream_write_character(FILE *, int character, uint64_t pc);
size_t stream_write_line(FILE *, const char *, uint64_t pc); /* and its end */
int stream_read_character(FILE *, uint64_t pc);
/* dprintf to a file. */
int descriptor_print(int descriptor, const char *format, va_list, uint64_t pc);

#endif

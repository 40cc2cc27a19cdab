/* Channels: pipes, sockets and eventfds between threads of the program.
 *
 * A channel carries bytes, or a number, from one description to another.  It is
 * an object that threads wait for (pthread/sync.h): a read waits until there is
 * something to read or nothing will come, a write until there is room.  The
 * data of a write is taken from the program's memory in a step before, and the
 * data of a read is put there in a step behind.
 */
#ifndef SYSTEM_NATIVE_FILES_CHANNEL_H
#define SYSTEM_NATIVE_FILES_CHANNEL_H

#include "files.h"

enum {
  CHANNEL_ROOM = 65536, /* bytes that fit in, as in Linux */
  CHANNEL_PIECE = 4096, /* PIPE_BUF: a write waits for so much room */
};

/* prog: in a block of the heap. */
struct channel {
  uint32_t mark;    /* its address stands for the channel in footprints */
  uint32_t counts;  /* it is an eventfd: 1, or 2 for a semaphore */
  uint32_t readers, /* 1: the description is open, and not shut down */
      writers;
  uint32_t shut;  /* its reading end was shut down */
  uint32_t reset; /* the writing end was closed with unread bytes */
  uint64_t value; /* of an eventfd */
  struct timer_descriptor *timer; /* it is one: timer_descriptor.c */
  /* For EPOLLET: how often data came, there was room after none, and an end was
   * closed. */
  uint32_t arrivals, rooms, ends;
  uint32_t from, count; /* bytes to be read */
  char *bytes;          /* a ring of CHANNEL_ROOM bytes */
};

struct channel *channel_new(uint32_t counts, uint64_t pc);

/* As part of a step: could a read go on, or a write? */
bool channel_is_readable(const struct channel *);
bool channel_is_writable(const struct channel *);

/* Steps of their own.  They wait unless `wait` is false: then errno is EAGAIN.
 */
ssize_t channel_read(struct channel *, char *to, size_t, bool wait, bool peek,
                     uint64_t pc);
ssize_t channel_write(struct channel *, const char *, size_t, bool wait,
                      uint64_t pc);
/* Whether a read (0) or a write (1) of it waits, as part of a step.  One that
 * waits for a time looks once, and is out of time if it got nothing. */
struct patience {
  bool waits;
  uint64_t time; /* not 0: so long, but does not wait for others */
};
struct patience channel_patience(const struct description *, int way,
                                 int flags);
/* ... and then it got this. */
void channel_waited(struct patience, bool nothing);

/* A step of its own that concerns it. */
void channel_step(struct channel *, enum op, uint64_t pc);
/* The step at hand has taken the number of a timer descriptor. */
void timer_descriptor_taken(struct channel *);
/* No more reads, or no more writes.  A thread that waits to read when its end
 * is closed waits on; if it is shut down, there is nothing more to come. */
enum channel_end {
  CHANNEL_CLOSE_READS,
  CHANNEL_SHUT_READS,
  CHANNEL_END_WRITES
};
void channel_end(struct channel *, enum channel_end, uint64_t pc);

/* A block that only this thread knows; and a copy of the program's memory. */
char *channel_room(size_t, uint64_t pc);
char *channel_stage(const void *, size_t, uint64_t pc);

/* read() and write() behind the step that found the description.  The first
 * leaves the bytes in a block of its own. */
ssize_t description_take(struct description *, char **to, size_t, int flags,
                         uint64_t pc);
ssize_t description_receive(struct description *, void *to, size_t, int flags,
                            uint64_t pc);
ssize_t description_deliver(struct description *, const char *staged, size_t,
                            int flags, uint64_t pc);
/* All of it. */
ssize_t channel_call_read(int descriptor, void *to, size_t, int flags,
                          uint64_t pc);
ssize_t channel_call_write(int descriptor, const void *, size_t, int flags,
                           uint64_t pc);
/* The last descriptor of it was closed. */
void description_end(struct description *, uint64_t pc);

bool description_is_socket(const struct description *);

/* A read of what signalfd() has made (signal_descriptor.c). */
ssize_t signal_descriptor_read(struct description *, void *to, size_t,
                               uint64_t pc);

/* send and recv. */
ssize_t socket_send(int descriptor, const void *, size_t, int flags,
                    uint64_t pc);
ssize_t socket_receive(int descriptor, void *to, size_t, int flags,
                       uint64_t pc);
/* The same with several ranges of memory, for sendmsg, readv and the like. */
struct iovec;
ssize_t ranges_send(int descriptor, const struct iovec *, int count, int flags,
                    uint64_t pc);
ssize_t ranges_receive(int descriptor, const struct iovec *, int count,
                       int flags, uint64_t pc);

/* Descriptors for new channels. */
struct description *description_on(struct channel *in, struct channel *out,
                                   uint32_t flags, uint64_t pc);

#endif

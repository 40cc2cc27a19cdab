/* Channels: see channel.h. */
#define _GNU_SOURCE
#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "system/native/libc/heap.h"
#include "system/native/engine/interrupt.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/pthread/cancel.h"
#include "system/native/pthread/sync.h"

#define MOST_VALUE (UINT64_MAX - 1) /* of an eventfd */

char *channel_room(size_t size, uint64_t pc) {
  char *block = heap_allocate(size + 1, 16, pc);
  heap_own(block);
  return block;
}

struct channel *channel_new(uint32_t counts, uint64_t pc) {
  struct channel *c = (void *)channel_room(sizeof *c, pc);
  char *bytes = counts ? NULL : channel_room(CHANNEL_ROOM, pc);
  undo_note(c, sizeof *c);
  *c = (struct channel){
      .counts = counts, .readers = 1, .writers = 1, .bytes = bytes};
  return c;
}

char *channel_stage(const void *from, size_t size, uint64_t pc) {
  char *block = channel_room(size, pc);
  undo_note(block, size);
  memcpy(block, from, size);
  return block;
}

/* ---- what it offers ------------------------------------------------------ */

static bool readable(const struct channel *c) {
  return c->count || c->value || !c->writers || c->shut;
}

static bool writable(const struct channel *c) {
  return !c->readers || !c->writers ||
         (c->counts ? c->value < MOST_VALUE
                    : CHANNEL_ROOM - c->count >= CHANNEL_PIECE);
}

static uint8_t channel_offers(const struct operation *op) {
  const struct channel *c = op->object;
  return (readable(c) ? OFFER_ONE : 0) | (writable(c) ? OFFER_ROOM : 0);
}

bool channel_is_readable(const struct channel *c) {
  file_reads(&c->mark, OBJECT_SIZE);
  return readable(c);
}

bool channel_is_writable(const struct channel *c) {
  file_reads(&c->mark, OBJECT_SIZE);
  return writable(c);
}

/* Announces an operation that wants something.  False with errno set: it could
 * not be had. */
static bool announce(struct channel *c, enum op op, uint8_t wants, bool wait,
                     uint64_t pc) {
  struct object_step step;
  object_operation(&step, op, c, channel_offers, pc);
  if (wait)
    object_blocking(&step, wants);
  else
    object_conditional(&step, wants);
  step.op.interruptible = wait ? INTERRUPT_FAILS : INTERRUPT_NOT;
  if (wait && cancel_visible(&step.op))
    cancel_act();
  if (!wait)
    visible(&step.op);
  if (interrupted()) {
    error_set(EINTR);
    return false;
  }
  if (channel_offers(&step.op) & wants)
    return true;
  footprint_only_read();
  error_set(EAGAIN);
  return false;
}

/* ---- reading ------------------------------------------------------------- */

static size_t copy_out(const struct channel *c, char *to, size_t size) {
  size_t first = CHANNEL_ROOM - c->from;
  if (size > c->count)
    size = c->count;
  if (first > size)
    first = size;
  memcpy(to, c->bytes + c->from, first);
  memcpy(to + first, c->bytes, size - first);
  return size;
}

static ssize_t take_value(struct channel *c, char *to) {
  uint64_t value = c->counts == 2 ? 1 : c->value;
  memcpy(to, &value, sizeof value);
  SET(c->value, c->value - value);
  if (c->timer)
    timer_descriptor_taken(c);
  return sizeof value;
}

static void take_bytes(struct channel *c, size_t got) {
  bool had_room = writable(c);
  SET(c->from, (uint32_t)((c->from + got) % CHANNEL_ROOM));
  SET(c->count, (uint32_t)(c->count - got));
  if (!had_room && writable(c))
    SET(c->rooms, c->rooms + 1);
}

ssize_t channel_read(struct channel *c, char *to, size_t size, bool wait,
                     bool peek, uint64_t pc) {
  if (c->counts && size < sizeof c->value)
    return file_error(EINVAL);
  if (!announce(c, OP_RECEIVE, OFFER_ONE, wait, pc))
    return -1;
  undo_note(to, size);
  if (c->counts)
    return take_value(c, to);
  size_t got = copy_out(c, to, size);
  if (!got && c->reset) {
    SET(c->reset, 0);
    return file_error(ECONNRESET);
  }
  if (!peek && got)
    take_bytes(c, got);
  return (ssize_t)got;
}

/* ---- writing ------------------------------------------------------------- */

static size_t copy_in(struct channel *c, const char *from, size_t size) {
  uint32_t at = (c->from + c->count) % CHANNEL_ROOM;
  if (size > CHANNEL_ROOM - c->count)
    size = CHANNEL_ROOM - c->count;
  size_t first = CHANNEL_ROOM - at < size ? CHANNEL_ROOM - at : size;
  undo_note(c->bytes + at, first);
  memcpy(c->bytes + at, from, first);
  if (size > first) {
    undo_note(c->bytes, size - first);
    memcpy(c->bytes, from + first, size - first);
  }
  SET(c->count, (uint32_t)(c->count + size));
  SET(c->arrivals, c->arrivals + 1);
  return size;
}

static ssize_t add_value(struct channel *c, const char *from, size_t size,
                         bool wait, uint64_t pc) {
  uint64_t value;
  if (size < sizeof value)
    return file_error(EINVAL);
  memcpy(&value, from, sizeof value);
  if (value > MOST_VALUE)
    return file_error(EINVAL);
  if (!announce(c, OP_DELIVER, OFFER_ROOM, wait, pc))
    return -1;
  if (c->value > MOST_VALUE - value)
    refuse("an eventfd whose number grows beyond its limit is not supported");
  SET(c->value, c->value + value);
  SET(c->arrivals, c->arrivals + 1);
  return sizeof value;
}

/* A large write goes in piece by piece, as there is room. */
ssize_t channel_write(struct channel *c, const char *from, size_t size,
                      bool wait, uint64_t pc) {
  size_t done = 0;
  if (c->counts)
    return add_value(c, from, size, wait, pc);
  while (done < size) {
    if (!announce(c, OP_DELIVER, OFFER_ROOM, wait, pc))
      return done ? (ssize_t)done : -1;
    if (!c->readers || !c->writers)
      return done ? (ssize_t)done : file_error(EPIPE);
    done += copy_in(c, from + done, size - done);
  }
  return (ssize_t)done;
}

void channel_step(struct channel *c, enum op op, uint64_t pc) {
  struct object_step step;
  object_operation(&step, op, c, channel_offers, pc);
  visible(&step.op);
}

void channel_end(struct channel *c, enum channel_end end, uint64_t pc) {
  channel_step(c, OP_HANGUP, pc);
  SET(c->ends, c->ends + 1);
  if (end == CHANNEL_END_WRITES)
    SET(c->writers, 0);
  else
    SET(c->readers, 0);
  if (end == CHANNEL_SHUT_READS)
    SET(c->shut, 1);
}

/* ---- by descriptions ----------------------------------------------------- */

struct patience channel_patience(const struct description *d, int way,
                                 int flags) {
  file_reads(&d->flags, sizeof d->flags);
  file_reads(&d->patience[way], sizeof *d->patience);
  if (d->flags & O_NONBLOCK || flags & MSG_DONTWAIT)
    return (struct patience){false, 0};
  return (struct patience){!d->patience[way], d->patience[way]};
}

void channel_waited(struct patience p, bool nothing) {
  if (p.time && nothing && file_error_now() == EAGAIN)
    time_pass(p.time);
}

bool description_is_socket(const struct description *d) {
  return d->kind == DESCRIPTION_CHANNEL &&
         (d->socket || (d->in && d->out && d->in != d->out));
}

/* Where the description leads may change. */
static void find_channels(const struct description *d) {
  if (d->socket)
    file_reads(&d->in, 2 * sizeof d->in);
}

ssize_t description_take(struct description *d, char **to, size_t size,
                         int flags, uint64_t pc) {
  find_channels(d);
  if (!d->in)
    return file_error(!d->socket                     ? EBADF
                      : d->socket->domain == AF_UNIX ? EINVAL
                                                     : ENOTCONN);
  if (size > CHANNEL_ROOM)
    size = CHANNEL_ROOM;
  *to = channel_room(size + 8, pc);
  struct patience p = channel_patience(d, 0, flags);
  ssize_t got = channel_read(d->in, *to, size, p.waits, flags & MSG_PEEK, pc);
  channel_waited(p, got < 0);
  return got;
}

ssize_t description_receive(struct description *d, void *to, size_t size,
                            int flags, uint64_t pc) {
  char *staged;
  ssize_t got = description_take(d, &staged, size, flags, pc);
  if (got > 0)
    copy_memory(to, staged, (size_t)got, pc, NULL);
  return got;
}

ssize_t description_deliver(struct description *d, const char *staged,
                            size_t size, int flags, uint64_t pc) {
  find_channels(d);
  if (!d->out)
    return file_error(!d->socket                     ? EBADF
                      : d->socket->domain == AF_UNIX ? ENOTCONN
                                                     : EPIPE);
  struct patience p = channel_patience(d, 1, flags);
  ssize_t done = channel_write(d->out, staged, size, p.waits, pc);
  channel_waited(p, done < 0);
  return done;
}

/* As in Linux, what a closed socket has not read comes back as an error. */
void description_end(struct description *d, uint64_t pc) {
  bool unread = false;
  if (d->socket)
    socket_end(d->socket, pc);
  if (d->in) {
    channel_end(d->in, CHANNEL_CLOSE_READS, pc);
    unread = d->in->count;
  }
  if (d->out && d->out != d->in) {
    channel_end(d->out, CHANNEL_END_WRITES, pc);
    if (unread)
      SET(d->out->reset, 1);
  }
}

struct description *description_on(struct channel *in, struct channel *out,
                                   uint32_t flags, uint64_t pc) {
  struct description *d = description_new(DESCRIPTION_CHANNEL, flags, pc);
  d->in = in;
  d->out = out;
  return d;
}

/* pipe, eventfd and socketpair. */
#define _GNU_SOURCE
#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Both descriptors, or neither. */
static int give_two(struct description *a, struct description *b, int to[2],
                    bool close_on_exec) {
  int first = descriptor_give(a, 0, close_on_exec);
  int second = first < 0 ? -1 : descriptor_give(b, 0, close_on_exec);
  if (first >= 0 && second < 0)
    descriptor_close(first);
  if (second < 0)
    return file_error(EMFILE);
  to[0] = first;
  to[1] = second;
  return 0;
}

static void begin_two(int to[2], uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  libcall_write(&e, to, 2 * sizeof *to);
  file_announce(&e);
}

static int make_pipe(int to[2], int flags, uint64_t pc) {
  if (flags & ~(O_NONBLOCK | O_CLOEXEC))
    return file_error(EINVAL);
  begin_two(to, pc);
  struct channel *c = channel_new(0, pc);
  uint32_t more = (uint32_t)flags & O_NONBLOCK;
  return give_two(description_on(c, NULL, O_RDONLY | more, pc),
                  description_on(NULL, c, O_WRONLY | more, pc), to,
                  flags & O_CLOEXEC);
}

INTERPOSED int pipe(int to[2]) {
  return make_pipe(to, 0, CALLER);
}

INTERPOSED int pipe2(int to[2], int flags) {
  return make_pipe(to, flags, CALLER);
}

INTERPOSED int socketpair(int domain, int type, int protocol, int to[2]) {
  int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (domain != AF_UNIX)
    return file_error(EOPNOTSUPP);
  if (kind != SOCK_STREAM || protocol)
    refuse("socketpair is supported for SOCK_STREAM only");
  begin_two(to, CALLER);
  struct channel *there = channel_new(0, CALLER),
                 *back = channel_new(0, CALLER);
  uint32_t flags = O_RDWR | (type & SOCK_NONBLOCK ? O_NONBLOCK : 0);
  return give_two(description_on(back, there, flags, CALLER),
                  description_on(there, back, flags, CALLER), to,
                  type & SOCK_CLOEXEC);
}

INTERPOSED int eventfd(unsigned value, int flags) {
  struct libcall e;
  if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
    return file_error(EINVAL);
  file_begin(&e, CALLER);
  file_announce(&e);
  struct channel *c = channel_new(flags & EFD_SEMAPHORE ? 2 : 1, CALLER);
  SET(c->value, value);
  struct description *d = description_on(
      c, c, O_RDWR | (flags & EFD_NONBLOCK ? O_NONBLOCK : 0), CALLER);
  return descriptor_give(d, 0, flags & EFD_CLOEXEC);
}

INTERPOSED int eventfd_read(int descriptor, eventfd_t *value) {
  return channel_call_read(descriptor, value, sizeof *value, 0, CALLER) ==
                 sizeof *value
             ? 0
             : -1;
}

INTERPOSED int eventfd_write(int descriptor, eventfd_t value) {
  return channel_call_write(descriptor, &value, sizeof value, 0, CALLER) ==
                 sizeof value
             ? 0
             : -1;
}

/* ---- sockets: send and recv ---------------------------------------------- */

static void check_flags(const char *name, int flags) {
  int known = MSG_DONTWAIT | MSG_NOSIGNAL | MSG_PEEK | MSG_WAITALL | MSG_MORE;
  if (flags & ~known)
    refuse("%s with flags %#x is not supported", name, (unsigned)flags);
}

ssize_t socket_receive(int descriptor, void *to, size_t size, int flags,
                       uint64_t pc) {
  size_t done = 0;
  check_flags("recv", flags);
  while (done < size) {
    ssize_t got = channel_call_read(descriptor, (char *)to + done, size - done,
                                    flags, pc);
    if (got <= 0)
      return done ? (ssize_t)done : got;
    done += (size_t)got;
    if (!(flags & MSG_WAITALL))
      break;
  }
  return (ssize_t)done;
}

INTERPOSED ssize_t recv(int descriptor, void *to, size_t size, int flags) {
  return socket_receive(descriptor, to, size, flags, CALLER);
}

INTERPOSED ssize_t __recv_chk(int, void *, size_t, size_t, int);
INTERPOSED ssize_t __recv_chk(int descriptor, void *to, size_t size,
                              size_t room, int flags) {
  if (size > room)
    fail(FINDING_MEMORY, CALLER,
         "out of bounds: recv of up to %zu bytes to an object of %zu bytes",
         size, room);
  return socket_receive(descriptor, to, size, flags, CALLER);
}

ssize_t socket_send(int descriptor, const void *from, size_t size, int flags,
                    uint64_t pc) {
  check_flags("send", flags);
  return channel_call_write(descriptor, from, size, flags, pc);
}

INTERPOSED ssize_t send(int descriptor, const void *from, size_t size,
                        int flags) {
  return socket_send(descriptor, from, size, flags, CALLER);
}

INTERPOSED int shutdown(int descriptor, int how) {
  struct libcall e;
  file_begin(&e, CALLER);
  file_announce(&e);
  struct description *d = description_of(descriptor);
  if (!d)
    return -1;
  if (!description_is_socket(d))
    return file_error(ENOTSOCK);
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR)
    return file_error(EINVAL);
  if (d->socket) {
    file_reads(&d->in, sizeof d->in);
    file_reads(&d->socket->listens, sizeof d->socket->listens);
  }
  if (!d->in && d->socket->listens && how != SHUT_WR) {
    bool was_open = socket_shut(d->socket, false, CALLER);
    return was_open || d->socket->domain == AF_UNIX ? 0 : file_error(ENOTCONN);
  }
  if (!d->in)
    return file_error(ENOTCONN);
  if (how != SHUT_WR)
    channel_end(d->in, CHANNEL_SHUT_READS, CALLER);
  if (how != SHUT_RD)
    channel_end(d->out, CHANNEL_END_WRITES, CALLER);
  return 0;
}

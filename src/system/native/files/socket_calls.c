/* socket, bind, listen, accept, connect and what else concerns addresses. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/un.h>

#include "socket.h"
#include "system/native/hooks/hooks.h"
#include "system/native/libc/heap.h"

/* Some headers give addresses a transparent union as their type. */
#define NAMED(name) __asm__(name)

static uint32_t description_flags(int type) {
  return O_RDWR | (type & SOCK_NONBLOCK ? O_NONBLOCK : 0);
}

INTERPOSED int socket(int domain, int type, int protocol) {
  struct libcall e;
  int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
    refuse("socket of domain %d: only AF_UNIX, AF_INET and AF_INET6 are known, "
           "between threads of the program",
           domain);
  if (kind != SOCK_STREAM)
    refuse("socket of type %d: only SOCK_STREAM is known", kind);
  if (protocol && (domain == AF_UNIX || protocol != IPPROTO_TCP))
    return file_error(EPROTONOSUPPORT);
  file_begin(&e, CALLER);
  file_announce(&e);
  struct description *d =
      description_on(NULL, NULL, description_flags(type), CALLER);
  d->socket = socket_new((uint32_t)domain, CALLER);
  return descriptor_give(d, 0, type & SOCK_CLOEXEC);
}

/* As part of a step: NULL with errno set if it is no socket. */
static struct description *socket_of(int descriptor) {
  struct description *d = description_of(descriptor);
  if (!d)
    return NULL;
  if (!description_is_socket(d)) {
    error_set(ENOTSOCK);
    return NULL;
  }
  return d;
}

/* One with an address, or that could have one. */
static struct description *addressed(int descriptor) {
  struct description *d = socket_of(descriptor);
  if (d && !d->socket)
    error_set(EINVAL);
  return d && d->socket ? d : NULL;
}

/* ---- servers ------------------------------------------------------------- */

int bind_socket(int, const struct sockaddr *, socklen_t) NAMED("bind");
INTERPOSED int bind_socket(int descriptor, const struct sockaddr *at,
                           socklen_t size) {
  struct libcall e;
  struct address a;
  file_begin(&e, CALLER);
  libcall_read(&e, at, size);
  file_announce(&e);
  struct description *d = addressed(descriptor);
  if (!d || !address_take(&e, &a, at, size))
    return -1;
  return address_bind(d->socket, &a) ? 0 : -1;
}

INTERPOSED int listen(int descriptor, int backlog) {
  struct libcall e;
  file_begin(&e, CALLER);
  file_announce(&e);
  struct description *d = addressed(descriptor);
  if (!d)
    return -1;
  struct socket *s = d->socket;
  file_reads(&s->own, sizeof s->own);
  if (d->in || (!s->own.size && s->domain == AF_UNIX))
    return file_error(EINVAL);
  struct address a;
  if (!s->own.size) {
    address_make(&a, s->domain);
    address_bind(s, &a);
  }
  if (s->listens)
    return 0;
  SET(s->backlog, backlog < 0 ? 0 : (uint32_t)backlog);
  FILE_SET(s->listens, 1);
  return 0;
}

/* Copies an address to the program. */
static void tell(const struct address *a, struct sockaddr *to, socklen_t *size,
                 uint64_t pc) {
  if (!to || !size)
    return;
  socklen_t room = LOOK_AT(*size, pc), length = a->size;
  if (length > room)
    length = room;
  if (length)
    copy_memory(to, channel_stage(a->bytes, length, pc), length, pc, NULL);
  PUT_AT(*size, a->size, pc);
}

/* A descriptor for the connection, in a step of its own. */
static int welcome(const struct socket *at, const struct connection *c,
                   int flags, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  struct description *d =
      description_on(c->there, c->back, description_flags(flags), pc);
  d->socket = socket_new(at->domain, pc);
  d->socket->own = at->own;
  d->socket->peer = c->from;
  return descriptor_give(d, 0, flags & SOCK_CLOEXEC);
}

static int accept_next(int descriptor, struct sockaddr *to, socklen_t *size,
                       int flags, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  struct description *d = socket_of(descriptor);
  if (!d)
    return -1;
  struct socket *s = d->socket;
  if (s)
    file_reads(&s->listens, sizeof s->listens);
  if (!s || !s->listens)
    return file_error(EINVAL);
  struct patience p = channel_patience(d, 0, 0);
  struct connection *c = socket_dequeue(s, p.waits, pc);
  channel_waited(p, !c);
  if (!c)
    return -1;
  int number = welcome(s, c, flags, pc);
  if (number >= 0)
    tell(&c->from, to, size, pc);
  return number;
}

int accept_socket(int, struct sockaddr *, socklen_t *) NAMED("accept");
INTERPOSED int accept_socket(int descriptor, struct sockaddr *to,
                             socklen_t *size) {
  return accept_next(descriptor, to, size, 0, CALLER);
}

int accept_with(int, struct sockaddr *, socklen_t *, int) NAMED("accept4");
INTERPOSED int accept_with(int descriptor, struct sockaddr *to, socklen_t *size,
                           int flags) {
  if (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC))
    return file_error(EINVAL);
  return accept_next(descriptor, to, size, flags, CALLER);
}

/* ---- clients ------------------------------------------------------------- */

static struct connection *connection_new(const struct socket *s, uint64_t pc) {
  struct connection *c = heap_allocate(sizeof *c, 16, pc);
  heap_own(c);
  undo_note(c, sizeof *c);
  *c = (struct connection){channel_new(0, pc), channel_new(0, pc), {0}, NULL};
  file_reads(&s->own, sizeof s->own);
  if (s->own.size)
    c->from = s->own;
  else
    address_make(&c->from, s->domain);
  return c;
}

/* The socket becomes what the connection says, in a step of its own. */
static void settle(struct description *d, const struct connection *c,
                   const struct address *to, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  file_writes(&d->in, 2 * sizeof d->in);
  d->in = c->back;
  d->out = c->there;
  file_writes(&d->socket->own, 2 * sizeof(struct address));
  d->socket->own = c->from;
  d->socket->peer = *to;
}

/* A socket of TCP that must not wait says so even if the connection is there
 * at once, as in Linux. */
static int in_progress(const struct description *d, int number) {
  bool tcp = d->socket->domain != AF_UNIX && (d->flags & O_NONBLOCK);
  if (tcp && (number == 0 || number == ECONNREFUSED)) {
    if (number)
      FILE_SET(d->socket->error, number);
    return file_error(EINPROGRESS);
  }
  return number ? file_error(number) : 0;
}

static int connect_to(struct description *d, const struct address *a,
                      uint64_t pc) {
  struct socket *s = d->socket, *there = address_find(a);
  file_reads(&d->flags, sizeof d->flags);
  if (!there)
    return in_progress(d, file_error_now());
  struct connection *c = connection_new(s, pc);
  int number = socket_enqueue(there, c, !(d->flags & O_NONBLOCK), pc);
  if (number)
    return file_error(number);
  settle(d, c, a, pc);
  return in_progress(d, 0);
}

int connect_socket(int, const struct sockaddr *, socklen_t) NAMED("connect");
INTERPOSED int connect_socket(int descriptor, const struct sockaddr *to,
                              socklen_t size) {
  struct libcall e;
  struct address a;
  file_begin(&e, CALLER);
  libcall_read(&e, to, size);
  file_announce(&e);
  struct description *d = addressed(descriptor);
  if (!d)
    return -1;
  file_reads(&d->in, sizeof d->in);
  file_reads(&d->socket->listens, sizeof d->socket->listens);
  if (d->in || d->socket->listens)
    return file_error(d->in ? EISCONN : EINVAL);
  if (!address_take(&e, &a, to, size))
    return -1;
  if (((const struct sockaddr *)(const void *)a.bytes)->sa_family !=
      d->socket->domain)
    return file_error(EAFNOSUPPORT);
  return connect_to(d, &a, CALLER);
}

/* ---- names --------------------------------------------------------------- */

static int name_socket(int descriptor, bool peer, struct sockaddr *to,
                       socklen_t *size, uint64_t pc) {
  struct libcall e;
  struct address a = {.size = sizeof(sa_family_t), .bytes = {AF_UNIX}};
  file_begin(&e, pc);
  file_announce(&e);
  struct description *d = socket_of(descriptor);
  if (!d)
    return -1;
  if (d->socket)
    file_reads(&d->in, sizeof d->in);
  if (peer && !d->in)
    return file_error(ENOTCONN);
  if (d->socket) {
    const struct address *from = peer ? &d->socket->peer : &d->socket->own;
    file_reads(from, sizeof *from);
    a = *from;
  }
  if (!a.size) { /* it has none yet */
    a.size = d->socket->domain == AF_INET    ? sizeof(struct sockaddr_in)
             : d->socket->domain == AF_INET6 ? sizeof(struct sockaddr_in6)
                                             : sizeof(sa_family_t);
    a.bytes[0] = (char)d->socket->domain;
  }
  tell(&a, to, size, pc);
  return 0;
}

int get_name(int, struct sockaddr *, socklen_t *) NAMED("getsockname");
INTERPOSED int get_name(int descriptor, struct sockaddr *to, socklen_t *size) {
  return name_socket(descriptor, false, to, size, CALLER);
}

int get_peer(int, struct sockaddr *, socklen_t *) NAMED("getpeername");
INTERPOSED int get_peer(int descriptor, struct sockaddr *to, socklen_t *size) {
  return name_socket(descriptor, true, to, size, CALLER);
}

/* ---- options ------------------------------------------------------------- */

static bool is_flag(int level, int name) {
  return level == SOL_SOCKET &&
         (name == SO_REUSEADDR || name == SO_REUSEPORT ||
          name == SO_KEEPALIVE || name == SO_BROADCAST || name == SO_DONTROUTE);
}

static bool is_time(int level, int name) {
  return level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO);
}

static int set_time(struct description *d, int name, const void *value,
                    socklen_t size) {
  struct timeval t;
  if (size < sizeof t)
    return file_error(EINVAL);
  memcpy(&t, value, sizeof t);
  if (t.tv_usec < 0 || t.tv_usec >= 1000000)
    return file_error(EDOM);
  FILE_SET(d->patience[name == SO_SNDTIMEO],
           (uint64_t)t.tv_sec * UINT64_C(1000000000) +
               (uint64_t)t.tv_usec * 1000);
  return 0;
}

/* What has no effect here. */
static bool is_idle(int level, int name) {
  if (level == SOL_SOCKET)
    return name == SO_SNDBUF || name == SO_RCVBUF || name == SO_LINGER ||
           name == SO_PRIORITY || name == SO_OOBINLINE || name == SO_PASSCRED ||
           name == SO_RCVLOWAT;
  return level == IPPROTO_TCP || level == IPPROTO_IPV6 || level == IPPROTO_IP;
}

static int set_option(int descriptor, int level, int name, const void *value,
                      socklen_t size, uint64_t pc) {
  struct libcall e;
  int number = 0;
  file_begin(&e, pc);
  libcall_read(&e, value, size);
  file_announce(&e);
  struct description *d = socket_of(descriptor);
  if (!d)
    return -1;
  if (is_time(level, name))
    return set_time(d, name, value, size);
  if (!is_flag(level, name) && !is_idle(level, name))
    refuse("setsockopt of option %d at level %d is not known", name, level);
  if (size < sizeof number)
    return file_error(EINVAL);
  memcpy(&number, value, sizeof number);
  if (d->socket && is_flag(level, name)) {
    uint64_t bit = UINT64_C(1) << name, *options = &d->socket->options;
    FILE_SET(*options, number ? *options | bit : *options & ~bit);
  }
  return 0;
}

INTERPOSED int setsockopt(int descriptor, int level, int name,
                          const void *value, socklen_t size) {
  return set_option(descriptor, level, name, value, size, CALLER);
}

/* As part of a step. */
static int option_of(struct description *d, int level, int name) {
  struct socket *s = d->socket;
  if (s && is_flag(level, name)) {
    file_reads(&s->options, sizeof s->options);
    return s->options >> name & 1;
  }
  if (level != SOL_SOCKET)
    return level == IPPROTO_TCP && name == TCP_NODELAY;
  switch (name) {
  case SO_TYPE:
    return SOCK_STREAM;
  case SO_DOMAIN:
    return s ? (int)s->domain : AF_UNIX;
  case SO_ACCEPTCONN:
    if (s)
      file_reads(&s->listens, sizeof s->listens);
    return s && s->listens;
  case SO_SNDBUF:
  case SO_RCVBUF:
    return 212992;
  default:
    return 0;
  }
}

static int take_error(struct socket *s) {
  if (!s)
    return 0;
  int number = s->error;
  FILE_SET(s->error, 0);
  return number;
}

INTERPOSED int getsockopt(int descriptor, int level, int name, void *value,
                          socklen_t *size) {
  struct libcall e;
  file_begin(&e, CALLER);
  file_announce(&e);
  struct description *d = socket_of(descriptor);
  if (!d)
    return -1;
  bool error = level == SOL_SOCKET && name == SO_ERROR;
  bool known = error || is_flag(level, name) || is_idle(level, name) ||
               (level == SOL_SOCKET && (name == SO_TYPE || name == SO_DOMAIN ||
                                        name == SO_ACCEPTCONN));
  if (!known || (level == SOL_SOCKET && name == SO_LINGER))
    refuse("getsockopt of option %d at level %d is not known", name, level);
  int number = error ? take_error(d->socket) : option_of(d, level, name);
  if (LOOK(*size) < sizeof number)
    return file_error(EINVAL);
  copy_memory(value, channel_stage(&number, sizeof number, CALLER),
              sizeof number, CALLER, NULL);
  PUT(*size, sizeof number);
  return 0;
}

/* ---- with addresses, and in parts ---------------------------------------- */

ssize_t send_to(int, const void *, size_t, int, const struct sockaddr *,
                socklen_t) NAMED("sendto");
INTERPOSED ssize_t send_to(int descriptor, const void *from, size_t size,
                           int flags, const struct sockaddr *to,
                           socklen_t length) {
  (void)to, (void)length; /* a stream has its address already */
  return socket_send(descriptor, from, size, flags, CALLER);
}

static ssize_t receive_from(int descriptor, void *to, size_t size, int flags,
                            socklen_t *length, uint64_t pc) {
  ssize_t got = socket_receive(descriptor, to, size, flags, pc);
  if (got >= 0 && length)
    PUT_AT(*length, 0, pc); /* streams do not tell */
  return got;
}

ssize_t recv_from(int, void *, size_t, int, struct sockaddr *, socklen_t *)
    NAMED("recvfrom");
INTERPOSED ssize_t recv_from(int descriptor, void *to, size_t size, int flags,
                             struct sockaddr *from, socklen_t *length) {
  (void)from;
  return receive_from(descriptor, to, size, flags, length, CALLER);
}

ssize_t recv_from_checked(int, void *, size_t, size_t, int, struct sockaddr *,
                          socklen_t *) NAMED("__recvfrom_chk");
INTERPOSED ssize_t recv_from_checked(int descriptor, void *to, size_t size,
                                     size_t room, int flags,
                                     struct sockaddr *from, socklen_t *length) {
  (void)from;
  if (size > room)
    fail(FINDING_MEMORY, CALLER,
         "out of bounds: recvfrom of up to %zu bytes to an object of %zu bytes",
         size, room);
  return receive_from(descriptor, to, size, flags, length, CALLER);
}

INTERPOSED ssize_t sendmsg(int descriptor, const struct msghdr *message,
                           int flags) {
  struct msghdr m = LOOK(*message);
  if (m.msg_controllen)
    refuse("sendmsg with control data, as to pass descriptors, is not known");
  return ranges_send(descriptor, m.msg_iov, (int)m.msg_iovlen, flags, CALLER);
}

INTERPOSED ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
  struct msghdr m = LOOK(*message);
  ssize_t got = ranges_receive(descriptor, m.msg_iov, (int)m.msg_iovlen,
                               flags & ~MSG_CMSG_CLOEXEC, CALLER);
  if (got < 0)
    return got;
  PUT(message->msg_namelen, 0);
  PUT(message->msg_controllen, 0);
  PUT(message->msg_flags, 0);
  return got;
}

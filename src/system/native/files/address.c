/* Addresses of sockets. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "socket.h"

enum { FIRST_PORT = 32768, PORTS = 28000, PORTS_OF_THREAD = 64 };

/* prog: all sockets with an address.  The address of this variable stands for
 * the list in footprints. */
PROG static struct socket *bound;

/* prog: how many ports each thread has given. */
PROG static uint16_t given[NATIVE_THREADS];

/* ---- what an address says ------------------------------------------------ */

static struct sockaddr_in *as_inet(const struct address *a) {
  return (struct sockaddr_in *)(uintptr_t)a->bytes;
}

static struct sockaddr_in6 *as_inet6(const struct address *a) {
  return (struct sockaddr_in6 *)(uintptr_t)a->bytes;
}

static sa_family_t family(const struct address *a) {
  return as_inet(a)->sin_family;
}

/* The port lies at the same place in both. */
static in_port_t port(const struct address *a) {
  return as_inet(a)->sin_port;
}

static bool is_any(const struct address *a) {
  static const struct in6_addr any;
  return family(a) == AF_INET
             ? as_inet(a)->sin_addr.s_addr == 0
             : !memcmp(&as_inet6(a)->sin6_addr, &any, sizeof any);
}

static bool is_loopback(const struct address *a) {
  static const struct in6_addr loopback = {{{[15] = 1}}};
  return family(a) == AF_INET
             ? *(const uint8_t *)&as_inet(a)->sin_addr == 127
             : !memcmp(&as_inet6(a)->sin6_addr, &loopback, sizeof loopback);
}

static bool is_abstract(const struct address *a) {
  return a->size > sizeof(sa_family_t) && !a->bytes[sizeof(sa_family_t)];
}

static bool are_alike(const struct address *a, const struct address *b) {
  if (family(a) != family(b))
    return false;
  if (family(a) != AF_UNIX)
    return port(a) == port(b) &&
           (is_any(a) || is_any(b) || !memcmp(a->bytes, b->bytes, a->size));
  if (is_abstract(a) || is_abstract(b))
    return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
  return a->node && a->node == b->node;
}

/* ---- from the program ---------------------------------------------------- */

static bool check_inet(const struct address *a, socklen_t size) {
  size_t needed = family(a) == AF_INET ? sizeof(struct sockaddr_in)
                                       : sizeof(struct sockaddr_in6);
  if (size < needed) {
    error_set(EINVAL);
    return false;
  }
  if (!is_any(a) && !is_loopback(a))
    refuse("an address of another machine: there is no network; only "
           "127.0.0.1 and ::1 are known");
  return true;
}

/* The path is looked up by the caller: bind() creates it. */
bool address_take(const struct libcall *e, struct address *to,
                  const struct sockaddr *from, socklen_t size) {
  if (size < sizeof(sa_family_t) || size > SOCKET_ADDRESS - 1) {
    error_set(EINVAL);
    return false;
  }
  touched(e, from, size);
  *to = (struct address){.size = size};
  memcpy(to->bytes, from, size);
  if (family(to) == AF_INET || family(to) == AF_INET6) {
    to->size = family(to) == AF_INET ? sizeof(struct sockaddr_in)
                                     : sizeof(struct sockaddr_in6);
    return check_inet(to, size);
  }
  if (family(to) == AF_UNIX)
    return true;
  error_set(EAFNOSUPPORT);
  return false;
}

static const char *path_of(const struct address *a) {
  return family(a) == AF_UNIX && a->size > sizeof(sa_family_t) &&
                 !is_abstract(a)
             ? a->bytes + offsetof(struct sockaddr_un, sun_path)
             : NULL;
}

/* ---- all of them --------------------------------------------------------- */

static struct socket *find(const struct address *a) {
  file_reads(&bound, sizeof bound);
  struct socket *s = bound;
  while (s && !are_alike(&s->own, a))
    s = s->next;
  return s;
}

struct socket *address_find(const struct address *a) {
  struct address wanted = *a;
  const char *path = path_of(a);
  if (path) {
    uint32_t name = name_resolve(path, true);
    wanted.node = name ? name_node(name) : 0;
    if (!wanted.node) {
      error_set(name ? ENOENT : file_error_now());
      return NULL;
    }
  }
  struct socket *s = find(&wanted);
  if (s)
    file_reads(&s->listens, sizeof s->listens);
  if (s && s->listens)
    return s;
  error_set(ECONNREFUSED);
  return NULL;
}

static in_port_t new_port(void) {
  unsigned id = self ? self->id : 0;
  unsigned n = id * PORTS_OF_THREAD + given[id] % PORTS_OF_THREAD;
  SET(given[id], given[id] + 1);
  return htons((uint16_t)(FIRST_PORT + n % PORTS));
}

void address_make(struct address *a, uint32_t domain) {
  *a = (struct address){.size = sizeof(sa_family_t)};
  as_inet(a)->sin_family = (sa_family_t)domain;
  if (domain == AF_UNIX)
    return;
  as_inet(a)->sin_port = new_port();
  if (domain == AF_INET) {
    a->size = sizeof(struct sockaddr_in);
    as_inet(a)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  } else {
    a->size = sizeof(struct sockaddr_in6);
    as_inet6(a)->sin6_addr.s6_addr[15] = 1;
  }
}

/* A Unix socket's path becomes a file. */
static bool make_path(struct address *a, const char *path) {
  uint32_t name = name_resolve(path, false);
  if (!name)
    return false;
  if (name_node(name)) {
    error_set(EADDRINUSE);
    return false;
  }
  a->node = file_create(name, S_IFSOCK | (0777 & ~file_mask()));
  return a->node;
}

bool address_bind(struct socket *s, struct address *a) {
  const char *path = path_of(a);
  file_reads(&s->own, sizeof s->own);
  if (family(a) != s->domain || s->own.size) {
    error_set(EINVAL);
    return false;
  }
  if (family(a) != AF_UNIX && !port(a))
    as_inet(a)->sin_port = new_port();
  if (path ? !make_path(a, path) : find(a) != NULL) {
    if (!path)
      error_set(EADDRINUSE);
    return false;
  }
  file_writes(&s->own, sizeof s->own);
  s->own = *a;
  SET(s->next, bound);
  FILE_SET(bound, s);
  return true;
}

void address_drop(struct socket *s) {
  struct socket **link = &bound;
  file_reads(&s->own, sizeof s->own);
  if (!s->own.size)
    return;
  file_reads(&bound, sizeof bound);
  while (*link && *link != s)
    link = &(*link)->next;
  if (!*link)
    return;
  file_writes(&bound, sizeof bound);
  SET(*link, s->next);
}

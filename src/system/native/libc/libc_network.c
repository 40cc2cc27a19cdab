/* Addresses as text, and names of machines: there is only this one. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "heap.h"
#include "libc.h"

enum { MOST_TEXT = 64 }; /* of an address, with its end */

/* ---- addresses ----------------------------------------------------------- */

/* A step that reads a string and writes at most so many bytes. */
static void announce(struct libcall *e, const char *text, void *to, size_t size,
                     uint64_t pc) {
  libcall_begin(e, OP_COPY, pc);
  libcall_string(e, text, SIZE_MAX);
  if (to)
    libcall_write(e, to, size);
  libcall_announce(e);
  touched(e, text, string_length(text, SIZE_MAX) + 1);
}

static size_t address_size(int family) {
  return family == AF_INET    ? sizeof(struct in_addr)
         : family == AF_INET6 ? sizeof(struct in6_addr)
                              : 0;
}

INTERPOSED int inet_pton(int family, const char *text, void *to) {
  struct libcall e;
  announce(&e, text, to, address_size(family), CALLER);
  foreign_enter();
  int result = REAL(inet_pton)(family, text, to);
  foreign_leave();
  return result;
}

INTERPOSED int inet_aton(const char *text, struct in_addr *to) {
  struct libcall e;
  announce(&e, text, to, sizeof *to, CALLER);
  return REAL(inet_aton)(text, to);
}

INTERPOSED in_addr_t inet_addr(const char *text) {
  struct libcall e;
  announce(&e, text, NULL, 0, CALLER);
  return REAL(inet_addr)(text);
}

static const char *write_text(const void *from, size_t size, const char *text,
                              char *to, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  libcall_read(&e, from, size);
  libcall_write(&e, to, strlen(text) + 1);
  libcall_announce(&e);
  return memcpy(to, text, strlen(text) + 1);
}

INTERPOSED const char *inet_ntop(int family, const void *from, char *to,
                                 socklen_t room) {
  struct libcall e;
  char text[MOST_TEXT];
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_read(&e, from, address_size(family));
  libcall_announce(&e);
  foreign_enter();
  const char *made = REAL(inet_ntop)(family, from, text, sizeof text);
  foreign_leave();
  if (!made)
    return NULL;
  if (strlen(text) >= room) {
    error_set(ENOSPC);
    return NULL;
  }
  return write_text(from, address_size(family), text, to, CALLER);
}

/* prog: one for all threads here; glibc has one for each. */
PROG static char ntoa_text[NATIVE_THREADS][16];

INTERPOSED char *inet_ntoa(struct in_addr from) {
  char text[MOST_TEXT], *to = ntoa_text[self ? self->id : 0];
  REAL(inet_ntop)(AF_INET, &from, text, sizeof text);
  undo_note(to, sizeof ntoa_text[0]);
  return strcpy(to, text);
}

/* ---- names --------------------------------------------------------------- */

/* A result and its address in one block of the program's heap. */
struct found {
  struct addrinfo info;
  union {
    struct sockaddr_in inet;
    struct sockaddr_in6 inet6;
  } at;
};

static bool is_own_name(const char *name) {
  return !strcmp(name, "localhost") || !strcmp(name, "ip6-localhost");
}

/* The family of the address of this name, which is stored; 0: there is none. */
static int find_address(const char *name, int family, bool numeric,
                        bool passive, struct found *to) {
  if (name && (family == AF_UNSPEC || family == AF_INET) &&
      REAL(inet_pton)(AF_INET, name, &to->at.inet.sin_addr) == 1)
    return AF_INET;
  if (name && (family == AF_UNSPEC || family == AF_INET6) &&
      REAL(inet_pton)(AF_INET6, name, &to->at.inet6.sin6_addr) == 1)
    return AF_INET6;
  if (name && (numeric || !is_own_name(name)))
    return 0;
  if (family == AF_INET6) {
    to->at.inet6.sin6_addr.s6_addr[15] = !passive || name;
    return AF_INET6;
  }
  to->at.inet.sin_addr.s_addr =
      passive && !name ? INADDR_ANY : htonl(INADDR_LOOPBACK);
  return AF_INET;
}

static bool find_port(const char *service, in_port_t *port) {
  static const struct {
    const char *name;
    uint16_t port;
  } known[] = {{"http", 80}, {"https", 443}, {"echo", 7},
               {"ssh", 22},  {"smtp", 25},   {"domain", 53}};
  char *end;
  *port = 0;
  if (!service)
    return true;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(service, known[i].name)) {
      *port = htons(known[i].port);
      return true;
    }
  unsigned long number = REAL(strtoul)(service, &end, 10);
  *port = htons((uint16_t)number);
  return *service && !*end && number < 65536;
}

static void read_argument(struct libcall *e, const char *text) {
  if (text)
    touched(e, text, string_length(text, SIZE_MAX) + 1);
}

/* Streams only: other kinds of sockets are not known. */
static int fill(struct found *f, const char *name, const char *service,
                const struct addrinfo *hints) {
  int flags = hints ? hints->ai_flags : 0;
  int family = hints ? hints->ai_family : AF_UNSPEC;
  in_port_t port;
  if (!name && !service)
    return EAI_NONAME;
  if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6)
    return EAI_FAMILY;
  if (hints && hints->ai_socktype && hints->ai_socktype != SOCK_STREAM)
    refuse("getaddrinfo for a socket of type %d: only SOCK_STREAM is known",
           hints->ai_socktype);
  if (!find_port(service, &port))
    return EAI_SERVICE;
  family =
      find_address(name, family, flags & AI_NUMERICHOST, flags & AI_PASSIVE, f);
  if (!family && !(flags & AI_NUMERICHOST))
    refuse("getaddrinfo of %s: there is no network; only localhost and "
           "addresses as numbers are known",
           name);
  if (!family)
    return EAI_NONAME;
  f->at.inet.sin_family = (sa_family_t)family;
  f->at.inet.sin_port = port;
  f->info = (struct addrinfo){
      .ai_family = family,
      .ai_socktype = SOCK_STREAM,
      .ai_protocol = IPPROTO_TCP,
      .ai_addrlen = family == AF_INET ? sizeof f->at.inet : sizeof f->at.inet6};
  return 0;
}

INTERPOSED int getaddrinfo(const char *name, const char *service,
                           const struct addrinfo *hints,
                           struct addrinfo **result) {
  struct libcall e;
  struct found f = {0};
  libcall_begin(&e, OP_COPY, CALLER);
  libcall_write(&e, result, sizeof *result);
  if (name)
    libcall_string(&e, name, SIZE_MAX);
  if (service)
    libcall_string(&e, service, SIZE_MAX);
  if (hints)
    libcall_read(&e, hints, sizeof *hints);
  libcall_announce(&e);
  read_argument(&e, name);
  read_argument(&e, service);
  int error = fill(&f, name, service, hints);
  if (error)
    return error;
  struct found *block = heap_allocate(sizeof *block, 16, CALLER);
  undo_note(block, sizeof *block);
  *block = f;
  block->info.ai_addr = (struct sockaddr *)&block->at;
  *result = &block->info;
  heap_written(block, sizeof *block, CALLER);
  return 0;
}

INTERPOSED void freeaddrinfo(struct addrinfo *list) {
  if (list)
    heap_free(list, "freeaddrinfo", CALLER);
}

INTERPOSED const char *gai_strerror(int number) {
  return REAL(gai_strerror)(number);
}

/* Numbers only. */
static int name_text(const struct sockaddr *at, socklen_t size, char *host,
                     char *service) {
  const struct sockaddr_in *inet = (const void *)at;
  const struct sockaddr_in6 *inet6 = (const void *)at;
  bool is_inet = at->sa_family == AF_INET;
  if (size < (is_inet ? sizeof *inet : sizeof *inet6) ||
      (!is_inet && at->sa_family != AF_INET6))
    return EAI_FAMILY;
  REAL(inet_ntop)
  (at->sa_family,
   is_inet ? (const void *)&inet->sin_addr : (const void *)&inet6->sin6_addr,
   host, MOST_TEXT);
  heddle_real_snprintf(service, MOST_TEXT, "%d", ntohs(inet->sin_port));
  return 0;
}

INTERPOSED int getnameinfo(const struct sockaddr *at, socklen_t size,
                           char *host, socklen_t host_size, char *service,
                           socklen_t service_size, int flags) {
  struct libcall e;
  char host_text[MOST_TEXT], service_text[MOST_TEXT];
  if (host_size && !(flags & NI_NUMERICHOST))
    refuse("getnameinfo without NI_NUMERICHOST: there is no network");
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_read(&e, at, size);
  libcall_announce(&e);
  int error = name_text(at, size, host_text, service_text);
  if (error)
    return error;
  if ((host_size && strlen(host_text) >= host_size) ||
      (service_size && strlen(service_text) >= service_size))
    return EAI_OVERFLOW;
  if (host_size)
    write_text(at, size, host_text, host, CALLER);
  if (service_size)
    write_text(at, size, service_text, service, CALLER);
  return 0;
}

INTERPOSED in_addr_t inet_network(const char *text) {
  struct libcall e;
  announce(&e, text, NULL, 0, CALLER);
  return REAL(inet_network)(text);
}

/* prog: h_errno of each thread. */
PROG static int host_errors[NATIVE_THREADS];

INTERPOSED int *__h_errno_location(void) {
  return &host_errors[self ? self->id : 0];
}

/* The resolver's settings are never read. */
int __res_init(void);
INTERPOSED int __res_init(void) {
  return 0;
}

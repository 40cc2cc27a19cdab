/* Sockets with addresses, between threads of the program.
 *
 * A socket that is connected is a pair of channels (channel.h).  One that
 * listens has a queue of connections: an object that threads wait for, as a
 * channel is.  Addresses are Unix paths and names, and ports of the machine
 * itself; there is no other machine.
 */
#ifndef SYSTEM_NATIVE_FILES_SOCKET_H
#define SYSTEM_NATIVE_FILES_SOCKET_H

#include <sys/socket.h>

#include "channel.h"

enum { SOCKET_ADDRESS = 112 }; /* a sockaddr_un has 110 bytes */

/* prog */
struct address {
  uint32_t size;
  uint32_t node; /* of a path, or 0 */
  char bytes[SOCKET_ADDRESS];
};

/* prog: a connection that was not accepted yet; in a block of the heap. */
struct connection {
  struct channel *there, *back; /* from the connecting socket, and to it */
  struct address from;
  struct connection *next;
};

/* prog: in a block of the heap. */
struct socket {
  uint32_t mark; /* its address stands for the queue in footprints */
  uint32_t domain;
  uint32_t listens; /* set once, by listen() */
  uint32_t shut;    /* no connection comes any more: how often that was said, up
                       to 2; part of the queue */
  uint32_t backlog, waiting;
  uint32_t
      arrivals; /* how often a connection came, or it was shut: for EPOLLET */
  struct connection *first;
  int error;        /* of a connect that did not wait: SO_ERROR */
  uint64_t options; /* bits of SOL_SOCKET's that are set */
  struct address own, peer;
  struct socket *next; /* in the list of all that have an address */
};

struct socket *socket_new(uint32_t domain, uint64_t pc);

/* ---- addresses (address.c), as part of a step --------------------------- */

/* Takes an address of the program's; false with errno set. */
bool address_take(const struct libcall *, struct address *,
                  const struct sockaddr *, socklen_t);
/* Of a new connection: a port that only this thread gives. */
void address_make(struct address *, uint32_t domain);
/* The socket that has this address, or NULL. */
struct socket *address_find(const struct address *);
/* Gives it to the socket; false with errno set. */
bool address_bind(struct socket *, struct address *);
/* The socket is closed. */
void address_drop(struct socket *);

/* ---- steps of their own (socket.c) --------------------------------------- */

/* 0, or an error number. */
int socket_enqueue(struct socket *, struct connection *, bool wait,
                   uint64_t pc);
/* NULL with errno set. */
struct connection *socket_dequeue(struct socket *, bool wait, uint64_t pc);
/* It is shut down, or closed.  Was it open? */
bool socket_shut(struct socket *, bool closed, uint64_t pc);
/* The last descriptor was closed. */
void socket_end(struct socket *, uint64_t pc);

/* As part of a step: is there a connection to accept? */
bool socket_is_readable(const struct socket *);

#endif

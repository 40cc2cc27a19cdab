/* The queue of a socket that listens. */
#define _GNU_SOURCE
#include "socket.h"

#include <errno.h>

#include "system/native/libc/heap.h"
#include "system/native/engine/interrupt.h"
#include "system/native/pthread/cancel.h"
#include "system/native/pthread/sync.h"

struct socket *socket_new(uint32_t domain, uint64_t pc) {
  struct socket *s = heap_allocate(sizeof *s, 16, pc);
  heap_own(s);
  undo_note(s, sizeof *s);
  *s = (struct socket){.domain = domain};
  return s;
}

static uint8_t socket_offers(const struct operation *op) {
  const struct socket *s = op->object;
  return (s->first || s->shut ? OFFER_ONE : 0) |
         (s->waiting <= s->backlog || s->shut ? OFFER_ROOM : 0);
}

static bool announce(struct socket *s, enum op op, uint8_t wants, bool wait,
                     uint64_t pc) {
  struct object_step step;
  object_operation(&step, op, s, socket_offers, pc);
  if (wait)
    object_blocking(&step, wants);
  else
    object_conditional(&step, wants);
  if (wait && op == OP_RECEIVE)
    step.op.interruptible = INTERRUPT_FAILS;
  if (wait && cancel_visible(&step.op))
    cancel_act();
  if (!wait)
    visible(&step.op);
  if (interrupted()) {
    error_set(EINTR);
    return false;
  }
  if (socket_offers(&step.op) & wants)
    return true;
  footprint_only_read();
  error_set(EAGAIN);
  return false;
}

int socket_enqueue(struct socket *s, struct connection *c, bool wait,
                   uint64_t pc) {
  if (!announce(s, OP_DELIVER, OFFER_ROOM, wait, pc))
    return EAGAIN;
  if (s->shut)
    return ECONNREFUSED;
  struct connection **link = &s->first;
  while (*link)
    link = &(*link)->next;
  SET(*link, c);
  SET(s->waiting, s->waiting + 1);
  SET(s->arrivals, s->arrivals + 1);
  return 0;
}

struct connection *socket_dequeue(struct socket *s, bool wait, uint64_t pc) {
  if (!announce(s, OP_RECEIVE, OFFER_ONE, wait, pc))
    return NULL;
  struct connection *c = s->first;
  if (!c) {
    error_set(EINVAL);
    return NULL;
  }
  SET(s->first, c->next);
  SET(s->waiting, s->waiting - 1);
  return c;
}

/* Connections that were not accepted come to an end. */
static void end_connections(struct connection *c, uint64_t pc) {
  for (; c; c = c->next) {
    channel_end(c->there, CHANNEL_CLOSE_READS, pc);
    channel_end(c->back, CHANNEL_END_WRITES, pc);
    SET(c->back->reset, 1);
  }
}

/* A Unix socket that is shut down still hands out those that it has. */
bool socket_shut(struct socket *s, bool closed, uint64_t pc) {
  struct object_step step;
  object_operation(&step, OP_HANGUP, s, socket_offers, pc);
  visible(&step.op);
  bool was_open = !s->shut;
  SET(s->shut, was_open ? 1 : 2);
  SET(s->arrivals, s->arrivals + 1);
  if (closed || s->domain != AF_UNIX) {
    struct connection *all = s->first;
    SET(s->first, NULL);
    SET(s->waiting, 0);
    end_connections(all, pc);
  }
  return was_open;
}

void socket_end(struct socket *s, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  address_drop(s);
  file_reads(&s->listens, sizeof s->listens);
  if (s->listens)
    socket_shut(s, true, pc);
}

bool socket_is_readable(const struct socket *s) {
  file_reads(&s->mark, OBJECT_SIZE);
  return s->first || s->shut;
}

/* Known states that processes tell each other.
 *
 * When processes share a search (--jobs), what one of them knows of a state is
 * true for all: whether the future of a state is complete does not depend on
 * the way to it.  Each process writes down its new states, with their futures,
 * in a log in memory that all share, and reads what the others have written.
 *
 * The log consists of chunks of one writer each.  Sets and objects have numbers
 * of their own there: each writer defines a set before the first state with it,
 * and a reader finds out which of its own sets that is when it needs it.
 * A record is read when it is whole, so that a process may be killed at any
 * moment.  Nothing is ever removed: when the log is full, no more is told.
 *
 * All of this is true only as long as what the system has learnt of the program
 * (what is a step, how threads are numbered) is the same for writer and reader.
 * A process tells and reads states only while it has learnt no more than was
 * known when the search was first shared (struct stateful.learnt).
 */
#ifndef EXPLORE_STATEFUL_STATE_EXCHANGE_H
#define EXPLORE_STATEFUL_STATE_EXCHANGE_H

#include "explore/stateful/known_states.h"
#include "util/packed.h"

struct exchange_log;

/* keep.  Where a set is defined in the log, and 1 + the number that it has
 * here, or 0. */
struct exchange_set {
  const char *at;
  size_t size;
  uint32_t number;
};

/* keep.  What another process has defined. */
struct exchange_writer {
  VEC(struct exchange_set) live;
  VEC(struct exchange_set) segments;
  VEC(struct exchange_set) accesses;
  VEC(uint32_t) objects; /* which they are here; 64 and above: not known */
};

/* keep.  A chunk that is not read to its end. */
struct exchange_chunk {
  uint32_t number;
  uint32_t read; /* bytes */
};

/* keep: of one process. */
struct state_exchange {
  struct exchange_log *log;
  uint32_t self; /* number of this writer */
  /* writing */
  char *chunk;      /* the one that is written, or NULL */
  size_t told;      /* states so far, of those in known_states */
  size_t defined;   /* objects, likewise */
  uint32_t sets[3]; /* how many sets are defined, by kind */
  VEC(uint32_t) live, segments, accesses; /* 1 + number in the log, or 0 */
  bool full;
  /* reading */
  VEC(struct exchange_writer) writers;
  VEC(struct exchange_chunk) open;
  uint32_t chunks; /* so many were met */
  bool data;       /* some access was not atomic */
  struct state_future scratch;
};

/* Begins a log of so many bytes at most.  False: there is no memory for it. */
bool exchange_begin(struct state_exchange *, uint64_t most);
/* The process is a fork of the one that had this. */
void exchange_forked(struct state_exchange *, const struct known_states *);

/* How many states are new here. */
size_t exchange_untold(const struct state_exchange *,
                       const struct known_states *);
void exchange_write(struct state_exchange *, struct known_states *,
                    const struct objects *);
void exchange_read(struct state_exchange *, struct known_states *,
                   struct objects *);

/* States were dropped, after exchange_write().  `sets`: sets have new numbers,
 * too. */
void exchange_dropped(struct state_exchange *, const struct known_states *,
                      bool sets);
void exchange_end(struct state_exchange *);

/* Writes down known states, if there are very many the newest, which are higher
 * in the tree; reads them again.  False: they are damaged. */
void exchange_write_all(struct known_states *, const struct objects *,
                        struct packed *);
bool exchange_read_all(struct known_states *, struct objects *,
                       struct packed *);

#endif

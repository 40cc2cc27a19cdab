/* Following a schedule by its events, in a program that has changed. */
#ifndef SESSION_NATIVE_FOLLOW_H
#define SESSION_NATIVE_FOLLOW_H

#include "core/search.h"
#include "core/wire.h"
#include "util/vec.h"

/* keep */
struct follow {
  const struct move *moves; /* as they were recorded ... */
  const uint32_t *keys;     /* ... with the keys of their events */
  size_t count;
  size_t at;        /* the next one */
  size_t news;      /* steps taken that were not recorded */
  VEC(size_t) gone; /* moves that are left out, since their events are gone */
};

enum followed {
  FOLLOW_MOVE,     /* take this move */
  FOLLOW_END,      /* all moves were taken */
  FOLLOW_DEPARTED, /* the program does something else; the command was told */
};

/* The next move; MOVE_LOCAL is set in its choice if it is no step of its own.
 */
enum followed follow_next(struct follow *, const struct explorer *,
                          struct move *);

#endif

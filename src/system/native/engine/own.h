/* Memory that only one thread uses, in rounds of loops: see own.c. */
#ifndef SYSTEM_NATIVE_ENGINE_OWN_H
#define SYSTEM_NATIVE_ENGINE_OWN_H

#include "core/hook.h"
#include "engine.h"

/* keep: what every round of a loop writes before it reads. */
struct renewed {
  size_t count;
  struct renewed_place {
    const char *at;
    size_t size;
  } place[HOOK_MOST_RENEWED];
};

/* The thread writes a variable on its stack that only it can know. */
void own_changes(struct thread *, void *addr, size_t size);

/* Was the byte ever in such a variable? */
bool own_is_shown(const struct thread *, const void *addr);

/* Is the memory that only this thread uses as it was when that round began, but
 * for what is dead at the head of its loop?  What is below this frame on the
 * thread's stack does not matter. */
bool own_is_as_at(const struct thread *, const struct round *since,
                  const char *frame, const struct renewed *);

/* Was it the same when these two rounds of a loop began?  These objects that
 * synchronise are no part of it. */
bool own_was_same(const struct thread *, const struct round *then,
                  const struct round *now, const struct access *objects,
                  size_t count);

/* keep: such memory that was written, and what is there now. */
struct own {
  size_t count;
  struct own_bytes {
    const char *at;
    size_t size;
    uint64_t bytes;
  } at[MOST_OWN_WRITES];
};

/* What was written of it since the log had so many entries, now that this round
 * begins.  False: more was changed than that, or than there is room for. */
bool own_collect(const struct thread *, size_t entries, const struct round *now,
                 const struct renewed *, struct own *);
/* Collected in two states since the same state: are the two the same? */
bool own_same(const struct own *, const struct own *);

#endif

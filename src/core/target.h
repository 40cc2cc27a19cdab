/* A finding by its kind and place, as two runs of a program can compare it: see
 * struct wire_target. */
#ifndef CORE_TARGET_H
#define CORE_TARGET_H

#include <string.h>

#include "core/system.h"
#include "core/wire.h"
#include "util/hash.h"

/* A race's message only tells which access came first. */
static inline uint64_t target_texts(uint32_t kind, const char *file,
                                    const char *message) {
  uint64_t hash = hash_start();
  if (file)
    hash = hash_bytes(hash, file, strlen(file));
  if (message && kind != FINDING_RACE)
    hash = hash_bytes(hash, message, strlen(message));
  return hash;
}

static inline bool target_same(const struct wire_target *a,
                               const struct wire_target *b) {
  if (a->kind != b->kind || a->line != b->line || a->texts != b->texts)
    return false;
  if (a->line)
    return true; /* a line may have several code addresses */
  if (a->pc == b->pc && a->other_pc == b->other_pc)
    return true;
  /* Either access of a race may come first. */
  return a->kind == FINDING_RACE && a->pc == b->other_pc &&
         a->other_pc == b->pc;
}

#endif

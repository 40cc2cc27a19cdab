#include "core/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "core/trace.h"
#include "util/ensure.h"

/* ---- granules -------------------------------------------------------------
 */

static uint32_t *bucket_find(const struct shadow *s, uint64_t granule) {
  uint64_t hash = granule * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
  size_t b = (hash >> 32) & (s->bucket_count - 1);
  while (s->buckets[b] && s->cells.at[s->buckets[b] - 1].granule != granule)
    b = (b + 1) & (s->bucket_count - 1);
  return &s->buckets[b];
}

static void resize(struct shadow *s, size_t count) {
  free(s->buckets);
  s->buckets = calloc(count, sizeof *s->buckets);
  ensure(s->buckets);
  s->bucket_count = count;
  for (uint32_t c = 0; c < s->cells.size; c++)
    *bucket_find(s, s->cells.at[c].granule) = c + 1;
}

static uint32_t cell_of(struct shadow *s, uint64_t granule) {
  if (2 * s->cells.size >= s->bucket_count)
    resize(s, s->bucket_count ? 2 * s->bucket_count : BUCKETS_FIRST);
  uint32_t *bucket = bucket_find(s, granule);
  if (!*bucket) {
    VEC_PUSH(s->cells, (struct shadow_cell){granule, 0});
    *bucket = (uint32_t)s->cells.size;
  }
  return *bucket - 1;
}

/* ---- races ----------------------------------------------------------------
 */

static bool races(const struct shadow_touch *old, const struct shadow_access *a,
                  uint32_t mode) {
  return old->proc != a->proc && ((old->mode | mode) & ACCESS_WRITE) &&
         !(old->mode & mode & (ACCESS_ATOMIC | SHADOW_BLOCK)) &&
         clock_get(a->clocks, a->clock, old->proc) < old->index;
}

static const struct shadow_touch *newest_of(const struct shadow *s,
                                            uint32_t cell) {
  uint32_t newest = s->cells.at[cell].newest;
  return newest ? &s->touches.at[newest - 1] : NULL;
}

/* Says the new touch nothing that the newest one does not say? */
static bool is_known(const struct shadow_touch *newest,
                     const struct shadow_touch *touch) {
  return newest && newest->proc == touch->proc &&
         newest->index == touch->index && newest->mode == touch->mode &&
         newest->pc == touch->pc && !(touch->mask & ~newest->mask);
}

/* A read that the same process repeats need not be looked at again. */
static uint32_t older_that_matters(const struct shadow_touch *newest,
                                   const struct shadow_touch *touch) {
  bool outdated =
      newest && newest->proc == touch->proc && newest->mode == touch->mode &&
      !(newest->mode & ACCESS_WRITE) && !(newest->mask & ~touch->mask);
  return outdated ? newest->matters : touch->older;
}

static void enter_granule(struct shadow *s, const struct shadow_access *a,
                          uint64_t granule,
                          void (*report)(void *, const struct shadow_race *),
                          void *context) {
  uint32_t cell = cell_of(s, granule);
  struct shadow_touch touch = {.proc = a->proc,
                               .index = a->index,
                               .cell = cell,
                               .older = s->cells.at[cell].newest,
                               .mask = access_mask(a->access, granule),
                               .mode = (uint8_t)(a->access->mode | a->mode),
                               .pc = a->pc};
  if (is_known(newest_of(s, cell), &touch))
    return;
  uint8_t bytes = touch.mask;
  for (uint32_t i = touch.older; i && bytes; i = s->touches.at[i - 1].matters) {
    const struct shadow_touch *old = &s->touches.at[i - 1];
    if (!(old->mask & bytes))
      continue;
    if (races(old, a, touch.mode))
      report(context, &(struct shadow_race){old, granule, a->proc, a->pc});
    if (old->mode & ACCESS_WRITE)
      bytes &= (uint8_t)~old->mask;
  }
  touch.matters = older_that_matters(newest_of(s, cell), &touch);
  VEC_PUSH(s->touches, touch);
  s->cells.at[cell].newest = (uint32_t)s->touches.size;
}

void shadow_enter(struct shadow *s, const struct shadow_access *a,
                  void (*report)(void *, const struct shadow_race *),
                  void *context) {
  uint64_t last = access_last_granule(a->access);
  for (uint64_t g = access_first_granule(a->access); g <= last; g++)
    enter_granule(s, a, g, report, context);
}

/* ---- life -----------------------------------------------------------------
 */

void shadow_truncate(struct shadow *s, size_t touches) {
  while (s->touches.size > touches) {
    const struct shadow_touch *t = &VEC_POP(s->touches);
    s->cells.at[t->cell].newest = t->older;
  }
}

void shadow_free(struct shadow *s) {
  VEC_FREE(s->touches);
  VEC_FREE(s->cells);
  free(s->buckets);
}

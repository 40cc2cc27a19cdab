#include "core/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "core/trace.h"
#include "util/ensure.h"

/* ---- granules -------------------------------------------------------------
 */

static uint32_t cell_of(struct shadow *s, uint64_t granule) {
  uint32_t hash = table_hash(granule);
  for (TABLE_EACH(c, &s->by_granule, hash))
    if (s->cells.at[c].granule == granule)
      return (uint32_t)c;
  table_add(&s->by_granule, hash, s->cells.size);
  VEC_PUSH(s->cells, (struct shadow_cell){granule, 0});
  return (uint32_t)s->cells.size - 1;
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

/* Does the newest touch say all that the new one would? */
static bool is_known(const struct shadow_touch *newest,
                     const struct shadow_touch *touch) {
  return newest && newest->proc == touch->proc &&
         newest->index == touch->index && newest->mode == touch->mode &&
         newest->pc == touch->pc && !(touch->mask & ~newest->mask);
}

/* Can later accesses ignore the old touch because of the newer one?  See also
 * trace.c. */
static bool outdated(const struct shadow_touch *old,
                     const struct shadow_touch *newer) {
  if ((old->mask & ~newer->mask) || (~old->mode & newer->mode & ACCESS_ATOMIC))
    return false;
  return (newer->mode & ACCESS_WRITE) ||
         (old->proc == newer->proc && old->mode == newer->mode);
}

static void unlink_touch(struct shadow *s, uint32_t by, uint32_t from) {
  uint32_t gone = s->touches.at[from].live;
  if (by != from)
    VEC_PUSH(s->unlinked, (struct shadow_unlinked){by + 1, from, gone});
  s->touches.at[from].live = s->touches.at[gone - 1].live;
}

/* Takes outdated touches out of the live ones.  A write that covers the newest
 * touch has taken out all that is older. */
static void outdate(struct shadow *s, uint32_t newest) {
  const struct shadow_touch *newer = &s->touches.at[newest];
  uint32_t from = newest, r;
  while ((r = s->touches.at[from].live)) {
    const struct shadow_touch *old = &s->touches.at[r - 1];
    bool last = (old->mode & ACCESS_WRITE) && outdated(newer, old);
    if (outdated(old, newer))
      unlink_touch(s, newest, from);
    else
      from = r - 1;
    if (last)
      return;
  }
}

/* Reports the live touches with which the new touch races. */
static void look_at_live(const struct shadow *s, const struct shadow_access *a,
                         const struct shadow_touch *touch, uint64_t granule,
                         data_race_report *report, void *context) {
  uint8_t bytes = touch->mask;
  uint8_t plain = touch->mode & ACCESS_ATOMIC ? bytes : 0;
  for (uint32_t i = touch->older; i && (bytes | plain);
       i = s->touches.at[i - 1].live) {
    const struct shadow_touch *old = &s->touches.at[i - 1];
    bool atomic = old->mode & ACCESS_ATOMIC;
    if (!(old->mask & (atomic ? bytes : bytes | plain)))
      continue;
    if (races(old, a, touch->mode))
      report(context,
             &(struct data_race){.proc = a->proc,
                                 .pc = a->pc,
                                 .other_pc = old->pc,
                                 .granule = granule,
                                 .mask = old->mask,
                                 .other_writes = old->mode & ACCESS_WRITE});
    if (!(old->mode & ACCESS_WRITE))
      continue;
    bytes &= (uint8_t)~old->mask;
    if (!atomic)
      plain &= (uint8_t)~old->mask;
  }
}

static void enter_granule(struct shadow *s, const struct shadow_access *a,
                          uint64_t granule, data_race_report *report,
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
  look_at_live(s, a, &touch, granule, report, context);
  touch.live = touch.older;
  VEC_PUSH(s->touches, touch);
  s->cells.at[cell].newest = (uint32_t)s->touches.size;
  outdate(s, (uint32_t)s->touches.size - 1);
}

void shadow_enter(struct shadow *s, const struct shadow_access *a,
                  data_race_report *report, void *context) {
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
  while (s->unlinked.size && VEC_TOP(s->unlinked).by > touches) {
    struct shadow_unlinked u = VEC_POP(s->unlinked);
    s->touches.at[u.from].live = u.live;
  }
}

void shadow_free(struct shadow *s) {
  VEC_FREE(s->touches);
  VEC_FREE(s->unlinked);
  VEC_FREE(s->cells);
  table_free(&s->by_granule);
}

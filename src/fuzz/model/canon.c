#include "canon.h"

#include "util/rng.h"

void canon_free(struct canon *c) {
  VEC_FREE(c->events);
  VEC_FREE(c->accesses);
}

void canon_truncate(struct canon *c, size_t length) {
  if (length >= c->events.size)
    return;
  c->accesses.size = c->events.at[length].first_access;
  c->events.size = length;
}

struct key canon_trace(const struct canon *c) {
  return c->events.size ? VEC_TOP(c->events).trace : (struct key){0, 0};
}

struct key canon_reads_from(const struct canon *c) {
  return c->events.size ? VEC_TOP(c->events).reads_from : (struct key){0, 0};
}

/* Two halves by two different functions. */
static struct key mix(uint64_t a, uint64_t b) {
  uint64_t low = rng_mix(a ^ rng_mix(b));
  return (struct key){low, rng_mix(b ^ 0xa0761d6478bd642fu) ^
                               rng_mix(a + 0xe7037ed1a0b428dbu)};
}

static struct key plus(struct key a, struct key b) {
  return (struct key){a.low + b.low, a.high + b.high};
}

/* So that a sum of sums is not a sum. */
static struct key seal(struct key a) {
  return (struct key){rng_mix(a.low ^ (a.high << 1)),
                      rng_mix(a.high + 0x589965cc75374cc3u)};
}

static bool overlap(const struct access *a, const struct access *b) {
  return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* What is longer than a variable overlaps with everything. */
static uint64_t variable_bit(const struct access *a) {
  return a->addr % 8 + a->size > 8 ? UINT64_MAX
                                   : (uint64_t)1 << a->addr / 8 % 64;
}

/* Most pairs of events have nothing to do with each other. */
static bool may_depend(const struct canon_event *a,
                       const struct canon_event *b) {
  return (a->touched & b->written) | (a->written & b->touched);
}

/* Two updates of the same bytes that commute. */
static bool of_one_kind(const struct access *a, const struct access *b) {
  uint32_t kind = a->mode & ACCESS_KIND;
  return kind && kind == (b->mode & ACCESS_KIND) && a->addr == b->addr &&
         a->size == b->size;
}

static bool dependent(const struct canon *c, const struct canon_event *a,
                      const struct canon_event *b) {
  if (a->proc == b->proc)
    return true;
  if (!may_depend(a, b))
    return false;
  for (uint32_t i = 0; i < a->accesses; i++)
    for (uint32_t k = 0; k < b->accesses; k++) {
      const struct access *x = &c->accesses.at[a->first_access + i];
      const struct access *y = &c->accesses.at[b->first_access + k];
      if (overlap(x, y) && ((x->mode | y->mode) & ACCESS_WRITE) &&
          !of_one_kind(x, y))
        return true;
    }
  return false;
}

/* Plain writes see nothing, unless a loop may be held where they write;
 * everything else sees what was there. */
static bool looks(const struct canon_event *e, const struct access *a) {
  return !(a->mode & ACCESS_WRITE) || !(a->mode & ACCESS_BLIND) ||
         op_reads_written(e->op);
}

/* Which bytes of a lie in b: a bit for each. */
static uint32_t bytes_in(const struct access *a, const struct access *b) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; overlap(a, b) && i < a->size; i++)
    if (a->addr + i >= b->addr && a->addr + i < b->addr + b->size)
      bytes |= 1u << i;
  return bytes;
}

static bool is_ordered(const struct canon *c, const struct access *a) {
  for (size_t i = 0; c->ordered && i < c->ordered->size; i++)
    if (overlap(&c->ordered->at[i], a))
      return true;
  return false;
}

static uint32_t written_bytes(const struct canon *c,
                              const struct canon_event *w,
                              const struct access *a) {
  uint32_t bytes = 0;
  for (uint32_t k = 0; k < w->accesses; k++) {
    const struct access *x = &c->accesses.at[w->first_access + k];
    if (x->mode & ACCESS_WRITE)
      bytes |= bytes_in(a, x);
  }
  return bytes;
}

/* The last writer of each byte of a: several may have written a part, and the
 * rest may have none. */
static struct key find_writers(const struct canon *c, size_t before,
                               const struct access *a) {
  struct key sum = {0, 0};
  uint32_t bytes = bytes_in(a, a);
  for (size_t i = before; bytes && i-- > 0;) {
    const struct canon_event *w = &c->events.at[i];
    uint32_t found = bytes & written_bytes(c, w, a);
    if (found)
      sum = plus(sum, seal(plus(mix(1 + w->proc, w->index), mix(0, found))));
    bytes &= ~found;
  }
  return plus(sum, mix(bytes, a->addr));
}

/* The looks of other processes at the bytes that came before. */
static struct key find_looks(const struct canon *c, size_t before,
                             const struct access *a) {
  struct key sum = {0, 0};
  for (size_t i = 0; i < before; i++) {
    const struct canon_event *l = &c->events.at[i];
    if (l->look && l->proc != c->events.at[before].proc &&
        overlap(&c->accesses.at[l->first_access], a))
      sum = plus(sum, seal(mix(1 + l->proc, l->index)));
  }
  return seal(sum);
}

static struct key observe(const struct canon *c, size_t position,
                          const struct step *step) {
  const struct canon_event *e = &c->events.at[position];
  struct key sum = mix(((uint64_t)e->proc << 32) | e->index, step->choice);
  for (uint32_t k = 0; k < e->accesses; k++) {
    const struct access *a = &c->accesses.at[e->first_access + k];
    if (a->mode & ACCESS_WRITE)
      sum = plus(sum, find_looks(c, position, a));
    if (!looks(e, a) && !is_ordered(c, a))
      continue;
    struct key seen = plus(mix(0, a->addr), find_writers(c, position, a));
    sum = plus(sum, seal(seen)); /* no writer is taken for the reader's name */
  }
  return seal(sum);
}

static bool touched_twice(const struct access *at, uint32_t count, uint32_t i) {
  for (uint32_t k = 0; k < count; k++)
    if (k != i && overlap(&at[k], &at[i]))
      return true;
  return false;
}

static uint32_t find_blind(const struct canon *c, const struct canon_event *e) {
  const struct access *at = &c->accesses.at[e->first_access];
  uint32_t found = 0;
  for (uint32_t i = 0; i < e->accesses; i++) {
    if (looks(e, &at[i]) || touched_twice(at, e->accesses, i))
      continue;
    if (found)
      return 0;
    found = e->first_access + i + 1;
  }
  return found;
}

void canon_push(struct canon *c, uint32_t proc, const struct step *step,
                bool failed) {
  size_t position = c->events.size;
  struct canon_event e = {.proc = proc,
                          .first_access = (uint32_t)c->accesses.size,
                          .accesses = step->accesses,
                          .cause = step->cause,
                          .choice = step->choice,
                          .op = step->op,
                          .look = step->flags & STEP_LOOK,
                          .failed = failed};
  VEC_RESERVE(c->accesses, step->accesses);
  for (uint32_t i = 0; i < step->accesses; i++) {
    const struct access *a = &step->access[i];
    c->accesses.at[c->accesses.size++] = *a;
    e.touched |= variable_bit(a);
    e.written |= a->mode & ACCESS_WRITE ? variable_bit(a) : 0;
  }
  struct key sum = {0, 0};
  for (size_t i = 0; i < position; i++) {
    const struct canon_event *d = &c->events.at[i];
    e.index += d->proc == proc;
    if (step->cause != i + 1 && !dependent(c, d, &e))
      continue;
    sum = plus(sum, d->link);
    e.tainted |= d->failed || d->tainted;
  }
  struct key name = seal(plus(
      sum, mix(((uint64_t)proc << 32) | e.index, 1 + (uint64_t)step->choice)));
  e.link = seal(name);
  e.trace = plus(canon_trace(c), name);
  e.blind = find_blind(c, &e);
  struct key before = canon_reads_from(c);
  VEC_PUSH(c->events, e);
  if (c->reads)
    VEC_TOP(c->events).reads_from = plus(before, observe(c, position, step));
}

/* ---- with observers -------------------------------------------------------
 */

static const struct access *blind(const struct canon *c,
                                  const struct canon_event *e) {
  return e->blind ? &c->accesses.at[e->blind - 1] : NULL;
}

/* Two writes of which the later one leaves nothing of the earlier one. */
static bool rivals(const struct access *a, const struct access *b) {
  return a && b && a->addr == b->addr && a->size == b->size;
}

/* Does the next event that touches what this one wrote blindly see it? */
static bool observed(const struct canon *c, size_t position, bool printed) {
  const struct access *a = blind(c, &c->events.at[position]);
  for (size_t i = position + 1; i < c->events.size; i++) {
    const struct canon_event *e = &c->events.at[i];
    for (uint32_t k = 0; k < e->accesses; k++)
      if (overlap(&c->accesses.at[e->first_access + k], a))
        return !rivals(blind(c, e), a);
  }
  return printed;
}

static bool depends_observed(const struct canon *c, size_t i, size_t position,
                             bool printed) {
  const struct canon_event *d = &c->events.at[i], *e = &c->events.at[position];
  const struct access *a = blind(c, d), *b = blind(c, e);
  if (d->proc == e->proc || e->cause == i + 1)
    return true;
  for (uint32_t k = 0; may_depend(d, e) && k < d->accesses; k++)
    for (uint32_t n = 0; n < e->accesses; n++) {
      const struct access *x = &c->accesses.at[d->first_access + k];
      const struct access *y = &c->accesses.at[e->first_access + n];
      if (overlap(x, y) && ((x->mode | y->mode) & ACCESS_WRITE) &&
          !of_one_kind(x, y) &&
          (x != a || y != b || !rivals(a, b) || observed(c, position, printed)))
        return true;
    }
  return false;
}

struct key canon_observed(struct canon *c, bool printed) {
  struct key all = {0, 0};
  for (size_t position = 0; position < c->events.size; position++) {
    struct canon_event *e = &c->events.at[position];
    struct key sum =
        mix(((uint64_t)e->proc << 32) | e->index, 1 + (uint64_t)e->choice);
    for (size_t i = 0; i < position; i++)
      if (depends_observed(c, i, position, printed))
        sum = plus(sum, c->events.at[i].observed);
    struct key name = seal(sum);
    e->observed = seal(name);
    all = plus(all, name);
  }
  return all;
}

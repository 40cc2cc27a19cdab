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

static bool dependent(const struct canon *c, const struct canon_event *a,
                      const struct canon_event *b) {
  if (a->proc == b->proc)
    return true;
  for (uint32_t i = 0; i < a->accesses; i++)
    for (uint32_t k = 0; k < b->accesses; k++) {
      const struct access *x = &c->accesses.at[a->first_access + i];
      const struct access *y = &c->accesses.at[b->first_access + k];
      if (overlap(x, y) && ((x->mode | y->mode) & ACCESS_WRITE))
        return true;
    }
  return false;
}

/* Plain writes see nothing; everything else sees what was there. */
static bool reads(const struct canon_event *e, const struct access *a) {
  return !(a->mode & ACCESS_WRITE) ||
         (e->op != OP_STORE && e->op != OP_WRITE && e->op != OP_BLOCK);
}

static struct key find_writer(const struct canon *c, size_t before,
                              const struct access *a) {
  for (size_t i = before; i-- > 0;) {
    const struct canon_event *w = &c->events.at[i];
    for (uint32_t k = 0; k < w->accesses; k++) {
      const struct access *x = &c->accesses.at[w->first_access + k];
      if ((x->mode & ACCESS_WRITE) && overlap(x, a))
        return mix(1 + w->proc, w->index);
    }
  }
  return mix(0, a->addr);
}

static struct key observe(const struct canon *c, size_t position,
                          const struct step *step) {
  const struct canon_event *e = &c->events.at[position];
  struct key sum = mix(((uint64_t)e->proc << 32) | e->index, step->choice);
  for (uint32_t k = 0; k < e->accesses; k++) {
    const struct access *a = &c->accesses.at[e->first_access + k];
    if (reads(e, a))
      sum = plus(sum, find_writer(c, position, a));
  }
  return seal(sum);
}

void canon_push(struct canon *c, uint32_t proc, const struct step *step,
                bool failed) {
  size_t position = c->events.size;
  struct canon_event e = {.proc = proc,
                          .first_access = (uint32_t)c->accesses.size,
                          .accesses = step->accesses,
                          .op = step->op,
                          .failed = failed};
  VEC_RESERVE(c->accesses, step->accesses);
  for (uint32_t i = 0; i < step->accesses; i++)
    c->accesses.at[c->accesses.size++] = step->access[i];
  struct key sum = {0, 0};
  for (size_t i = 0; i < position; i++) {
    const struct canon_event *d = &c->events.at[i];
    e.index += d->proc == proc;
    if (step->cause != i + 1 && !dependent(c, d, &e))
      continue;
    sum = plus(sum, seal(d->name));
    e.tainted |= d->failed || d->tainted;
  }
  e.name = seal(plus(
      sum, mix(((uint64_t)proc << 32) | e.index, 1 + (uint64_t)step->choice)));
  e.trace = plus(canon_trace(c), e.name);
  struct key before = canon_reads_from(c);
  VEC_PUSH(c->events, e);
  VEC_TOP(c->events).reads_from = plus(before, observe(c, position, step));
}

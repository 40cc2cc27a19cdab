#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "explore/stateful/state_exchange.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/ensure.h"
#include "util/hostile.h"

enum { CHUNK = HOSTILE ? 1 << 13 : 1 << 18, CLOSED = 1 };

/* keep, in memory that all processes share. */
struct exchange_log {
  uint64_t size;
  uint32_t writers;
  uint32_t chunks;
  uint32_t most; /* chunks */
};

/* The chunks follow the log.  Sizes and places are multiples of 8. */
struct chunk {
  uint32_t used; /* bytes of records, + CLOSED if there will be no more */
  uint32_t writer;
  uint32_t previous; /* 1 + the number of the writer's chunk before it, or 0 */
  uint32_t number;
};

enum record_kind { LIVE_SET, SEGMENT, ACCESS_SET, OBJECT, STATE };

struct told_record {
  uint32_t kind;
  uint32_t size; /* without this head */
};

/* The numbers are those of the writer. */
struct told_state {
  struct digest128 key;
  uint32_t local;
  uint32_t live;
  uint32_t accesses;
  uint16_t moves;
  uint16_t whole;
};

enum { ROOM = CHUNK - sizeof(struct chunk) };

static struct chunk *chunk_at(const struct state_exchange *x, uint32_t n) {
  return (struct chunk *)(void *)((char *)x->log + CHUNK * (size_t)(n + 1));
}

/* ---- life -----------------------------------------------------------------
 */

bool exchange_begin(struct state_exchange *x, uint64_t most) {
  size_t size = (size_t)most / CHUNK * CHUNK;
  if (size < 2 * CHUNK)
    return false;
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return false;
  x->log = at;
  x->log->size = size;
  x->log->most = (uint32_t)(size / CHUNK - 1);
  x->self = x->log->writers++;
  return true;
}

size_t exchange_untold(const struct state_exchange *x,
                       const struct known_states *k) {
  return k->states.size - x->told;
}

static void forget_numbers(struct state_exchange *x) {
  x->live.size = x->segments.size = x->accesses.size = 0;
}

/* What the other one has told is read like that of any writer.  What it will
 * still tell is known here. */
void exchange_forked(struct state_exchange *x, const struct known_states *k) {
  x->self = __atomic_fetch_add(&x->log->writers, 1, __ATOMIC_RELAXED);
  x->chunk = NULL;
  x->told = k->states.size;
  x->defined = 0;
  x->full = false;
  x->sets[0] = x->sets[1] = x->sets[2] = 0;
  forget_numbers(x);
}

static void forget_read(struct exchange_writer *w) {
  for (size_t i = 0; i < w->live.size; i++)
    w->live.at[i].number = 0;
  for (size_t i = 0; i < w->segments.size; i++)
    w->segments.at[i].number = 0;
  for (size_t i = 0; i < w->accesses.size; i++)
    w->accesses.at[i].number = 0;
}

void exchange_dropped(struct state_exchange *x, const struct known_states *k,
                      bool sets) {
  x->told = k->states.size;
  if (!sets)
    return;
  forget_numbers(x);
  for (size_t i = 0; i < x->writers.size; i++)
    forget_read(&x->writers.at[i]);
}

void exchange_end(struct state_exchange *x) {
  if (x->log)
    syscall(SYS_munmap, x->log, (long)x->log->size);
  for (size_t i = 0; i < x->writers.size; i++) {
    VEC_FREE(x->writers.at[i].live);
    VEC_FREE(x->writers.at[i].segments);
    VEC_FREE(x->writers.at[i].accesses);
    VEC_FREE(x->writers.at[i].objects);
  }
  VEC_FREE(x->writers);
  VEC_FREE(x->open);
  VEC_FREE(x->live);
  VEC_FREE(x->segments);
  VEC_FREE(x->accesses);
  future_free(&x->scratch);
  x->log = NULL;
}

/* ---- writing --------------------------------------------------------------
 */

static struct chunk *own_chunk(const struct state_exchange *x) {
  return (struct chunk *)(void *)x->chunk;
}

/* False: the log is full. */
static bool next_chunk(struct state_exchange *x) {
  uint32_t n = __atomic_fetch_add(&x->log->chunks, 1, __ATOMIC_RELAXED);
  struct chunk *old = own_chunk(x);
  x->full = n >= x->log->most;
  if (x->full)
    return false;
  if (old)
    __atomic_fetch_or(&old->used, CLOSED, __ATOMIC_RELEASE);
  struct chunk *c = chunk_at(x, n);
  c->writer = x->self;
  c->number = n;
  c->previous = old ? old->number + 1 : 0;
  x->chunk = (char *)c;
  return true;
}

/* False: it does not fit. */
static bool put(struct state_exchange *x, enum record_kind kind,
                const void *body, size_t size) {
  struct told_record head = {(uint32_t)kind, (uint32_t)(size + 7) / 8 * 8};
  size_t all = sizeof head + head.size;
  struct chunk *c = own_chunk(x);
  if (x->full || all > ROOM || ((!c || c->used + all > ROOM) && !next_chunk(x)))
    return false;
  c = own_chunk(x);
  char *to = (char *)(c + 1) + c->used;
  memcpy(to, &head, sizeof head);
  if (size)
    memcpy(to + sizeof head, body, size);
  __atomic_store_n(&c->used, c->used + (uint32_t)all, __ATOMIC_RELEASE);
  return true;
}

/* The number in the log of the set of this number, or 0: not defined yet. */
static uint32_t *number_of(struct state_exchange *x, enum record_kind kind,
                           uint32_t n) {
  uint32_t none = 0;
  switch (kind) {
  case LIVE_SET:
    while (x->live.size <= n)
      VEC_PUSH(x->live, none);
    return &x->live.at[n];
  case SEGMENT:
    while (x->segments.size <= n)
      VEC_PUSH(x->segments, none);
    return &x->segments.at[n];
  default:
    while (x->accesses.size <= n)
      VEC_PUSH(x->accesses, none);
    return &x->accesses.at[n];
  }
}

/* Defines a set.  False: it does not fit. */
static bool define(struct state_exchange *x, enum record_kind kind, uint32_t n,
                   const void *body, size_t size) {
  if (!put(x, kind, body, size))
    return false;
  *number_of(x, kind, n) = ++x->sets[kind];
  return true;
}

static bool define_live(struct state_exchange *x, const struct known_states *k,
                        uint32_t n) {
  struct known_set set = k->live_sets.at[n];
  return *number_of(x, LIVE_SET, n) ||
         define(x, LIVE_SET, n, &k->live_pool.at[set.first],
                set.count * sizeof *k->live_pool.at);
}

static bool define_segment(struct state_exchange *x,
                           const struct known_states *k, uint32_t n) {
  size_t count;
  const struct future_access *at = segment_at(&k->segments, n, &count);
  return *number_of(x, SEGMENT, n) ||
         define(x, SEGMENT, n, at, count * sizeof *at);
}

static bool define_accesses(struct state_exchange *x,
                            const struct known_states *k, uint32_t set);

/* A side of a pair, and its number in the log. */
static bool define_side(struct state_exchange *x, const struct known_states *k,
                        uint32_t level, uint32_t *side) {
  bool good = !*side || (level == 1 ? define_segment(x, k, *side - 1)
                                    : define_accesses(x, k, *side));
  if (good && *side)
    *side = level == 1 ? *number_of(x, SEGMENT, *side - 1)
                       : *number_of(x, ACCESS_SET, *side);
  return good;
}

/* Sets differ in a few pairs, so that most pairs are defined already. */
static bool define_accesses(struct state_exchange *x,
                            const struct known_states *k, uint32_t set) {
  if (!set || *number_of(x, ACCESS_SET, set))
    return true;
  struct segment_pair pair = segment_sets_split(&k->access_sets, set);
  return define_side(x, k, pair.level, &pair.left) &&
         define_side(x, k, pair.level, &pair.right) &&
         define(x, ACCESS_SET, set, &pair, sizeof pair);
}

static void define_objects(struct state_exchange *x, const struct objects *o) {
  while (x->defined < o->list.size &&
         put(x, OBJECT, &o->list.at[x->defined], sizeof *o->list.at))
    x->defined++;
}

static uint32_t told_accesses(struct state_exchange *x, uint32_t set) {
  return set ? *number_of(x, ACCESS_SET, set) : 0;
}

static void tell(struct state_exchange *x, struct known_states *k, size_t n) {
  struct known_fact f = known_fact_at(k, n);
  if (!define_live(x, k, f.future.live) ||
      !define_accesses(x, k, f.future.accesses))
    return;
  struct told_state told = {.key = f.key,
                            .local = f.local,
                            .live = *number_of(x, LIVE_SET, f.future.live),
                            .accesses = told_accesses(x, f.future.accesses),
                            .moves = f.future.moves,
                            .whole = f.whole};
  put(x, STATE, &told, sizeof told);
}

void exchange_write(struct state_exchange *x, struct known_states *k,
                    const struct objects *o) {
  define_objects(x, o);
  for (; x->told < k->states.size && !x->full && x->defined == o->list.size;
       x->told++)
    tell(x, k, x->told);
  x->told = k->states.size;
}

/* ---- sets of other processes ----------------------------------------------
 */

static uint64_t objects_here(const struct exchange_writer *w, uint64_t set) {
  uint64_t here = 0;
  for (; set; set &= set - 1)
    here |= carrier_bit(w->objects.at[__builtin_ctzll(set)]);
  return here;
}

static uint32_t live_here(struct state_exchange *x, struct known_states *k,
                          struct exchange_set *set) {
  if (!set->number) {
    struct state_future *f = &x->scratch;
    VEC_SIZED(f->live, set->size / sizeof *f->live.at);
    if (f->live.size)
      memcpy(f->live.at, set->at, set->size);
    set->number = 1 + known_intern_live(k, f);
  }
  return set->number - 1;
}

static uint32_t segment_here(struct state_exchange *x, struct known_states *k,
                             const struct exchange_writer *w,
                             struct exchange_set *set) {
  if (set->number)
    return set->number - 1;
  struct access_list *l = segments_open(&k->segments, NO_SEGMENT);
  VEC_SIZED(l->list, set->size / sizeof *l->list.at);
  memcpy(l->list.at, set->at, set->size);
  for (size_t i = 0; i < l->list.size; i++) {
    struct future_access *a = &l->list.at[i];
    a->carriers.objects = objects_here(w, a->carriers.objects);
    a->acquired = objects_here(w, a->acquired);
    x->data |= !(a->mode & ACCESS_ATOMIC);
  }
  set->number = 1 + segments_intern(&k->segments, l);
  return set->number - 1;
}

static uint32_t accesses_here(struct state_exchange *x, struct known_states *k,
                              const struct exchange_writer *w, uint32_t told);

static uint32_t side_here(struct state_exchange *x, struct known_states *k,
                          const struct exchange_writer *w, uint32_t level,
                          uint32_t side) {
  if (!side || level > 1)
    return accesses_here(x, k, w, side);
  return 1 + segment_here(x, k, w, &w->segments.at[side - 1]);
}

/* The empty set has number 0 everywhere. */
static uint32_t accesses_here(struct state_exchange *x, struct known_states *k,
                              const struct exchange_writer *w, uint32_t told) {
  struct exchange_set *set = told ? &w->accesses.at[told - 1] : NULL;
  struct segment_pair pair;
  if (!set || set->number)
    return set ? set->number : 0;
  memcpy(&pair, set->at, sizeof pair);
  pair.left = side_here(x, k, w, pair.level, pair.left);
  pair.right = side_here(x, k, w, pair.level, pair.right);
  return set->number = segment_sets_join(&k->access_sets, pair);
}

/* ---- reading --------------------------------------------------------------
 */

static struct exchange_writer *writer_at(struct state_exchange *x, uint32_t n) {
  while (x->writers.size <= n)
    VEC_PUSH(x->writers, (struct exchange_writer){0});
  return &x->writers.at[n];
}

static void read_state(struct state_exchange *x, struct known_states *k,
                       struct exchange_writer *w, const char *at) {
  struct told_state told;
  memcpy(&told, at, sizeof told);
  struct known_fact f = {.key = told.key,
                         .local = told.local,
                         .whole = told.whole,
                         .future.moves = told.moves & 3};
  f.future.live = live_here(x, k, &w->live.at[told.live - 1]);
  f.future.accesses = accesses_here(x, k, w, told.accesses);
  known_enter(k, &f);
}

/* Of what this process has told, only the definitions are of use: to its
 * children. */
static void read_record(struct state_exchange *x, struct known_states *k,
                        struct objects *o, uint32_t writer,
                        const struct told_record *r, const char *at) {
  struct exchange_writer *w = writer_at(x, writer);
  struct exchange_set set = {at, r->size, 0};
  struct object object;
  switch ((enum record_kind)r->kind) {
  case LIVE_SET:
    VEC_PUSH(w->live, set);
    break;
  case SEGMENT:
    VEC_PUSH(w->segments, set);
    break;
  case ACCESS_SET:
    VEC_PUSH(w->accesses, set);
    break;
  case OBJECT:
    memcpy(&object, at, sizeof object);
    VEC_PUSH(w->objects, (uint32_t)object_enter(o, object));
    break;
  case STATE:
    if (writer != x->self)
      read_state(x, k, w, at);
    break;
  }
}

/* Memory is asked for what a record is about to need; returns the next one. */
static const char *expect_record(const struct known_states *k, const char *at) {
  struct told_record r;
  struct told_state told;
  memcpy(&r, at, sizeof r);
  if (r.kind == STATE) {
    memcpy(&told, at + sizeof r, sizeof told);
    known_expect(k, told.key, told.local);
  }
  return at + sizeof r + r.size;
}

/* Records are expected some time before they are read: a state lies in no cache
 * here, and there are many of them. */
static void read_records(struct state_exchange *x, struct known_states *k,
                         struct objects *o, uint32_t writer, const char *at,
                         const char *end) {
  enum { AHEAD = 12 };
  const char *ahead = at;
  for (int i = 0; i < AHEAD && ahead < end; i++)
    ahead = expect_record(k, ahead);
  while (at < end) {
    struct told_record r;
    memcpy(&r, at, sizeof r);
    if (ahead < end)
      ahead = expect_record(k, ahead);
    read_record(x, k, o, writer, &r, at + sizeof r);
    at += sizeof r + r.size;
  }
}

/* Reads what is new in the chunk.  True: there will be no more. */
static bool read_chunk(struct state_exchange *x, struct known_states *k,
                       struct objects *o, struct exchange_chunk *open) {
  const struct chunk *c = chunk_at(x, open->number);
  uint32_t used = __atomic_load_n(&c->used, __ATOMIC_ACQUIRE);
  const char *records = (const char *)(c + 1);
  uint32_t end = used & ~(uint32_t)CLOSED;
  read_records(x, k, o, c->writer, records + open->read, records + end);
  open->read = end;
  return used & CLOSED;
}

/* Is the writer of this chunk known?  Its older chunks are to be read first;
 * they are closed then. */
static bool may_read(const struct state_exchange *x,
                     const struct exchange_chunk *open) {
  const struct chunk *c = chunk_at(x, open->number);
  if (!__atomic_load_n(&c->used, __ATOMIC_ACQUIRE))
    return false;
  for (size_t i = 0; i < x->open.size && c->previous; i++)
    if (x->open.at[i].number == c->previous - 1)
      return false;
  return true;
}

static void meet_chunks(struct state_exchange *x) {
  uint32_t chunks = __atomic_load_n(&x->log->chunks, __ATOMIC_ACQUIRE);
  if (chunks > x->log->most)
    chunks = x->log->most;
  for (; x->chunks < chunks; x->chunks++)
    VEC_PUSH(x->open, (struct exchange_chunk){.number = x->chunks});
}

void exchange_read(struct state_exchange *x, struct known_states *k,
                   struct objects *o) {
  size_t kept = 0, count;
  meet_chunks(x);
  count = x->open.size;
  for (size_t i = 0; i < count; i++) {
    struct exchange_chunk open = x->open.at[i];
    bool closed = may_read(x, &open) && read_chunk(x, k, o, &open);
    x->open.at[i].number = closed ? NOWHERE : open.number;
    x->open.at[i].read = open.read;
  }
  for (size_t i = 0; i < count; i++)
    if (x->open.at[i].number != NOWHERE)
      x->open.at[kept++] = x->open.at[i];
  x->open.size = kept;
  x->told = k->states.size;
}

/* ---- as text --------------------------------------------------------------
 */

/* A log for a moment, of one writer. */
void exchange_write_all(struct known_states *k, const struct objects *o,
                        struct packed *p) {
  enum { MOST = 1 << 28, MOST_STATES = 1 << 21 };
  struct state_exchange x = {0};
  if (!exchange_begin(&x, MOST))
    return;
  x.told = k->states.size > MOST_STATES ? k->states.size - MOST_STATES : 0;
  exchange_write(&x, k, o);
  for (uint32_t i = 0; i < x.log->chunks && i < x.log->most; i++) {
    const struct chunk *c = chunk_at(&x, i);
    const char *at = (const char *)(c + 1);
    size_t size = c->used & ~(uint32_t)CLOSED;
    packed_part(p, &at, &size);
  }
  exchange_end(&x);
}

bool exchange_read_all(struct known_states *k, struct objects *o,
                       struct packed *p) {
  struct state_exchange x = {.self = NOWHERE};
  while (!p->bad && p->at < p->end) {
    const char *at = NULL;
    size_t size = 0;
    packed_part(p, &at, &size);
    read_records(&x, k, o, 0, at, at + size);
  }
  exchange_end(&x);
  return !p->bad;
}

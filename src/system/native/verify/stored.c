/* The state by parts, for explorers that store states.
 *
 * The undo log has every byte that a step wrote, with its old value.  So the
 * digests of the parts are carried along: a step subtracts the digests of old
 * values and adds those of new ones.  Of what has its first value again nothing
 * is left.  The digest of a thread is computed anew if the thread moved, or if
 * another thread wrote to its stack or changed its pending operation.
 *
 * Local, and always compared:
 *   - of a thread that runs: its position and rounds (changes.c), its used
 *     stack, and memory that no other thread uses (sharing.c);
 *   - of a thread that has ended: that it has;
 *   - all that the runtime keeps, and what was printed if outcomes are asked
 *     for.
 *
 * Shared, and compared where some future reads it: memory that several threads
 * use.  Every access to it is in a footprint, but for objects of the runtime,
 * of which footprints name the first bytes: contents() are those of the whole
 * object.
 *
 * Memory becomes shared at its first atomic access, or when a second thread
 * uses it.  In the second case the search begins anew.  In the first case
 * nothing but the runtime has read the memory before.  So what once was local
 * and is shared now may keep states apart, but does not make states equal that
 * are not.
 */
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "system/native/engine/engine.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/libc/heap.h"
#include "system/native/libc/libc.h"
#include "util/rng.h"
#include "util/table.h"

/* ---- digests ------------------------------------------------------------- */

/* Of a value at the place with this key: rng_mix() of its number. */
static inline struct digest128 digest_at(uint64_t key, uint64_t value) {
  return (struct digest128){
      {rng_mix(key ^ value), rng_mix(~key + value * 0x9e3779b97f4a7c15u)}};
}

static inline struct digest128 digest_of(uint64_t place, uint64_t value) {
  return digest_at(rng_mix(place), value);
}

static inline struct digest128 digest_of_chain(struct chain c) {
  return digest_of(c.link[0], c.link[1]);
}

/* keep: a thread, as far as it moved. */
struct thread_part {
  struct digest128 own;   /* memory that no other thread uses */
  struct digest128 state; /* all of it */
};

/* keep: the digests after so many steps. */
struct state_parts {
  size_t depth;
  size_t journal;
  size_t printed;          /* length of the output */
  struct digest128 rest;   /* what belongs to no thread, and is compared */
  struct digest128 shared; /* memory that several threads use */
  struct digest128 all;    /* the sum over all threads */
};

/* keep: what a thread was before the digests of a deeper state. */
struct part_before {
  uint32_t thread;
  struct thread_part before;
};

static struct {
  bool outcomes;
  VEC(struct state_parts) states; /* the first one is that before main */
  VEC(struct part_before) journal;
  struct thread_part threads[NATIVE_THREADS];
  uint64_t marked[NATIVE_THREADS]; /* number of the call that changes it */
  uint64_t call;
} stored;

static inline struct state_parts *newest(void) {
  return &VEC_TOP(stored.states);
}

void stored_undo(size_t depth) {
  while (stored.states.size > 1 && newest()->depth > depth) {
    size_t journal = VEC_POP(stored.states).journal;
    while (stored.journal.size > journal) {
      const struct part_before *r = &VEC_POP(stored.journal);
      stored.threads[r->thread] = r->before;
    }
  }
}

void stored_begin(bool stores, bool outcomes) {
  size_t printed;
  engine.stores = engine.comparing = stores;
  stored.outcomes = outcomes;
  stored.states.size = stored.journal.size = 0;
  memset(stored.threads, 0, sizeof stored.threads);
  output_text(1, &printed);
  VEC_PUSH(stored.states, (struct state_parts){.printed = printed});
}

/* ---- memory -------------------------------------------------------------- */

/* keep: four aligned bytes that a step wrote, in a hash table that is emptied
 * by counting up stored.call.  Most steps write where others did, so the slot
 * keeps the key. */
struct written {
  uint64_t granule;
  uint64_t key; /* rng_mix() of its number; 0: none */
  uint64_t call;
  uint32_t noted; /* ff for each byte that some entry covers ... */
  uint32_t old;   /* ... which had this value at first */
};

static struct {
  struct written *at;
  size_t capacity; /* a power of two */
  VEC(uint32_t) used;
} writes;

enum { GRANULE = 4 };

static struct written *write_slot(uint64_t granule) {
  size_t i = (granule * 0x9e3779b97f4a7c15u >> 32) & (writes.capacity - 1);
  while (writes.at[i].call == stored.call && writes.at[i].granule != granule)
    i = (i + 1) & (writes.capacity - 1);
  return &writes.at[i];
}

static __attribute__((noinline)) void writes_enlarge(void) {
  struct written *old = writes.at;
  writes.capacity = writes.capacity ? 2 * writes.capacity : 64;
  writes.at = calloc(writes.capacity, sizeof *writes.at);
  ensure(writes.at); /* out of memory */
  for (size_t i = 0; i < writes.used.size; i++) {
    const struct written *from = &old[writes.used.at[i]];
    struct written *to = write_slot(from->granule);
    *to = *from;
    writes.used.at[i] = (uint32_t)(to - writes.at);
  }
  free(old);
}

/* The granule was in no entry yet. */
static void write_begin(struct written *w, uint64_t granule) {
  if (w->granule != granule || !w->key)
    w->key = rng_mix(granule);
  w->granule = granule;
  w->call = stored.call;
  w->noted = w->old = 0;
  VEC_PUSH(writes.used, (uint32_t)(w - writes.at));
}

static inline void note(uint64_t granule, uint32_t bytes, uint32_t old) {
  if (unlikely(2 * writes.used.size >= writes.capacity))
    writes_enlarge();
  struct written *w = write_slot(granule);
  if (w->call != stored.call)
    write_begin(w, granule);
  w->old |= old & bytes & ~w->noted;
  w->noted |= bytes;
}

static __attribute__((noinline)) void note_bytes(const struct entry *e) {
  size_t size;
  const char *old = undo_old_bytes(e, &size);
  uint64_t addr = (uintptr_t)ENTRY_ADDRESS(*e);
  for (size_t done = 0; done < size;) {
    size_t at = (addr + done) % GRANULE, part = GRANULE - at;
    if (part > size - done)
      part = size - done;
    uint32_t bytes = 0;
    memcpy(&bytes, old + done, part);
    note((addr + done) / GRANULE, UINT32_MAX >> 8 * (GRANULE - part) << 8 * at,
         bytes << 8 * at);
    done += part;
  }
}

/* The usual entries first: a granule, or two. */
static inline void note_entry(const struct entry *e) {
  uint64_t addr = (uintptr_t)ENTRY_ADDRESS(*e), size = ENTRY_SIZE(*e);
  if (unlikely(addr % GRANULE || (size != GRANULE && size != 2 * GRANULE))) {
    note_bytes(e);
    return;
  }
  note(addr / GRANULE, UINT32_MAX, (uint32_t)e->old);
  if (size > GRANULE)
    note(addr / GRANULE + 1, UINT32_MAX, (uint32_t)(e->old >> 32));
}

static bool in_segments(const segment_list *list, uint64_t addr) {
  for (size_t i = 0; i < list->size; i++)
    if (addr < (uintptr_t)list->at[i].end &&
        addr + 8 > (uintptr_t)list->at[i].start)
      return true;
  return false;
}

/* keep: what was found out about words that are no heap blocks.  It never
 * changes. */
static struct {
  uint64_t addr; /* 1 + the word's address, or 0 */
  bool is_data;
} words_seen[256];

static bool is_variable(uint64_t addr) {
  static segment_list variables, runtime; /* keep */
  if (!variables.size) {
    module_segments(&variables);
    module_prog(&runtime);
  }
  return in_segments(&variables, addr) && !in_segments(&runtime, addr) &&
         (const void *)(uintptr_t)addr != output_length(1);
}

/* Is it a variable of the program, or one of its heap blocks?  The runtime's
 * own memory, and memory of which nothing is known, counts as a whole. */
static bool is_data(uint64_t addr) {
  const void *at = (const void *)(uintptr_t)addr;
  if (heap_contains(at))
    return heap_is_data(at);
  size_t slot = (addr >> 3) % (sizeof words_seen / sizeof *words_seen);
  if (words_seen[slot].addr != addr + 1) {
    words_seen[slot].addr = addr + 1;
    words_seen[slot].is_data = is_variable(addr);
  }
  return words_seen[slot].is_data;
}

static void mark(uint32_t thread) {
  if (stored.marked[thread] == stored.call)
    return;
  stored.marked[thread] = stored.call;
  VEC_PUSH(stored.journal,
           (struct part_before){thread, stored.threads[thread]});
}

/* The digest that has these bytes.  Who uses memory is not found out if every
 * access is a step. */
static struct digest128 *part_of(struct state_parts *s, uint64_t addr) {
  uint32_t user = sharing_user(addr);
  if (!user || (engine.finest && user != SHARING_MANY) ||
      !is_data(addr & ~7ull))
    return &s->rest;
  if (user == SHARING_MANY)
    return &s->shared;
  mark(user - 1);
  return &stored.threads[user - 1].own;
}

static void add_writes(struct state_parts *s) {
  for (size_t i = 0; i < writes.used.size; i++) {
    const struct written *w = &writes.at[writes.used.at[i]];
    uint64_t addr = w->granule * GRANULE;
    uint32_t now;
    memcpy(&now, (const void *)(uintptr_t)addr, sizeof now);
    uint32_t old = (now & ~w->noted) | w->old;
    if (old == now)
      continue;
    struct digest128 *sum = part_of(s, addr);
    digest128_subtract(sum, digest_at(w->key, old));
    digest128_add(sum, digest_at(w->key, now));
  }
}

/* ---- threads ------------------------------------------------------------- */

static struct digest128 thread_digest(const struct thread *t) {
  if (t->state == THREAD_NONE)
    return (struct digest128){{0, 0}};
  struct chain chain = changes_position(t);
  if (t->state != THREAD_RUNNING)
    return digest_of_chain(chain);
  const void *base = t->stack_base;
  struct digest128 d = digest_of_chain(chain_words(chain, t->sp, base));
  digest128_add(&d, stored.threads[t->id].own);
  return d;
}

static void add_threads(struct state_parts *s, size_t journal) {
  for (size_t i = journal; i < stored.journal.size; i++) {
    struct thread_part *t = &stored.threads[stored.journal.at[i].thread];
    digest128_subtract(&s->all, t->state);
    t->state = thread_digest(engine.threads[stored.journal.at[i].thread]);
    digest128_add(&s->all, t->state);
  }
}

/* ---- a step -------------------------------------------------------------- */

/* An entry for bytes of a stack, or of a struct thread. */
static void look_at_stack(const struct entry *e) {
  uint64_t addr = (uintptr_t)ENTRY_ADDRESS(*e);
  const struct thread *t = engine.threads[(addr - STACK_AREA) / STACK_SLOT];
  if (addr < (uintptr_t)t + SAVED_SIZE)
    mark(t->id);
  else
    note_entry(e);
}

/* Times that no thread asks for. */
static inline bool is_idle_time(const void *addr) {
  return unlikely(time_in_use) && !time_was_asked && time_is_kept_at(addr);
}

static void look_at_log(size_t from) {
  const void *printed = output_length(1), *complained = output_length(2);
  for (size_t i = from; i < engine.log.size; i++) {
    const struct entry *e = &engine.log.at[i];
    const void *addr = ENTRY_ADDRESS(*e);
    if (unlikely(in_stacks((uintptr_t)addr)))
      look_at_stack(e);
    else if (addr != printed && addr != complained && !is_idle_time(addr))
      note_entry(e);
  }
}

static void add_output(struct state_parts *s) {
  size_t length;
  const char *text = output_text(1, &length);
  for (; stored.outcomes && s->printed < length; s->printed++)
    digest128_add(&s->rest, digest_of(~(uint64_t)s->printed,
                                      (unsigned char)text[s->printed]));
}

/* Brings the digests up to date. */
static const struct state_parts *current_state(void) {
  struct state_parts s = *newest();
  if (s.depth == engine.steps.size)
    return newest();
  size_t journal = s.journal = stored.journal.size, first = s.depth;
  s.depth = engine.steps.size;
  stored.call++;
  writes.used.size = 0;
  for (size_t i = first; i < engine.steps.size; i++)
    mark(engine.steps.at[i].thread);
  look_at_log(engine.steps.at[first].entries);
  add_writes(&s);
  add_threads(&s, journal);
  add_output(&s);
  VEC_PUSH(stored.states, s);
  return newest();
}

/* With --rollback=replay there may be writes that are in no log. */
static bool is_whole(void) {
  return engine.control->options.rollback == ROLLBACK_REPLAY;
}

struct digest128 native_local_state(struct system *system) {
  if (is_whole()) {
    struct changes all = native_changes(system, 0);
    return (struct digest128){{all.word[0], all.word[1]}};
  }
  const struct state_parts *s = current_state();
  struct digest128 sum = s->rest;
  digest128_add(&sum, s->all);
  return sum;
}

struct digest128 native_shared_state(struct system *system) {
  (void)system;
  return is_whole() ? (struct digest128){{0, 0}} : current_state()->shared;
}

/* ---- contents ------------------------------------------------------------ */

/* keep: objects of the runtime in memory of the program, by granules of eight
 * bytes: where the object ends. */
struct stored_object {
  uint64_t granule;
  uint64_t end;
};

static struct {
  VEC(struct stored_object) list;
  struct table by_granule;
} objects;

static struct stored_object *object_at(uint64_t granule) {
  for (TABLE_EACH(n, &objects.by_granule, table_hash(granule)))
    if (objects.list.at[n].granule == granule)
      return &objects.list.at[n];
  return NULL;
}

void stored_object(const void *object, size_t size) {
  uint64_t granule = (uintptr_t)object >> 3, end = (uintptr_t)object + size;
  if (!engine.stores || end <= (granule + 1) << 3)
    return;
  struct stored_object *known = object_at(granule);
  if (!known) {
    table_add(&objects.by_granule, table_hash(granule), objects.list.size);
    VEC_PUSH(objects.list, (struct stored_object){granule, end});
  } else if (known->end < end) {
    known->end = end;
  }
}

/* ff for each bit. */
static uint64_t bits_of(uint8_t bytes) {
  uint64_t spread = bytes * 0x0101010101010101u & 0x8040201008040201u;
  return ((spread + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u) * 0xff;
}

/* An object lies in the program's memory as a whole, or not at all. */
static struct digest128 object_digest(const struct stored_object *o) {
  struct chain chain = CHAIN_BEGIN;
  uint64_t addr = o->granule << 3, last = (o->end - 1) & ~7ull;
  const uint64_t *at = (const uint64_t *)(uintptr_t)addr;
  if (is_data(addr) && is_data(last))
    chain = chain_words(chain, at, at + ((last - addr) >> 3) + 1);
  return digest_of_chain(chain);
}

struct digest128 native_contents(struct system *system, uint64_t granule,
                                 uint8_t bytes) {
  (void)system;
  uint64_t addr = granule << 3, word = 0;
  const struct stored_object *object = object_at(granule);
  if (object)
    return object_digest(object);
  if (is_data(addr))
    memcpy(&word, (const void *)(uintptr_t)addr, sizeof word);
  return digest_of(granule ^ (uint64_t)bytes << 56, word & bits_of(bytes));
}

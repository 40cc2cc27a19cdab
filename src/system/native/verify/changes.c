/* How the state differs from the one after some earlier step.
 *
 * The log has every byte that was written since, with its old value.  A byte
 * that has its old value again is no difference.  The rest of the state belongs
 * to the threads that moved: their position and those parts of their used
 * stacks that changed since their first move.
 *
 * The result must not depend on the order of equivalent steps.  So these are
 * left out:
 *   - positions of steps (thread->cause, signal, last_step, outlives,
 *     replaced_in, spin.anchor);
 *   - bytes below a stack pointer, and the stacks of threads that ended;
 *   - the standard error stream, which is no outcome.
 *
 * The state of spin.c's search for a loop (count, power) is part of the state:
 * it decides how many idle rounds a thread makes before it waits.
 *
 * So are the rounds that a thread began (round.c): they decide at which looks
 * it is held.
 *
 * Bytes are summed up by aligned words of eight, with a mask of those that
 * differ, so that neither the order nor the extent of the log's entries shows.
 */
#include "system/native/engine/engine.h"
#include "system/native/engine/round.h"
#include "chain.h"
#include "fingerprint.h"
#include "system/native/libc/libc.h"
#include "memory.h"
#include "util/rng.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };

#define ALL_BYTES UINT64_MAX

static inline void add(struct changes *sum, uint64_t key, uint64_t value) {
  uint64_t hash = rng_mix(key ^ value);
  sum->word[0] += hash; /* a sum has no order */
  sum->word[1] += rng_mix(hash ^ (key >> 1));
}

static inline uint64_t key_of(uint64_t place, uint64_t bytes) {
  return rng_mix(place ^ bytes * 0x9e3779b97f4a7c15u);
}

static inline uint64_t load(uint64_t place) {
  uint64_t word;
  memcpy(&word, (const void *)(uintptr_t)place, WORD);
  return word;
}

/* ---- words that the log names -------------------------------------------- */

/* keep: eight aligned bytes, a slot of a hash table of its own.  The table is
 * emptied for each comparison by counting up `call`, so that a small comparison
 * costs little even if the table is large.  Masks have ff for each byte. */
struct word {
  uint64_t place;
  uint64_t noted;   /* bytes that some entry covers ... */
  uint64_t differs; /* ... and that differ from the oldest entry */
  uint64_t call;    /* number of the comparison; else the slot is empty */
};

static struct {
  struct word *at;
  size_t capacity; /* a power of two */
  VEC(uint32_t) used;
  uint64_t call;
} words;

static struct word *word_slot(uint64_t place) {
  size_t i = (place * 0x9e3779b97f4a7c15u >> 32) & (words.capacity - 1);
  while (words.at[i].call == words.call && words.at[i].place != place)
    i = (i + 1) & (words.capacity - 1);
  return &words.at[i];
}

static __attribute__((noinline)) void words_enlarge(void) {
  struct word *old = words.at;
  words.capacity = words.capacity ? 2 * words.capacity : 256;
  words.at = calloc(words.capacity, sizeof *words.at);
  ensure(words.at); /* out of memory */
  for (size_t i = 0; i < words.used.size; i++) {
    const struct word *from = &old[words.used.at[i]];
    struct word *to = word_slot(from->place);
    *to = *from;
    words.used.at[i] = (uint32_t)(to - words.at);
  }
  free(old);
}

static inline struct word *word_find(uint64_t place) {
  if (unlikely(2 * words.used.size >= words.capacity))
    words_enlarge();
  struct word *w = word_slot(place);
  if (w->call != words.call) {
    *w = (struct word){.place = place, .call = words.call};
    VEC_PUSH(words.used, (uint32_t)(w - words.at));
  }
  return w;
}

static inline void note_word(uint64_t place, uint64_t bytes, uint64_t old) {
  struct word *w = word_find(place);
  uint64_t first = bytes & ~w->noted;
  w->noted |= bytes;
  w->differs |= bytes_set((load(place) ^ old) & first);
}

/* Up to 8 bytes. */
static inline void note(uint64_t addr, uint64_t old, size_t size) {
  uint64_t place = addr & ~(uint64_t)(WORD - 1);
  uint64_t bytes = ALL_BYTES >> 8 * (WORD - size);
  unsigned shift = 8 * (unsigned)(addr - place);
  note_word(place, bytes << shift, old << shift);
  if (shift + 8 * size > 64)
    note_word(place + WORD, bytes >> (64 - shift), old >> (64 - shift));
}

static void note_entry(const struct entry *e) {
  uint64_t addr = (uintptr_t)ENTRY_ADDRESS(*e);
  size_t size;
  if (likely(ENTRY_SIZE(*e) <= WORD)) {
    if (ENTRY_SIZE(*e))
      note(addr, e->old, ENTRY_SIZE(*e));
    return;
  }
  const char *old = undo_old_bytes(e, &size);
  for (size_t done = 0; done < size; done += WORD) {
    uint64_t word = 0;
    size_t part = size - done < WORD ? size - done : WORD;
    memcpy(&word, old + done, part);
    note(addr + done, word, part);
  }
}

static void add_words(struct changes *sum) {
  for (size_t i = 0; i < words.used.size; i++) {
    const struct word *w = &words.at[words.used.at[i]];
    if (w->differs)
      add(sum, key_of(w->place, w->differs), load(w->place) & w->differs);
  }
}

/* ---- threads that moved -------------------------------------------------- */

/* keep: a thread that moved or was created. */
struct mover {
  const struct thread *thread;
  uint32_t first; /* 1 + its first step since then; 0: it took none */
  bool created;   /* created since then: its stack was empty */
};

static VEC(struct mover) movers;

/* Entries of the log for bytes that other threads wrote on a mover's stack
 * before its first step.  The snapshot of that step has the new bytes
 * already. */
static VEC(uint32_t) intrusions;

static struct mover *mover_find(const struct thread *t) {
  for (size_t i = 0; i < movers.size; i++)
    if (movers.at[i].thread == t)
      return &movers.at[i];
  return NULL;
}

static void collect_movers(size_t depth) {
  movers.size = intrusions.size = 0;
  for (size_t i = depth; i < engine.steps.size; i++) {
    const struct record *r = &engine.steps.at[i];
    if (r->previous <= depth)
      VEC_PUSH(movers,
               (struct mover){engine.threads[r->thread], (uint32_t)i + 1, 0});
  }
}

/* A thread that was created since then. */
static void collect_child(const struct thread *t) {
  struct mover *m = mover_find(t);
  if (m)
    m->created = true;
  else
    VEC_PUSH(movers, (struct mover){t, 0, true});
}

/* The position of a thread.  Its operation lies on the thread's stack or never
 * changes.  Of a thread that has ended only its state matters. */
static void add_position(struct changes *sum, const struct thread *t) {
  const struct spin *s = &t->spin;
  uint64_t key = rng_mix((uintptr_t)t);
  add(sum, key, t->state);
  if (t->state != THREAD_RUNNING)
    return;
  add(sum, key + 1, (uintptr_t)t->sp);
  add(sum, key + 2, (uintptr_t)t->pending);
  add(sum, key + 3, (uint64_t)t->children << 32 | t->atomic_depth);
  add(sum, key + 4,
      (uint64_t)(uint32_t)t->error_number << 2 | s->waiting << 1 | s->awake);
  if (s->anchor)
    add(sum, key + 6, (uint64_t)s->count << 16 | s->power);
  for (uint32_t i = 0; s->waiting && i < s->accesses; i++) {
    const struct access *a = &engine.accesses.at[s->first + i];
    add(sum, rng_mix(key + 5) + 2 * i, a->addr);
    add(sum, rng_mix(key + 5) + 2 * i + 1, (uint64_t)a->size << 32 | a->mode);
  }
}

/* The rounds of a thread, of which the first `known` were there before. */
static void add_rounds(struct changes *sum, const struct thread *t,
                       size_t known) {
  uint64_t key = rng_mix((uintptr_t)t + 7);
  uint32_t n = t->rounds;
  for (const struct round *r; n > known; n = r->older) {
    r = &engine.rounds.at[n - 1];
    key = rng_mix(key ^ r->pc) + r->enters;
    add(sum, key, (uintptr_t)r->frame);
    for (uint32_t i = 0; i < r->values; i++)
      add(sum, key + 1 + i, r->value[i]);
  }
  add(sum, key + 1 + HOOK_MOST_VALUES, n);
}

/* A loop of which a thread remembers rounds. */
struct remembered {
  uint64_t pc;
  const void *frame;
  uint32_t rounds; /* of those that a new one may be compared with */
};

/* The loop of the round, new or known; NULL: there are too many. */
static struct remembered *loop_of(const struct round *r, struct remembered *all,
                                  size_t *count, size_t most) {
  for (size_t i = 0; i < *count; i++)
    if (all[i].pc == r->pc && all[i].frame == r->frame)
      return &all[i];
  if (*count == most)
    return NULL;
  all[*count] = (struct remembered){r->pc, r->frame, 0};
  return &all[(*count)++];
}

/* The rounds of a thread that a new one may be compared with.  The others grow
 * without end in a loop that changes nothing but its own memory. */
static struct chain chain_compared_rounds(struct chain c,
                                          const struct thread *t) {
  struct remembered loops[16];
  size_t count = 0;
  const struct round *r;
  for (uint32_t n = t->rounds; n; n = r->older) {
    r = &engine.rounds.at[n - 1];
    struct remembered *loop = loop_of(r, loops, &count, 16);
    if (loop && loop->rounds >= MOST_COMPARED)
      continue;
    if (loop)
      loop->rounds = r->enters ? MOST_COMPARED : loop->rounds + 1;
    c = chain_pair(c, r->pc, (uintptr_t)r->frame);
    c = chain_pair(c, (uint64_t)r->values << 1 | r->enters, 0);
    for (uint32_t i = 0; i < r->values; i++)
      c = chain_pair(c, r->value[i], i);
  }
  return c;
}

/* As add_position(). */
struct chain changes_position(const struct thread *t) {
  const struct spin *s = &t->spin;
  struct chain c = CHAIN_BEGIN;
  c = chain_pair(c, (uintptr_t)t, t->state);
  if (t->state != THREAD_RUNNING)
    return c;
  c = chain_pair(c, (uintptr_t)t->sp, (uintptr_t)t->pending);
  c = chain_pair(c, (uint64_t)t->children << 32 | t->atomic_depth,
                 (uint64_t)(uint32_t)t->error_number << 2 | s->waiting << 1 |
                     s->awake);
  if (s->anchor)
    c = chain_pair(c, 1 + ((uint64_t)s->count << 16 | s->power), 0);
  for (uint32_t i = 0; s->waiting && i < s->accesses; i++) {
    const struct access *a = &engine.accesses.at[s->first + i];
    c = chain_pair(c, a->addr, (uint64_t)a->size << 32 | a->mode);
  }
  return unlikely(t->rounds) ? chain_compared_rounds(c, t) : c;
}

/* `then` is the line as it was, in use from `used` on; NULL: not known. */
static void add_line(struct chain *sum, const char *line, const char *then,
                     const char *used, const char *sp) {
  for (size_t i = 0; i < STACK_LINE; i += WORD) {
    uint64_t now = load((uintptr_t)(line + i));
    if (line + i >= sp &&
        (!then || line + i < used || now != load((uintptr_t)(then + i))))
      chain_add(sum, (uintptr_t)(line + i), now);
  }
}

/* A line of a snapshot without the intrusions: the oldest entry for a byte
 * counts. */
static const char *without_intrusions(const char *line, const char *snapshot,
                                      char then[STACK_LINE]) {
  memcpy(then, snapshot, STACK_LINE);
  for (size_t i = intrusions.size; i-- > 0;) {
    const struct entry *e = &engine.log.at[intrusions.at[i]];
    const char *addr = ENTRY_ADDRESS(*e);
    size_t size;
    const char *old = undo_old_bytes(e, &size);
    const char *from = addr > line ? addr : line;
    const char *end = line + STACK_LINE;
    if (addr + size < end)
      end = addr + size;
    if (from < end)
      memcpy(then + (from - line), old + (from - addr), (size_t)(end - from));
  }
  return then;
}

/* The line of a mover's stack as it was; NULL: there was none. */
static const char *line_before(const struct mover *m, const char *line,
                               char buffer[STACK_LINE]) {
  const char *snapshot =
      m->created ? NULL : stack_line_at(m->thread, m->first, line);
  if (likely(!intrusions.size) || !snapshot)
    return snapshot;
  return without_intrusions(line, snapshot, buffer);
}

static void add_stack(struct changes *sum, const struct mover *m) {
  const struct thread *t = m->thread;
  const char *sp = t->sp, *used = sp;
  struct chain chain = CHAIN_BEGIN;
  char buffer[STACK_LINE];
  if (!m->created)
    used = (const char *)(uintptr_t)engine.steps.at[m->first - 1].saved[0];
  const char *line =
      (const char *)((uintptr_t)sp & ~(uint64_t)(STACK_LINE - 1));
  for (; line < t->stack_base; line += STACK_LINE) {
    const char *then = line_before(m, line, buffer);
    if (!then || line < used || memcmp(line, then, STACK_LINE) != 0)
      add_line(&chain, line, then, used, sp);
  }
  add(sum, key_of((uintptr_t)t, 4), chain.link[0]);
  add(sum, key_of((uintptr_t)t, 5), chain.link[1]);
}

static void add_movers(struct changes *sum, size_t depth) {
  for (size_t i = 0; i < movers.size; i++) {
    const struct thread *t = movers.at[i].thread;
    add_position(sum, t);
    if (t->state != THREAD_RUNNING)
      continue;
    add_rounds(sum, t, engine.steps.at[depth].rounds);
    add_stack(sum, &movers.at[i]);
  }
}

/* ---- the log ------------------------------------------------------------- */

/* An entry in a thread's struct: its first fields are compared as a whole if it
 * moved. */
static bool field_matters(const struct entry *e, const struct thread *t) {
  size_t field = (size_t)(ENTRY_ADDRESS(*e) - (char *)(uintptr_t)t);
  if (field >= SAVED_SIZE)
    return field != offsetof(struct thread, replaced_in);
  if (field == offsetof(struct thread, state) && e->old == THREAD_NONE)
    collect_child(t);
  return !mover_find(t) && field != offsetof(struct thread, cause) &&
         field != offsetof(struct thread, signal);
}

/* Does an entry of a step in the area of stacks count?  Writes on a mover's
 * stack are found in that stack itself. */
static bool stack_matters(size_t entry, size_t step) {
  const struct entry *e = &engine.log.at[entry];
  uint64_t addr = (uintptr_t)ENTRY_ADDRESS(*e);
  const struct thread *t = engine.threads[(addr - STACK_AREA) / STACK_SLOT];
  if (addr >= (uintptr_t)t->stack_base)
    return field_matters(e, t);
  const struct mover *m = mover_find(t);
  if (m && step + 1 < m->first)
    VEC_PUSH(intrusions, (uint32_t)entry);
  return !m;
}

/* Text printed since the stream had this length. */
static void add_output(struct changes *sum, size_t before) {
  size_t length;
  const char *text = output_text(1, &length);
  for (size_t done = before; done < length; done += WORD) {
    uint64_t word = 0;
    size_t part = length - done < WORD ? length - done : WORD;
    memcpy(&word, text + done, part);
    add(sum, key_of(done, 1), word);
  }
}

static void look_at_log(struct changes *sum, size_t depth) {
  const void *printed = output_length(1), *complained = output_length(2);
  size_t step = depth, output = 0;
  bool has_output = false;
  for (size_t i = engine.steps.at[depth].entries; i < engine.log.size; i++) {
    const struct entry *e = &engine.log.at[i];
    const void *addr = ENTRY_ADDRESS(*e);
    while (step + 1 < engine.steps.size &&
           engine.steps.at[step + 1].entries <= i)
      step++;
    if (unlikely(in_stacks((uintptr_t)addr)) && !stack_matters(i, step))
      continue;
    if (unlikely(addr == complained))
      continue;
    if (unlikely(addr == printed) && !has_output) {
      has_output = true;
      output = e->old;
    }
    note_entry(e);
  }
  if (has_output)
    add_output(sum, output);
}

/* With --rollback=replay, functions may be allowed whose writes are in no log.
 * So all variables and the whole heap are added. */
static void add_everything(struct changes *sum) {
  struct fingerprint all;
  native_fingerprint(&native_system, false, &all);
  add(sum, key_of(0, 2), all.part[FINGERPRINT_VARIABLES]);
  add(sum, key_of(0, 3), all.part[FINGERPRINT_HEAP]);
}

struct changes native_changes(struct system *system, size_t depth) {
  struct changes sum = {{0, 0}};
  (void)system;
  if (depth >= engine.steps.size)
    return sum;
  words.call++;
  words.used.size = 0;
  collect_movers(depth);
  look_at_log(&sum, depth);
  add_words(&sum);
  add_movers(&sum, depth);
  if (unlikely(engine.control->options.rollback == ROLLBACK_REPLAY))
    add_everything(&sum);
  return sum;
}

void native_comparing(struct system *system, bool on) {
  (void)system;
  engine.comparing = on;
}

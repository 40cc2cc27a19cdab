/* A step depends only on what it declares: claim C10 of system/check.
 *
 * The step is taken again with other bytes in memory that it does not declare:
 * in all of the program's variables, its heap and the lent local variables.
 * The other bytes are there only while the thread itself runs.  Data of the
 * runtime stays as it is.
 *
 * A value from an undeclared read may lie on the stack for a while before it
 * has an effect, so stacks are compared, too.  Before that, bytes below the
 * stack pointer are cleared, since new frames have holes in which they would
 * show.
 *
 * The same is done with words on the thread's own stack that the program called
 * dead, if it was built so that it does.
 */
#include "verify.h"

#include <string.h>

#include "core/hook.h"
#include "util/rng.h"

/* keep: an aligned word and the bits to be changed in it. */
struct disturbed_word {
  uint64_t addr;
  uint64_t mask;
  uint64_t other; /* the word while it is changed */
  bool dead;      /* changed as long as it is HOOK_DEAD */
};

static struct {
  VEC(struct disturbed_word) places; /* for the step's thread, then ... */
  size_t movers; /* ... from here on for threads that it creates */
  uint64_t seed;
  size_t end;  /* places before this one change in the next step */
} disturbance; /* keep */

static uint64_t *word_of(const struct disturbed_word *p) {
  return (uint64_t *)(uintptr_t)p->addr;
}

static bool zeros(void) {
  return disturbance.seed % 2;
}

/* Other bits for the word, or zeros: a true value becomes another true value,
 * or false. */
static uint64_t other_bits(uint64_t addr, uint64_t word) {
  if (zeros())
    return word;
  return rng_mix(disturbance.seed ^ addr) | 0x0101010101010101u;
}

static void add_word(uint64_t addr, uint64_t bytes) {
  struct disturbed_word p = {.addr = addr};
  p.mask = bytes & other_bits(addr, *word_of(&p));
  if (p.mask)
    VEC_PUSH(disturbance.places, p);
}

/* The parts of the range's words that lie in the range. */
static void add_places(void *context, char *start, size_t size) {
  uint64_t from = (uintptr_t)start, end = from + size;
  (void)context;
  for (uint64_t word = from & ~(uint64_t)7; word < end; word += 8) {
    uint64_t bytes = UINT64_MAX;
    if (word < from)
      bytes &= UINT64_MAX << 8 * (from - word);
    if (word + 8 > end)
      bytes &= UINT64_MAX >> 8 * (word + 8 - end);
    add_word(word, bytes);
  }
}

static void add_undeclared(void *declared, char *start, size_t size) {
  segments_rest(declared, start, size, add_places, NULL);
}

static void find_places(bool movers) {
  static segment_list declared, lent; /* keep: scratch */
  declared_accesses(&declared, movers);
  witness_visit(add_undeclared, &declared);
  lent_variables(!zeros(), &lent);
  for (size_t i = 0; i < lent.size; i++)
    add_undeclared(&declared, lent.at[i].start,
                   (size_t)(lent.at[i].end - lent.at[i].start));
}

/* Words that the program called dead before the step (cc/instrument/dead.c).
 * Halves of them may be written in the step, with zeros, too: they get other
 * bytes each time. */
static void add_dead_words(void) {
  const struct record *r = &VEC_TOP(engine.steps);
  const struct thread *t = engine.threads[r->thread];
  uintptr_t sp = r->saved[0];
  const char *line = (const char *)(sp & ~(uintptr_t)(STACK_LINE - 1));
  for (; line < t->stack_base; line += STACK_LINE) {
    const char *then = stack_line_at(t, (uint32_t)engine.steps.size, line);
    for (size_t i = 0; then && i < STACK_LINE; i += 8) {
      struct disturbed_word p = {.addr = (uintptr_t)line + i, .dead = true};
      if (p.addr < sp || memcmp(then + i, &(uint64_t){HOOK_DEAD}, 8) != 0)
        continue;
      p.mask = rng_mix(disturbance.seed ^ p.addr) | 0x0101010101010101u;
      VEC_PUSH(disturbance.places, p);
    }
  }
}

static bool creates_threads(void) {
  uint32_t thread;
  return native_created(engine.steps.size - 1, 0, &thread);
}

size_t native_places(struct system *system, uint64_t seed) {
  (void)system;
  disturbance.places.size = 0;
  disturbance.seed = seed;
  find_places(true);
  if (engine.control->options.rollback == ROLLBACK_UNDO)
    add_dead_words();
  disturbance.movers = disturbance.places.size;
  if (creates_threads())
    find_places(false);
  return disturbance.places.size;
}

uint64_t native_place(struct system *system, size_t i) {
  (void)system;
  return disturbance.places.at[i].addr;
}

/* ---- the disturbed step -------------------------------------------------- */

void native_disturb(struct system *system, size_t end) {
  (void)system;
  disturbance.end = end;
  engine.disturbed = true;
}

/* The part of the list for the step's thread, or for threads that it creates.
 */
struct part {
  size_t first, end;
};

static struct part part_for(bool movers) {
  struct part part = {movers ? 0 : disturbance.movers,
                      movers ? disturbance.movers : disturbance.places.size};
  if (part.end > disturbance.end)
    part.end = disturbance.end;
  return part;
}

static void change(bool movers) {
  struct part part = part_for(movers);
  for (size_t i = part.first; i < part.end; i++) {
    struct disturbed_word *p = &disturbance.places.at[i];
    bool taken = p->dead && *word_of(p) != HOOK_DEAD; /* in this step */
    if (!taken)
      *word_of(p) ^= p->mask;
    p->other = taken ? ~*word_of(p) : *word_of(p);
  }
}

/* A dead word may be written in parts.  Of a half that is not what it was, more
 * than one byte may be what it was by chance. */
static uint64_t half_set(uint32_t x) {
  uint64_t bytes = bytes_set(x);
  return __builtin_popcountll(bytes) <= 8 ? bytes : UINT32_MAX;
}

static uint64_t halves_set(uint64_t x) {
  return half_set((uint32_t)(x >> 32)) << 32 | half_set((uint32_t)x);
}

/* A byte that has been written meanwhile stays as it is. */
static void change_back(bool movers) {
  struct part part = part_for(movers);
  for (size_t i = part.first; i < part.end; i++) {
    const struct disturbed_word *p = &disturbance.places.at[i];
    uint64_t written = *word_of(p) ^ p->other;
    *word_of(p) ^=
        p->mask & ~(p->dead ? halves_set(written) : bytes_set(written));
  }
}

/* Compilers save registers on the stack, whatever they hold: they must not hold
 * values of the runtime.  Nor may such values stay below the stack pointer. */
void disturb_begin(struct thread *t) {
  stack_wipe(t);
  change(true);
  stack_leave_nothing();
  heddle_clear_registers();
}

void disturb_end(void) {
  change_back(true);
  stack_leave_nothing();
  engine.disturbed = false;
}

void disturb_child(struct thread *child) {
  stack_wipe(child);
  change_back(true);
  change(false);
  stack_leave_nothing();
  heddle_clear_registers();
}

void disturb_parent(void) {
  change_back(false);
  change(true);
  stack_leave_nothing();
  heddle_clear_registers();
}

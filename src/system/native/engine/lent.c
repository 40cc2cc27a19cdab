/* Local variables that other threads use, for --verify.
 *
 * A thread's accesses to its own stack need not be declared, except where
 * another thread uses a variable there.  The owner's accesses to such a
 * variable must be declared like accesses to any shared memory.  A byte is lent
 * from the moment in which another thread uses it, or is about to.
 *
 * When the variable's function has returned, its place may be used again.  The
 * instrumented program announces that by a hook (ends.c).  Where it does not,
 * the stack itself tells: a frame is gone if the stack pointer was above it in
 * a pause, or if a return address further up has changed.  (Any word that looks
 * like a return address counts: a variable that is forgotten too early is only
 * not checked.)  One case is missed: a function that returns and is called
 * anew, from the same place, within one step.
 *
 * The owner's accesses before the first use by another thread are found in the
 * snapshots of its stack, as far back as the other thread exists.
 */
#include "system/native/verify/verify.h"

#include <string.h>

enum {
  MOST = 4096,   /* loans remembered; further ones are not checked */
  LOOK_BACK = 16 /* steps of the owner before the first use */
};

/* keep: bytes of one thread's stack that another one uses. */
struct loan {
  uint64_t addr;
  uint32_t size;
  uint32_t owner;
  uint32_t user;
  uint32_t step;  /* 1 + position of the first use */
  uint32_t ended; /* 1 + position of the step in which it ended, or 0 */
  bool said;      /* a hook announced the end */
};

/* keep: the end of a local variable, lent or not. */
struct local_end {
  uint64_t addr;
  uint64_t size;
  uint32_t step;
};

/* keep: of the execution at hand. */
static VEC(struct loan) loans;
static VEC(struct local_end) ends;

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

static bool is_known(uint32_t user, const struct access *a) {
  for (size_t i = loans.size; i-- > 0;) {
    const struct loan *l = &loans.at[i];
    if (!l->ended && l->user == user && l->addr <= a->addr &&
        a->addr + a->size <= l->addr + l->size)
      return true;
  }
  return false;
}

/* Bytes below the owner's stack pointer are no variable. */
void lent_use(uint32_t user, const struct access *a) {
  const struct thread *owner = coroutine_of(a->addr);
  if (!owner || owner->id == user || owner->state != THREAD_RUNNING ||
      a->addr < (uintptr_t)owner->sp || loans.size == MOST || is_known(user, a))
    return;
  VEC_PUSH(loans, (struct loan){.addr = a->addr,
                                .size = a->size,
                                .owner = owner->id,
                                .user = user,
                                .step = (uint32_t)engine.steps.size});
}

void lent_undo(size_t depth) {
  while (loans.size && VEC_TOP(loans).step > depth)
    loans.size--;
  while (ends.size && VEC_TOP(ends).step > depth)
    ends.size--;
  for (size_t i = 0; i < loans.size; i++)
    if (loans.at[i].ended > depth)
      loans.at[i].ended = 0;
}

/* ---- the end of a variable ----------------------------------------------- */

static void end_loans(uint64_t addr, uint64_t size, bool said) {
  for (size_t i = 0; i < loans.size; i++) {
    struct loan *l = &loans.at[i];
    if (l->ended || !overlap(l->addr, l->size, addr, size))
      continue;
    l->ended = (uint32_t)engine.steps.size;
    l->said = said;
  }
}

void lent_end(const void *addr, size_t size) {
  end_loans((uintptr_t)addr, size, true);
  VEC_PUSH(ends, (struct local_end){(uintptr_t)addr, size,
                                    (uint32_t)engine.steps.size});
}

static uint64_t word_at(const char *place) {
  uint64_t word;
  memcpy(&word, place, sizeof word);
  return word;
}

/* The end of the highest word at or above `low` that has changed since that
 * step of the thread began and looked like a return address then or does so
 * now; 0: there is none. */
static uint64_t changed_return(const struct thread *t, uint32_t step,
                               uint64_t low) {
  for (char *at = t->stack_base - 8; (uintptr_t)at >= low; at -= 8) {
    char *line = (char *)((uintptr_t)at & ~(uintptr_t)(STACK_LINE - 1));
    const char *then = stack_line_at(t, step, line);
    uint64_t now = word_at(at), before = then ? word_at(then + (at - line)) : 0;
    if (now != before && (module_is_code(now) || module_is_code(before)))
      return (uintptr_t)at + 8;
  }
  return 0;
}

static bool lends(const struct thread *t) {
  for (size_t i = 0; i < loans.size; i++)
    if (loans.at[i].owner == t->id && !loans.at[i].ended)
      return true;
  return false;
}

static void end_frames(const struct thread *t, const struct record *r) {
  uint64_t low = (uintptr_t)t->stack_low, gone = (uintptr_t)t->stack_base;
  if (t->state == THREAD_RUNNING) {
    gone = (uintptr_t)t->sp;
    if (gone < r->saved[0])
      gone = r->saved[0];
    uint64_t changed = changed_return(t, t->last_step, gone);
    gone = changed ? changed : (uintptr_t)t->sp;
  }
  end_loans(low, gone - low, false);
}

void lent_step(const struct record *r) {
  const struct thread *t = engine.threads[r->thread];
  if (lends(t))
    end_frames(t, r);
  for (unsigned i = 0; i < thread_count(); i++) {
    const struct thread *other = engine.threads[i];
    const struct operation *op = other->pending;
    if (other->state != THREAD_RUNNING || !op)
      continue;
    for (uint32_t n = 0; n < op->accesses; n++)
      if (in_stacks(op->access[n].addr))
        lent_use(i, &op->access[n]);
  }
}

/* ---- changes that nothing declares --------------------------------------- */

static size_t entries_end(uint32_t step) {
  return step < engine.steps.size ? engine.steps.at[step].entries
                                  : engine.log.size;
}

/* Did the step (1 + position) note the old value of this byte? */
static bool is_noted(uint32_t step, uint64_t byte) {
  for (size_t i = engine.steps.at[step - 1].entries; i < entries_end(step);
       i++) {
    size_t size;
    undo_old_bytes(&engine.log.at[i], &size);
    if (byte - (uintptr_t)ENTRY_ADDRESS(engine.log.at[i]) < size)
      return true;
  }
  return false;
}

/* The byte as it was after the step, if its owner has not changed it since
 * without a note. */
static char byte_after(uint32_t step, uint64_t byte) {
  unsigned char value = *(unsigned char *)(uintptr_t)byte;
  if (step < engine.steps.size)
    undo_bytes_before(step, byte, &value, 1);
  return (char)value;
}

/* The first byte of the variable that this step of its owner changed without a
 * note; 0: there is none. */
static uint64_t changed_by(const struct loan *l, const struct thread *owner,
                           uint32_t step) {
  for (uint64_t b = l->addr; b < l->addr + l->size; b++) {
    char *line = (char *)(uintptr_t)(b & ~(uint64_t)(STACK_LINE - 1));
    const char *then = stack_line_at(owner, step, line);
    if (then && then[b - (uintptr_t)line] != byte_after(step, b) &&
        !is_noted(step, b))
      return b;
  }
  return 0;
}

/* 1 + the position of the step that created the thread; 0: none did. */
static uint32_t created_by(uint32_t thread) {
  const struct thread *t = engine.threads[thread];
  uint32_t step = t->last_step;
  if (!step)
    return t->cause;
  while (engine.steps.at[step - 1].previous)
    step = engine.steps.at[step - 1].previous;
  return engine.steps.at[step - 1].cause;
}

static bool ended_since(const struct loan *l, uint32_t step) {
  for (size_t i = ends.size; i-- > 0 && ends.at[i].step >= step;)
    if (overlap(l->addr, l->size, ends.at[i].addr, ends.at[i].size))
      return true;
  return false;
}

/* Was the variable there when this step of its owner began? */
static bool was_there(const struct loan *l, const struct thread *owner,
                      uint32_t step) {
  return engine.steps.at[step - 1].saved[0] <= l->addr &&
         !ended_since(l, step) &&
         !changed_return(owner, step, (l->addr + 7) & ~(uint64_t)7);
}

/* The same for the owner's last steps, at most `most` of them, latest first. */
static uint64_t changed_before(const struct loan *l, unsigned most,
                               uint32_t *step) {
  const struct thread *owner = engine.threads[l->owner];
  uint32_t first = created_by(l->user);
  for (*step = owner->last_step;
       most-- && *step && *step >= first && was_there(l, owner, *step);
       *step = engine.steps.at[*step - 1].previous) {
    uint64_t where = changed_by(l, owner, *step);
    if (where)
      return where;
  }
  return 0;
}

uint64_t lent_undeclared(uint32_t *step) {
  uint32_t last = (uint32_t)engine.steps.size;
  for (size_t i = 0; i < loans.size; i++) {
    const struct loan *l = &loans.at[i];
    bool is_new = l->step == last;
    if (l->ended || (!is_new && VEC_TOP(engine.steps).thread != l->owner))
      continue;
    uint64_t where = changed_before(l, is_new ? LOOK_BACK : 1, step);
    if (where)
      return where;
  }
  return 0;
}

/* Has no other variable taken the place of this one, which has ended? */
static bool was_left(const struct loan *l) {
  const struct thread *owner = engine.threads[l->owner];
  return owner->state != THREAD_RUNNING ||
         l->addr + l->size <= (uintptr_t)owner->sp;
}

void lent_variables(bool reused, segment_list *to) {
  const struct record *r = &VEC_TOP(engine.steps);
  to->size = 0;
  for (size_t i = 0; i < loans.size; i++) {
    const struct loan *l = &loans.at[i];
    bool was = l->owner == r->thread ? l->addr >= r->saved[0]
                                     : l->step < engine.steps.size;
    bool there = !l->ended || (l->ended == engine.steps.size &&
                               (was_left(l) || (reused && !l->said)));
    if (was && there)
      segments_add(to, l->addr, l->size);
  }
  segments_sort(to);
}

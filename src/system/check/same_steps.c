/* Comparing steps and states, and reporting differences. */
#include "inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "util/rng.h"

/* ---- sequences ----------------------------------------------------------- */

void sequence_push(struct sequence *s, uint32_t proc, uint32_t choice,
                   enum step_result result, const struct step *step) {
  uint64_t before = s->steps.size ? VEC_TOP(s->steps).prefix : 0;
  VEC_PUSH(s->steps,
           (struct taken){
               .proc = proc,
               .choice = choice,
               .result = result,
               .step = *step,
               .first = (uint32_t)s->accesses.size,
               .prefix = rng_mix(before ^ ((uint64_t)proc << 32 | choice)),
           });
  for (uint32_t i = 0; i < step->accesses; i++)
    VEC_PUSH(s->accesses, step->access[i]);
  for (uint32_t i = 0; i < step->data; i++)
    VEC_PUSH(s->accesses, step->datum[i].access);
}

void sequence_truncate(struct sequence *s, size_t length) {
  if (length >= s->steps.size)
    return;
  s->accesses.size = s->steps.at[length].first;
  s->steps.size = length;
}

void sequence_free(struct sequence *s) {
  VEC_FREE(s->steps);
  VEC_FREE(s->accesses);
}

/* ---- steps --------------------------------------------------------------- */

static bool same_accesses(const struct access *a, const struct access *b,
                          uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i].addr != b[i].addr || a[i].size != b[i].size ||
        a[i].mode != b[i].mode)
      return false;
  return true;
}

/* The mark of a silent write is compared, too: it depends on the old and the
 * new bytes, which are the same in both. */
static const char *footprint_difference(const struct access *a, uint32_t as,
                                        const struct access *b, uint32_t bs) {
  if (as != bs)
    return "how many places it touches";
  return same_accesses(a, b, as) ? NULL : "what it touches";
}

/* Before its initialisation an object offers whatever its bytes happen to mean,
 * so that is not compared. */
static uint8_t offers_of(const struct step *s) {
  return s->op == OP_INIT ? 0 : s->offers;
}

static uint32_t cause_after(uint32_t cause, struct reorder order) {
  if (cause == order.first)
    return cause + order.count;
  return cause > order.first && cause <= order.first + order.count ? cause - 1
                                                                   : cause;
}

const char *step_difference(const struct sequence *s, const struct taken *t,
                            enum step_result result, const struct step *now,
                            struct reorder order) {
  const struct step *then = &t->step;
  if (then->op != now->op)
    return "the operation";
  if (then->pc != now->pc)
    return "its place in the program";
  if (t->result != result)
    return "whether it fails";
  if (then->choices != now->choices || then->choice != now->choice)
    return "its alternatives";
  if (then->flags != now->flags || then->order != now->order)
    return "its kind";
  if (then->wants != now->wants || offers_of(then) != offers_of(now))
    return "what its object offers";
  if (then->value != now->value)
    return "what it stores";
  if (cause_after(then->cause, order) != now->cause)
    return "its cause";
  return footprint_difference(taken_access(s, t), then->accesses, now->access,
                              now->accesses);
}

static uint64_t hash(uint64_t sum, uint64_t word) {
  return rng_mix(sum ^ word);
}

uint64_t step_digest(enum step_result result, const struct step *s) {
  uint64_t sum = hash(s->op, s->pc);
  sum = hash(sum, (uint64_t)s->flags << 32 | s->order << 16 | s->wants << 8 |
                      offers_of(s));
  sum = hash(sum, (uint64_t)s->choices << 32 | s->choice);
  sum = hash(sum, (uint64_t)s->cause << 32 | (uint32_t)result);
  sum = hash(sum, s->value);
  for (uint32_t i = 0; i < s->accesses; i++) {
    sum = hash(sum, s->access[i].addr);
    sum = hash(sum, (uint64_t)s->access[i].size << 32 | s->access[i].mode);
  }
  return sum;
}

bool same_pending(const struct step *a, const struct step *b) {
  return a->op == b->op && a->pc == b->pc && a->flags == b->flags &&
         a->order == b->order && a->wants == b->wants &&
         a->offers == b->offers && a->choices == b->choices &&
         a->cause == b->cause && a->accesses == b->accesses &&
         same_accesses(a->access, b->access, a->accesses);
}

/* ---- states -------------------------------------------------------------- */

const char *fingerprint_difference(const struct fingerprint *a,
                                   const struct fingerprint *b) {
  static const char *const names[] = {
      [FINGERPRINT_VARIABLES] = "the variables",
      [FINGERPRINT_HEAP] = "the heap",
      [FINGERPRINT_PROCESSES] = "the state of a thread",
      [FINGERPRINT_STACKS] = "a stack",
      [FINGERPRINT_OUTPUT] = "the output",
  };
  for (int i = 0; i < FINGERPRINT_PARTS; i++)
    if (a->part[i] != b->part[i])
      return names[i];
  return NULL;
}

/* ---- what is wrong ------------------------------------------------------- */

/* The first violation is reported; later ones may follow from it. */
void violate(struct check *c, uint32_t proc, uint64_t pc, const char *format,
             ...) {
  if (c->violated)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->message, sizeof c->message, format, arguments);
  va_end(arguments);
  c->violated = true;
  c->finding = (struct finding){.kind = FINDING_NONDETERMINISM,
                                .proc = proc,
                                .pc = pc,
                                .message = c->message};
}

/* Uses no stdio stream: the checked program's streams may be in any state. */
void mistake(const struct check *c, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  dprintf(2, "heddle: internal error: --verify: %s\nschedule so far:", text);
  for (size_t i = 0; i < c->path.steps.size; i++) {
    const struct taken *t = &c->path.steps.at[i];
    dprintf(2, " T%u", t->proc);
    if (t->step.choices > 1)
      dprintf(2, "/%u", t->choice);
  }
  dprintf(2, "\n");
  _exit(70);
}

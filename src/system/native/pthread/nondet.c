/* Input that is not fixed: SV-COMP's __VERIFIER_nondet_*.
 *
 * Each call is a choice among values.  --nondet says which; a value that the
 * type does not have is left out.  Without --nondet, types with few values have
 * them all, and others a few: 0, 1, -1 and the limits of the type.  The result
 * is incomplete then.
 */
#include "system/native/engine/engine.h"
#include "system/native/pthread/sync.h"

#ifndef __HEDDLE__
#define __HEDDLE__ /* the declarations, not the substitutes */
#endif
#include "heddle.h"

struct input {
  const char *name; /* of the function, behind __VERIFIER_nondet_ */
  bool is_signed;
  unsigned bits;
};

enum input_type {
#define NONDET(name, type) INPUT_##name,
#include "util/nondet.def"
};

static const struct input inputs[] = {
#define NONDET(name, type) \
  {#name, (type)-1 < (type)1, (unsigned)(8 * sizeof(type))},
#include "util/nondet.def"
};

/* Of 64 bits without a sign, the lower half: numbers are signed here. */
static struct range limits(const struct input *t) {
  unsigned digits = t->is_signed || t->bits == 64 ? t->bits - 1 : t->bits;
  int64_t most = (int64_t)(UINT64_MAX >> (64 - digits));
  return (struct range){t->is_signed ? -most - 1 : 0, most};
}

/* 0, 1 and the greatest; if it has a sign, -1 and the least. */
static struct ranges a_few(const struct input *t) {
  struct range all = limits(t);
  struct ranges few = {3, {{0, 0}, {1, 1}, {all.to, all.to}}};
  if (t->is_signed) {
    few.at[3] = (struct range){-1, -1};
    few.at[4] = (struct range){all.from, all.from};
    few.count = 5;
  }
  return few;
}

static struct ranges values_of(const struct input *t) {
  struct ranges values = engine.control->options.nondet;
  struct range all = limits(t);
  if (!values.count)
    return t->bits > 8 ? a_few(t) : (struct ranges){1, {all}};
  ranges_clip(&values, all.from, all.to);
  return values;
}

uint64_t input_value(uint32_t target, unsigned choice) {
  struct ranges values = values_of(&inputs[target]);
  return (uint64_t)ranges_nth(&values, choice);
}

static void tell_left_out(const struct input *t) {
  if (t->bits > 8 && !engine.control->options.nondet.count)
    left_out("of the values of __VERIFIER_nondet_%s only %s were tried; "
             "--nondet=LO..HI says which there are",
             t->name,
             t->is_signed ? "0, 1, -1, the least and the greatest"
                          : "0, 1 and the greatest");
}

static uint64_t pick(enum input_type type, uint64_t pc) {
  const struct input *t = &inputs[type];
  struct ranges values = values_of(t);
  uint64_t size = ranges_size(&values);
  if (!size)
    refuse("--nondet has no value for __VERIFIER_nondet_%s", t->name);
  if (size > HEDDLE_CHOICES)
    refuse("--nondet has more than %d values for __VERIFIER_nondet_%s",
           HEDDLE_CHOICES, t->name);
  tell_left_out(t);
  struct operation op = {.op = OP_INPUT, .pc = pc, .target = type};
  if (size > 1)
    visible(&op);
  return input_value(type, size > 1 ? choose((unsigned)size) : 0);
}

bool __VERIFIER_nondet_bool(void);
INTERPOSED bool __VERIFIER_nondet_bool(void) {
  return choose_one(2, CALLER) != 0;
}

#define NONDET(name, type)                         \
  type __VERIFIER_nondet_##name(void);             \
  INTERPOSED type __VERIFIER_nondet_##name(void) { \
    return (type)pick(INPUT_##name, CALLER);       \
  }
#include "util/nondet.def"

/* Whole numbers only. */
#define FLOATING(name, type)                             \
  type __VERIFIER_nondet_##name(void);                   \
  INTERPOSED type __VERIFIER_nondet_##name(void) {       \
    left_out("of the values of __VERIFIER_nondet_" #name \
             " only whole numbers were tried");          \
    return (type)(int32_t)pick(INPUT_int, CALLER);       \
  }

FLOATING(float, float)
FLOATING(double, double)

/* A pointer that comes from nowhere points to nothing. */
#define POINTER(name, type)                              \
  type __VERIFIER_nondet_##name(void);                   \
  INTERPOSED type __VERIFIER_nondet_##name(void) {       \
    left_out("of the values of __VERIFIER_nondet_" #name \
             " only a null pointer was tried");          \
    return NULL;                                         \
  }

POINTER(pointer, void *)
POINTER(pchar, char *)

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

/* Of 64 bits without a sign, the lower half: numbers are signed here. */
static struct range limits(const struct input *t) {
  unsigned digits = t->is_signed || t->bits == 64 ? t->bits - 1 : t->bits;
  int64_t most = (int64_t)(UINT64_MAX >> (64 - digits));
  return (struct range){t->is_signed ? -most - 1 : 0, most};
}

static uint64_t among(const struct ranges *values, const struct input *t,
                      uint64_t pc) {
  uint64_t size = ranges_size(values);
  if (!size)
    refuse("--nondet has no value for __VERIFIER_nondet_%s", t->name);
  if (size > HEDDLE_CHOICES)
    refuse("--nondet has more than %d values for __VERIFIER_nondet_%s",
           HEDDLE_CHOICES, t->name);
  return (uint64_t)ranges_nth(values, choose_one((unsigned)size, pc));
}

/* The first of them is what a run without heddle gets. */
static uint64_t one_of_few(const struct input *t, uint64_t pc) {
  uint64_t top = UINT64_C(1) << (t->bits - 1);
  uint64_t few[] = {0, 1, UINT64_MAX, top, top - 1};
  left_out("of the values of __VERIFIER_nondet_%s only %s were tried; "
           "--nondet=LO..HI says which there are",
           t->name,
           t->is_signed ? "0, 1, -1, the least and the greatest"
                        : "0, 1 and the greatest");
  return few[choose_one(t->is_signed ? 5 : 3, pc)];
}

static uint64_t pick(const struct input *t, uint64_t pc) {
  struct ranges values = engine.control->options.nondet;
  struct range all = limits(t);
  if (values.count) {
    ranges_clip(&values, all.from, all.to);
    return among(&values, t, pc);
  }
  if (t->bits > 8)
    return one_of_few(t, pc);
  values = (struct ranges){1, {all}};
  return among(&values, t, pc);
}

bool __VERIFIER_nondet_bool(void);
INTERPOSED bool __VERIFIER_nondet_bool(void) {
  return choose_one(2, CALLER) != 0;
}

#define NONDET(name, type)                                        \
  type __VERIFIER_nondet_##name(void);                            \
  INTERPOSED type __VERIFIER_nondet_##name(void) {                \
    static const struct input t = {#name, (type)-1 < (type)1,     \
                                   (unsigned)(8 * sizeof(type))}; \
    return (type)pick(&t, CALLER);                                \
  }

NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, size_t)

/* Whole numbers only. */
#define NONDET_FLOATING(name, type)                      \
  type __VERIFIER_nondet_##name(void);                   \
  INTERPOSED type __VERIFIER_nondet_##name(void) {       \
    static const struct input t = {#name, true, 32};     \
    left_out("of the values of __VERIFIER_nondet_" #name \
             " only whole numbers were tried");          \
    return (type)(int32_t)pick(&t, CALLER);              \
  }

NONDET_FLOATING(float, float)
NONDET_FLOATING(double, double)

/* A pointer that comes from nowhere points to nothing. */
#define NONDET_POINTER(name, type)                       \
  type __VERIFIER_nondet_##name(void);                   \
  INTERPOSED type __VERIFIER_nondet_##name(void) {       \
    left_out("of the values of __VERIFIER_nondet_" #name \
             " only a null pointer was tried");          \
    return NULL;                                         \
  }

NONDET_POINTER(pointer, void *)
NONDET_POINTER(pchar, char *)

/* The names of SV-COMP on real threads. */
#include <stdbool.h>
#include <stddef.h>

#define __HEDDLE__ /* the declarations, not the substitutes */
#include "heddle.h"
#include "real/real.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
void __VERIFIER_error(void);
bool __VERIFIER_nondet_bool(void);

void __VERIFIER_atomic_begin(void) {
  heddle_atomic_begin();
}

void __VERIFIER_atomic_end(void) {
  heddle_atomic_end();
}

void __VERIFIER_assume(int holds) {
  heddle_assume(holds);
}

void __VERIFIER_error(void) {
  heddle_fail("__VERIFIER_error() was called");
}

bool __VERIFIER_nondet_bool(void) {
  return heddle_choose(2);
}

/* The values that `heddle check` tries without --nondet. */
static long long nondet(unsigned bits, bool is_signed) {
  unsigned long long top = 1ull << (bits - 1);
  unsigned long long few[] = {0, 1, ~0ull, top, top - 1};
  if (bits == 8)
    return heddle_choose(256);
  return (long long)few[heddle_choose(is_signed ? 5 : 3)];
}

#define NONDET(name, type)                                                 \
  type __VERIFIER_nondet_##name(void);                                     \
  type __VERIFIER_nondet_##name(void) {                                    \
    return (type)nondet((unsigned)(8 * sizeof(type)), (type)-1 < (type)1); \
  }
#include "util/nondet.def"

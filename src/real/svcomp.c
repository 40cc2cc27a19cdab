/* The names of SV-COMP on real threads. */
#include <stdbool.h>

#define __HEDDLE__ /* the declarations, not the substitutes */
#include "heddle.h"
#include "real/real.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
void __VERIFIER_error(void);
bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);

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

char __VERIFIER_nondet_char(void) {
  return (char)heddle_choose(256);
}

unsigned char __VERIFIER_nondet_uchar(void) {
  return (unsigned char)heddle_choose(256);
}

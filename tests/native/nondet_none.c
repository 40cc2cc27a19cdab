// --nondet has no value for a type that the program asks for.
// real no: it has other values
// options --nondet=-5..-1
// expect refused --nondet has no value for __VERIFIER_nondet_ulong
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
  return (int)__VERIFIER_nondet_ulong();
}

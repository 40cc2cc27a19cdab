// Too many alternatives to try them all.
// expect refused use heddle_choose(n)
extern int __VERIFIER_nondet_int(void);

int main(void) {
  return __VERIFIER_nondet_int();
}

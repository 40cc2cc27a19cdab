// Random numbers are those of glibc, and drawing them alone is no step.
// expect all: executions 1
// expect output "1804289383 846930886\n1804289383\n0.000985 366850414\n"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int a = rand();
  long b = random();
  printf("%d %ld\n", a, b);
  srandom(1);
  a = rand();
  printf("%d\n", a);
  drand48();
  double c = drand48();
  srand48(0);
  printf("%f %ld\n", c, lrand48());
  unsigned seed = 3, same = 3;
  assert(rand_r(&seed) == rand_r(&same) && seed == same && seed != 3);
}

// Functions of libm that store something, without another one of libm: sincos, remquo, lgamma_r, nan.
// expect optimal: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>

int main(void) {
  char tag[] = "12";
  double sine, cosine;
  int part, sign;
  sincos(1, &sine, &cosine);
  assert(fabs(sine * sine + cosine * cosine - 1) < 1e-9);
  assert(remquo(7, 2, &part) == -1 && (part & 7) == 4);
  assert(lgamma_r(-0.5, &sign) > 1 && sign == -1);
  assert(isnan(nan(tag)) && isnan(nanf(tag)));
}

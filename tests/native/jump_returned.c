// A jump to a function that has returned.
// expect error misuse
// expect message longjmp to a function that has returned
#include <setjmp.h>

static jmp_buf environment;

static __attribute__((noinline)) int take(void) {
  volatile char frame[1000];
  frame[0] = 0;
  return setjmp(environment) + frame[0];
}

int main(void) {
  if (take() == 0)
    longjmp(environment, 1);
}

// clang puts no hook before an access to a long double: it must not pass unseen.
// expect refused hook_missing.c:11: inline assembly, or an access of unusual size
#include <pthread.h>

static long double x;

int main(void) {
  long double mine = 1;
  for (int i = 0; i < 3; i++)
    mine *= 2;
  x = mine;
}

// --heap-fill=0: fresh memory is zero, as that of most small programs is.
// expect safe
// real no: what fresh memory holds is undefined for an optimising compiler
// options --heap-fill=0
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(100 * sizeof *p);
  assert(!p[0] && !p[99]);
}

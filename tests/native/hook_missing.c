// What the FPU's control register does is not undone: it must not pass unseen.
// expect refused hook_missing.c:7: llvm.x86.sse.stmxcsr
#include <pthread.h>
#include <xmmintrin.h>

int main(void) {
  return _mm_getcsr() == 0;
}

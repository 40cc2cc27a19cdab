// The control word of the x87 is read, and loaded again as it is: code that
// prints long doubles does so.  Another one is refused.
// expect optimal: executions 1, blocked 0
#include <assert.h>
#include <pthread.h>

static void *run(void *unused) {
#ifdef __x86_64__
  unsigned short word = 0;
  __asm__ __volatile__("fnstcw %0" : "=m"(word));
  __asm__ __volatile__("fldcw %0" : : "m"(word));
  assert(word == 0x37f);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
}

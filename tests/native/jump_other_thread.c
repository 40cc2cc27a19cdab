// A thread jumps to a place of main.
// expect error misuse
// expect message longjmp to a place of main
#include <pthread.h>
#include <setjmp.h>

static jmp_buf environment;

static void *work(void *unused) {
  longjmp(environment, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  if (setjmp(environment))
    return 0;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
}

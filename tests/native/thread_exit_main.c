// Main ends by pthread_exit; the others run on.
// expect output "still here\n"
#include <pthread.h>
#include <stdio.h>

static pthread_t first;

static void *runs_on(void *unused) {
  (void)unused;
  pthread_join(first, 0);
  puts("still here");
  return 0;
}

int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, 0, runs_on, 0);
  pthread_exit(0);
}

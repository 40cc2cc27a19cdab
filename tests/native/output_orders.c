// Three threads print: 3! orders of whole lines.
// expect optimal: executions 6, blocked 0
// expect output "one 1\ntwo 2\nthree\n"
// expect output "one 1\nthree\ntwo 2\n"
// expect output "two 2\none 1\nthree\n"
// expect output "two 2\nthree\none 1\n"
// expect output "three\none 1\ntwo 2\n"
// expect output "three\ntwo 2\none 1\n"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *one(void *unused) {
  (void)unused;
  printf("one %d\n", 1);
  return 0;
}

static void *two(void *unused) {
  (void)unused;
  write(1, "two 2\n", 6);
  return 0;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], 0, one, 0);
  pthread_create(&thread[1], 0, two, 0);
  puts("three");
  pthread_join(thread[0], 0);
  pthread_join(thread[1], 0);
}

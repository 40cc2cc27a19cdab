// A write whose size has the low bits of ENTRY_LARGE is no small write.
// algorithms naive optimal
// expect optimal: executions 2, blocked 0
// expect output "1 1\n"
// expect output "2 2\n"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[0x1ffff];

static void *fill(void *value) {
  memset(text, (int)(long)value, sizeof text);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fill, (void *)1);
  fill((void *)2);
  pthread_join(t, 0);
  printf("%d %d\n", text[0], text[sizeof text - 1]);
}

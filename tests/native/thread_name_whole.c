// A thread's own name fills the whole buffer, as the kernel copies it.
// expect output "0"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

int main(void) {
  char name[16] = "as long as ever";
  pthread_setname_np(pthread_self(), "short");
  pthread_getname_np(pthread_self(), name, sizeof name);
  printf("%d", name[10]);
  return 0;
}

// A thread uses a local variable after the function has returned, by itself.
// expect error memory
// expect message use after return: reads 4 bytes of a local variable whose function has returned
// expect optimal: executions 1, blocked 0
// real no: undefined
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct message {
  int number;
  int to;
};

static __attribute__((noinline)) struct message *make(int number) {
  struct message made = {number, 7};
  struct message *volatile p = &made;
  return p;
}

static void *run(void *number) {
  struct message *m = make((int)(long)number);
  printf("%d", m->number); // expect memory here
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, (void *)3L);
  pthread_join(t, NULL);
}

// setjmp and longjmp within a thread: each thread has its own environment, the
// number of rounds is kept in a volatile variable, and a jump out of a nested
// function leaves its frames.  The result of one addition is used: 2 orders
// (theory).
// expect optimal: executions 2, blocked 0
// expect output "sum 2 0\n"
// expect output "sum 2 1\n"
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int sum;
static jmp_buf global;

static void leave(jmp_buf where, int value) {
  char frame[100];
  frame[value] = 1;
  longjmp(where, value + frame[value] - 1);
}

static void *work(void *unused) {
  sigjmp_buf environment;
  volatile int rounds = 0;
  int value = sigsetjmp(environment, 1);
  rounds++;
  if (value < 1)
    leave(environment, value + 1);
  int before = atomic_fetch_add(&sum, rounds - 1);
  return unused ? (void *)(long)before : 0;
}

int main(void) {
  pthread_t t[2];
  if (setjmp(global) == 0)
    longjmp(global, 0); // returns 1
  else
    sum = 0;
  void *first;
  pthread_create(&t[0], 0, work, &sum);
  pthread_create(&t[1], 0, work, 0);
  pthread_join(t[0], &first);
  pthread_join(t[1], 0);
  printf("sum %d %d\n", sum, (int)(long)first);
}

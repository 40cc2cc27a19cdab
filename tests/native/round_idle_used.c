// Rounds that come back whatever they read, but not unnoticed: what they read is
// remembered, stands for the next round, or is used by the caller's loop.
// expect output "remembered 0, kept 1, called 1\n"
// expect output "remembered 1, kept 1, called 1\n"
// expect output "remembered 0, kept 0, called 1\n"
// expect output "remembered 1, kept 0, called 1\n"
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int sequence = 1, a, b, c;
static int remembered, kept, called;

static void *remember(void *unused) {
  int before, x;
  do {
    before = sequence;
    x = a;
    if (x == 1)
      remembered = 1;
  } while (before & 1);
  return unused;
}

static void *keep(void *unused) {
  int before, x = 0;
  do {
    before = sequence;
    if (before & 2)
      continue;
    x = b;
  } while (before & 1);
  kept = x;
  return unused;
}

static int call(void) {
  int before, x;
  do {
    before = sequence;
    x = c;
  } while (!(before & 2) && before & 1);
  return x;
}

static void *caller(void *unused) {
  while (!call())
    ;
  called = 1;
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, remember, 0);
  pthread_create(&t[1], 0, keep, 0);
  pthread_create(&t[2], 0, caller, 0);
  b = 1;
  sequence = 3;
  a = 1;
  a = 2;
  c = 1;
  sequence = 2;
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  printf("remembered %d, kept %d, called %d\n", remembered, kept, called);
}

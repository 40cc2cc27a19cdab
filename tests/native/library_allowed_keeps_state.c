// An allowed function keeps state that undo does not restore: what the first
// execution left shows in every other one.
// options --allow-external=re_set_syntax
// expect refused keep state between calls
#define _GNU_SOURCE
#include <pthread.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int turns;

static void *turn(void *unused) {
  turns++;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, turn, 0);
  int turned = turns;
  pthread_join(t, 0);
  printf("%d %lx\n", turned, re_set_syntax(1));
}

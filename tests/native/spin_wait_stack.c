// A stack without locks (Treiber): push and pop go round if another was faster.
// expect safe
// expect output "1 2\n"
// expect output "2 1\n"
// algorithms source optimal observers cs dc unfold
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

struct entry {
  struct entry *next;
  int value;
};

static struct entry entries[2] = {{NULL, 1}, {NULL, 2}};
static struct entry *_Atomic top;
static int got[2];

static void push(struct entry *e) {
  struct entry *old;
  do {
    old = atomic_load(&top);
    e->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, e));
}

static int pop(void) {
  struct entry *old;
  do
    old = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &old, old->next));
  return old->value;
}

static void *run(void *number) {
  int me = *(int *)number;
  push(&entries[me]);
  got[me] = pop();
  return 0;
}

int main(void) {
  static int numbers[] = {0, 1};
  pthread_t t;
  pthread_create(&t, 0, run, &numbers[0]);
  run(&numbers[1]);
  pthread_join(t, 0);
  printf("%d %d\n", got[0], got[1]);
}

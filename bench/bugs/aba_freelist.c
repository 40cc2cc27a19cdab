// A free list of cells by number: a cell that was taken and given back meanwhile
// fools the compare-and-swap, and a cell in use is on the list.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { NONE, CELLS = 3 };
static atomic_int first = 1, next[CELLS + 1] = {NONE, 2, 3, NONE};
static atomic_int owner[CELLS + 1], busy[2];
static int take(void) {
  int cell = first;
  while (cell != NONE && !atomic_compare_exchange_strong(&first, &cell, next[cell]))
    ;
  return cell;
}
static void give(int cell) {
  int head = first;
  do
    next[cell] = head;
  while (!atomic_compare_exchange_strong(&first, &head, cell));
}
static void *user(void *argument) {
  int me = *(int *)argument, a = take();
  busy[me % 2]++;
  int b = me == 1 ? take() : NONE;
  if (a) { assert(!owner[a]); owner[a] = me; owner[a] = 0; give(a); }
  if (b) { assert(!owner[b]); owner[b] = me; }
  busy[(me + 1) % 2]++;
  return 0;
}
int main(void) {
  static int ids[2] = {1, 2};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, user, &ids[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int c = first; c != NONE; c = next[c]) assert(!owner[c]);
}

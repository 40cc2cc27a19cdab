// Sorted, equal elements in their old order, for all sizes around the limit of
// the order that fits on the stack.
// expect all: executions 1
#include <assert.h>
#include <stdlib.h>

struct item {
  int key, place;
};
static struct item items[300];

static int compare(const void *a, const void *b) {
  return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static void try(int count) {
  for (int i = 0; i < count; i++)
    items[i] = (struct item){i * 7919 % 23, i};
  qsort(items, count, sizeof *items, compare);
  for (int i = 1; i < count; i++)
    assert(items[i - 1].key < items[i].key ||
           (items[i - 1].key == items[i].key &&
            items[i - 1].place < items[i].place));
}

int main(void) {
  for (int count = 0; count < 8; count++)
    try(count);
  try(257);
  struct item key = {5, 0}, none = {99, 0};
  assert(((struct item *)bsearch(&key, items, 257, sizeof key, compare))->key ==
         5);
  assert(!bsearch(&none, items, 257, sizeof key, compare));
}

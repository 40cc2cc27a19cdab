// Tables and trees of search.h.
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int numbers[] = {5, 3, 8, 1, 4, 9}, seen[8], count;

static int order(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void visit(const void *node, VISIT kind, int depth) {
  (void)depth;
  if (kind == postorder || kind == leaf)
    seen[count++] = **(int *const *)node;
}

static void drop(void *key) {
  count += *(int *)key;
}

int main(void) {
  void *tree = 0;
  int key = 3, more[4] = {7, 8};
  size_t size = 2;
  for (int i = 0; i < 6; i++)
    assert(**(int **)tsearch(&numbers[i], &tree, order) == numbers[i]);
  assert(*(int **)tsearch(&key, &tree, order) == &numbers[1]);
  twalk(tree, visit);
  assert(count == 6);
  for (int i = 1; i < count; i++)
    assert(seen[i - 1] < seen[i]);
  assert(tdelete(&key, &tree, order) && !tfind(&key, &tree, order));
  assert(!tdelete(&key, &tree, order));
  key = 5;
  assert(tdelete(&key, &tree, order) && !tfind(&key, &tree, order));
  key = 4;
  assert(*(int **)tfind(&key, &tree, order) == &numbers[4]);
  count = 0;
  tdestroy(tree, drop);
  assert(count == 8 + 1 + 4 + 9);
  assert(!lfind(&key, more, &size, sizeof *more, order) && size == 2);
  assert(lsearch(&key, more, &size, sizeof *more, order) == &more[2] && size == 3);
  char text[] = "rw,size=5,odd", *rest = text, *value;
  char *const words[] = {"ro", "rw", "size", 0};
  assert(getsubopt(&rest, words, &value) == 1 && !value);
  assert(getsubopt(&rest, words, &value) == 2 && !strcmp(value, "5"));
  assert(getsubopt(&rest, words, &value) == -1 && !strcmp(value, "odd") && !*rest);
}

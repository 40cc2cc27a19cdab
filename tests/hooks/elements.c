/* An element-wise atomic copy is two steps for each element: main may see the
 * first element without the second. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

void copy_two(void *to, void *from); /* of four bytes, in elements.ll */

static int from[2] = {1, 1};
static _Atomic int to[2];

static void *copy(void *unused) {
  copy_two(to, from);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, copy, 0);
  int second = to[1], first = to[0];
  pthread_join(t, 0);
  printf("%d %d\n", first, second);
}

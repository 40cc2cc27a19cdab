/* Loops that LLVM turns into masked loads and stores, gathers and scatters for
 * a processor that has them; without such a processor they are taken apart
 * again.  The thread writes x[1] through each of them. */
#include <pthread.h>
#include <stdio.h>

#define N 16
#define VECTORS _Pragma("clang loop vectorize(assume_safety) vectorize_width(16)")
static volatile int n = N;
int from[N], x[N], y[N], wanted[N], index_of[N];

__attribute__((noinline)) static void scatter(int count) {
  VECTORS for (int i = 0; i < count; i++)
    if (wanted[i])
      x[index_of[i]] = from[i];
}

__attribute__((noinline)) static void gather(int count) {
  VECTORS for (int i = 0; i < count; i++)
    if (wanted[i])
      y[i] = x[index_of[i]];
}

static void *put(void *unused) {
  scatter(n);
  return unused;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < N; i++)
    index_of[i] = N - 1 - i;
  from[N - 2] = 7;
  wanted[N - 2] = 1;
  pthread_create(&t, 0, put, 0);
  gather(n);
  pthread_join(t, 0);
  printf("%d\n", y[N - 2]);
}

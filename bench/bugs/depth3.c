// Three places in a certain order, two preemptions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b, c, noise[2];
static void *first(void *unused) {
  for (int i = 0; i < 4; i++) noise[0]++;
  a = 1;
  noise[1]++;
  c = b;
  noise[1]++;
  a = 0;
  return unused;
}
static void *second(void *unused) {
  for (int i = 0; i < 4; i++) noise[1]++;
  if (a == 1) {
    b = 1;
    noise[0]++;
    if (c == 1 && a == 1) assert(0);
    b = 0;
  }
  return unused;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  for (int i = 0; i < 3; i++) noise[i % 2] = i;
  pthread_join(s, 0);
  pthread_join(t, 0);
}

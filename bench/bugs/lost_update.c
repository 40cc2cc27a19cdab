// The classic lost update, with work around it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int balance;
static atomic_int noise[3];
static void *deposit(void *unused) {
  for (int i = 0; i < 3; i++)
    noise[i]++;
  balance++;
  for (int i = 0; i < 3; i++)
    noise[i] += noise[(i + 1) % 3];
  return unused;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, deposit, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(balance == 3);
}

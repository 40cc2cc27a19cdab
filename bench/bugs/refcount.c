// A buffer that is used once more after its reference was given back.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct buffer { atomic_int users; int data[4]; };
static atomic_int sum;
static void put(struct buffer *b) {
  if (atomic_fetch_sub(&b->users, 1) == 1) free(b);
}
static void *user(void *argument) {
  struct buffer *b = argument;
  for (int i = 0; i < 4; i++) sum = sum + b->data[i];
  put(b);
  sum += b->data[0];
  return 0;
}
int main(void) {
  pthread_t t[2];
  struct buffer *b = calloc(1, sizeof *b);
  b->users = 3;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, user, b);
  sum = 1;
  put(b);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}

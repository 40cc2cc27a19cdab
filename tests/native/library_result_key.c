// Both threads store a key's number in the same variable, and may read the
// other's.
// expect output "0 1"
// expect output "1 0"
// expect output "0 0"
// expect output "1 1"
// options --races=off
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;
static unsigned got[2];

static void *make(void *arg) {
  pthread_key_create(&key, NULL);
  got[(long)arg] = key;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, make, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%u %u", got[0], got[1]);
  return 0;
}

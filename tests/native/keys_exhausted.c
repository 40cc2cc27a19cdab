// As many keys as glibc has, and no more.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

int main(void) {
  pthread_key_t key;
  for (int i = 0; i < PTHREAD_KEYS_MAX; i++)
    assert(pthread_key_create(&key, 0) == 0);
  assert(pthread_key_create(&key, 0) == EAGAIN);
}

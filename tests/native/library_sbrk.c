// The end of the data is state of the process: two threads that move it get
// memory of their own, in both orders.
// expect optimal: executions 2, blocked 0
// real no: malloc moves the end of the data there
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static char *got[2];

static void *take(void *to) {
  *(char **)to = sbrk(64);
  memset(*(char **)to, 1, 64);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  char *begin = sbrk(0);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, take, &got[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(got[0] - got[1] == 64 || got[1] - got[0] == 64);
  assert((char *)sbrk(0) == begin + 128 && begin[0] == 1 && begin[127] == 1);
  assert(brk(begin) == 0 && sbrk(0) == begin);
  assert(sbrk(-64) == (void *)-1 && errno == ENOMEM);
}

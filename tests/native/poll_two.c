// A thread waits for two pipes at once; either may be the first.
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc
// waits for several places
// expect output "ab"
// expect output "ba"
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2][2];

static void *produce(void *text) {
  write(ends[*(char *)text - 'a'][1], text, 1);
  return 0;
}

int main(void) {
  pthread_t thread[2];
  char got[3] = "";
  for (int i = 0; i < 2; i++)
    assert(!pipe(ends[i]));
  pthread_create(&thread[0], 0, produce, "a");
  pthread_create(&thread[1], 0, produce, "b");
  for (int n = 0; n < 2;) {
    struct pollfd files[2] = {{ends[0][0], POLLIN, 0}, {ends[1][0], POLLIN, 0}};
    assert(poll(files, 2, -1) > 0);
    int first = files[0].revents ? 0 : 1;
    assert(read(ends[first][0], &got[n++], 1) == 1);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], 0);
  printf("%s", got);
}

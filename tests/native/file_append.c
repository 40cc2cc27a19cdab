// Two threads append to one file, each by a description of its own: both orders,
// and no text is lost.
// expect optimal: executions 2, blocked 0
// expect output "ab"
// expect output "ba"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int file[2];

static void *append(void *text) {
  int number = *(char *)text == 'b';
  write(file[number], text, 1);
  return 0;
}

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX", text[3] = "";
  pthread_t thread[2];
  int whole = mkstemp(path);
  for (int i = 0; i < 2; i++)
    file[i] = open(path, O_WRONLY | O_APPEND);
  pthread_create(&thread[0], 0, append, "a");
  pthread_create(&thread[1], 0, append, "b");
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], 0);
  read(whole, text, 2);
  unlink(path);
  printf("%s", text);
}

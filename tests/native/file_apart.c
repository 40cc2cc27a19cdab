// Threads that write to different files, and to different parts of one, are
// independent.
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold dc
// expect optimal: executions 1, blocked 0
// expect output "xy ab"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int own[2], common;

static void *work(void *argument) {
  long number = (long)argument;
  char text = (char)('a' + number);
  pwrite(own[number], number ? "y" : "x", 1, 0);
  pwrite(common, &text, 1, number);
  return 0;
}

int main(void) {
  char path[3][32], text[6] = "";
  pthread_t thread[2];
  for (int i = 0; i < 3; i++) {
    snprintf(path[i], sizeof path[i], "/tmp/heddle-test-XXXXXX");
    *(i < 2 ? &own[i] : &common) = mkstemp(path[i]);
    unlink(path[i]);
  }
  ftruncate(common, 2);
  for (long i = 0; i < 2; i++)
    pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], 0);
  read(own[0], text, 1), read(own[1], text + 1, 1);
  text[2] = ' ';
  read(common, text + 3, 2);
  printf("%s", text);
}

// One thread closes the stream while another prints to it.
// expect error memory
// expect message use of a stream that was closed
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *log_line(void *unused) {
  fputs("line\n", file); // expect memory here
  return unused;
}

int main(void) {
  pthread_t thread;
  file = tmpfile();
  pthread_create(&thread, 0, log_line, 0);
  fclose(file);
  pthread_join(thread, 0);
}

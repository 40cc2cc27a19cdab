// Two threads write lines to one stream: whole lines, in both orders.
// expect optimal: executions 2, blocked 0
// expect output "a 1\nb 2\n"
// expect output "b 2\na 1\n"
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *log_line(void *text) {
  fprintf(file, "%s %d\n", (char *)text, *(char *)text - 'a' + 1);
  return 0;
}

int main(void) {
  char line[20];
  pthread_t thread;
  file = tmpfile();
  pthread_create(&thread, 0, log_line, "a");
  log_line("b");
  pthread_join(thread, 0);
  rewind(file);
  while (fgets(line, sizeof line, file))
    fputs(line, stdout);
  fclose(file);
}

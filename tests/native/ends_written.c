// Writes of another thread before and after the end of a local variable.  What
// follows them depends on that end, although they do not read.
// expect error memory
// Outputs, where both writes came before the end: T's h may come anywhere.
// expect output "hLLh"
// expect output "LhLh"
// expect output "LLhh"
// options --races=off
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int *_Atomic p;

static void *ends(void *unused) {
  int local = 3;
  p = &local;
  write(1, "h", 1);
  return unused;
}

static void *writes(void *unused) {
  int *q = p;
  if (q)
    *q = 1; // expect memory here
  if (q)
    *q = 1; // expect memory here
  write(1, "h", 1);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, ends, NULL);
  write(1, "L", 1);
  write(1, "L", 1);
  pthread_create(&u, NULL, writes, NULL);
  pthread_exit(NULL);
}

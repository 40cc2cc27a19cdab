// sscanf reads its string and writes its variables in one step; a data race on
// either is seen.
// options --races=error
// expect error race
#include <pthread.h>
#include <stdio.h>

static char text[8] = "12";
static int number;

static void *scan(void *unused) {
  sscanf(text, "%d", &number); // expect race here
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, scan, 0);
  text[1] = '3';
  pthread_join(t, 0);
}

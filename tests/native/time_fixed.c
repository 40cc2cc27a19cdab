// Time is the same in every run, goes on, and sleeping is no waiting.
// expect all: executions 1
// expect output "946684800\n"
// real no: time goes on
#include <assert.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec a, b, hour = {3600, 0};
  time_t begin = time(0);
  printf("%ld\n", (long)begin);
  clock_gettime(CLOCK_MONOTONIC, &a);
  nanosleep(&hour, 0);
  clock_gettime(CLOCK_MONOTONIC, &b);
  assert(b.tv_sec - a.tv_sec == 3600 && b.tv_nsec > a.tv_nsec);
  sleep(100);
  usleep(1000000);
  assert(difftime(time(0), begin) >= 3701);
  while (time(0) < begin + 3702) // ends soon
    continue;
}

// An alarm comes at any time after it was set, or not before the program ends.
// expect output "0\n"
// expect output "1\n"
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// real no: seconds pass there
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t late;

static void handler(int number) {
  late = number == SIGALRM;
}

int main(void) {
  signal(SIGALRM, handler);
  alarm(10);
  int seen = late;
  alarm(0);
  int then = late;
  if (then < seen || (then && late != then))
    return 1;
  printf("%d\n", then);
  return late != then;
}

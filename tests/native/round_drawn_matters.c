// The numbers drawn while a thread waits decide which one it draws behind the loop:
// with the seed as it was, after one round and after two.
// expect output "1 first\n"
// expect output "1 second\n"
// expect output "1 third\n"
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int ready;

static void *sets(void *unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  unsigned seed = 5, same = 5;
  int drawn[3];
  for (int i = 0; i < 3; i++)
    drawn[i] = rand_r(&same);
  pthread_create(&t, 0, sets, 0);
  for (int i = 0; i < 2 && !atomic_load(&ready); i++)
    usleep((unsigned)rand_r(&seed) % 8);
  pthread_join(t, 0);
  int next = rand_r(&seed);
  printf("%d %s\n", atomic_load(&ready),
         next == drawn[0]   ? "first"
         : next == drawn[1] ? "second"
                            : "third");
}

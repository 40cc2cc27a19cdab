// The value decides whether threads race for the end.
// real no: it has other values
// options --nondet=0..3
// expect error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int limit, sum;

static void *add(void *unused) {
  if (atomic_load(&sum) < atomic_load(&limit))
    atomic_fetch_add(&sum, 2);
  return unused;
}

int main(void) {
  pthread_t t[2];
  limit = __VERIFIER_nondet_int();
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(sum <= limit + 1); // expect assertion here
}

// madvise(MADV_DONTNEED) writes zeros.  The reader sees 1, or 0; counts by
// reasoning: two steps that touch the page, in both orders.
// expect optimal: executions 2, blocked 0
// expect output "0\n"
// expect output "1\n"
// options --races=off
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static char *page;

static void *discard(void *unused) {
  assert(madvise(page, 4096, MADV_DONTNEED) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(page, 1, 8192);
  assert(madvise(page + 1, 1, MADV_DONTNEED) == -1);
  assert(madvise(page, 4096, MADV_FREE) == -1);
  pthread_create(&thread, 0, discard, 0);
  printf("%d\n", page[1]);
  pthread_join(thread, 0);
  assert(!page[0] && !page[4095] && page[4096] == 1);
}

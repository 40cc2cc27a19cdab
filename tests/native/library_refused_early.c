// What a constructor does may be refused, too, as the first thing that happens.
// expect refused munmap of a part of what mmap returned is not supported
#include <sys/mman.h>

static char *at;

__attribute__((constructor)) static void map(void) {
  at = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(at, 4096);
}

int main(void) { return at[4096]; }

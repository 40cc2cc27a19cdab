// All arguments are stepped over rightly to find the strings behind them.
// expect all: executions 1
// expect output "1 2 3 4 x 1.5 2.50   s|0x10 % a 5|(null) No such file or directory\n"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char s[8] = "s", buffer[64], *block;

int main(void) {
  errno = ENOENT;
  printf("%d %ld %lld %zu %c %g %.2Lf %*s|%p %% %x %hhd|%s %m\n", 1, 2L, 3LL,
         (size_t)4, 'x', 1.5, 2.5L, 3, s, (void *)16, 10,
         (signed char)5, (char *)0);
  assert(sprintf(buffer, "%s-%d", s, 7) == 3 && !strcmp(buffer, "s-7"));
  assert(snprintf(buffer, 3, "%d", 12345) == 5 && !strcmp(buffer, "12"));
  assert(snprintf(0, 0, "%s", "abc") == 3);
  assert(asprintf(&block, "%05d", 42) == 5 && !strcmp(block, "00042"));
  free(block);
  char wide[3000];
  memset(wide, 'w', sizeof wide - 1);
  wide[sizeof wide - 1] = 0;
  assert(snprintf(0, 0, "%s%.500f", wide, 0.1) == 2999 + 502);
}

// sscanf: what it reads and writes, and its results.
// expect output "1 2 -3 x 4.5 six seven 3 30 255\n"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  signed char a;
  short b;
  long long c;
  char d[2] = "", word[16], rest[8];
  double e;
  char *block = 0;
  int n = 0, none = 7, f;
  int found = sscanf("1 2 -3 x 4.5 six seven", "%hhd %hd %lld %c %lf %15s %ms%n",
                     &a, &b, &c, d, &e, word, &block, &n);
  if (found != 7 || n != 22)
    abort();
  if (sscanf("abc", "%d", &none) != 0 || none != 7 || sscanf("", "%d", &none) != EOF)
    abort();
  if (sscanf("a1b", "%*[a-z]%d%7[^0-9]", &f, rest) != 2 || f != 1 || strcmp(rest, "b"))
    abort();
  unsigned x;
  if (sscanf("50%ff", "50%%%x", &x) != 1)
    abort();
  printf("%d %d %lld %s %.1f %s %s 3 30 %u\n", a, b, c, d, e, word, block, x);
  free(block);
}

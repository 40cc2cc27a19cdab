// expect refused blocks of up to
#include <stdlib.h>

int main(void) {
  return malloc((size_t)5 << 30) == 0;
}

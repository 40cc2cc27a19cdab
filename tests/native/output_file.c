// expect refused fopen
#include <stdio.h>

int main(void) {
  FILE *file = fopen("/dev/null", "w");
  fprintf(file, "x");
}

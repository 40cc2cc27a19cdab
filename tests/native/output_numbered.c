// Numbered arguments of printf.
// expect output "b a"
#include <stdio.h>

int main(void) {
  printf("%2$s %1$s", "a", "b");
}

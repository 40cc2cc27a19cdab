// expect error memory
// expect message overlap
#include <string.h>

static char text[16] = "abcdefgh";

int main(void) {
  volatile size_t size = 6;
  memcpy(text + 2, text, size); // expect memory here
}

// expect error crash
// expect message abort()
#include <stdlib.h>

int main(void) {
  abort(); // expect crash here
}

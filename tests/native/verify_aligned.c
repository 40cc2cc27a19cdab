// Variables with a large alignment move the first one behind the data, a mark of
// the compiler's start-up code that no step declares.
// options --verify
#include <assert.h>
#include <stdalign.h>

static alignas(4096) char page[4096];
static alignas(128) int line;

int main(void) {
  page[1] = 1;
  line = page[1];
  assert(line == 1);
  return 0;
}

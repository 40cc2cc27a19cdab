/* A failed assertion is told apart from other aborts. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "real/real.h"
#include "real/record.h"

void __assert_fail(const char *assertion, const char *file, unsigned line,
                   const char *function) {
  heddle_real_mark(REAL_ASSERTED);
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function,
          assertion);
  abort();
}

#include "cli/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cli/complain.h"

bool take_number(const char *name, const char *value, uint64_t least,
                 uint64_t *out) {
  char *end;
  errno = 0;
  *out = strtoull(value, &end, 10);
  if (errno || !*value || *end || *value == '-' || *out < least) {
    complain("--%s %s: a number from %" PRIu64 " on is expected", name, value,
             least);
    return false;
  }
  return true;
}

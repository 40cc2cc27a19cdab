#include "host/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads digits only: signs and spaces, which strtoull takes, are refused. */
static bool read_digits(const char *text, char **end, uint64_t *value) {
  errno = 0;
  *value = strtoull(text, end, 10);
  return isdigit((unsigned char)*text) && !errno;
}

bool parse_number(const char *text, uint64_t *out) {
  char *end;
  return read_digits(text, &end, out) && !*end;
}

bool parse_size(const char *text, uint64_t *out) {
  char *end;
  uint64_t value;
  bool digits = read_digits(text, &end, &value);
  const char *units = "KMG", *unit = *end ? strchr(units, *end) : NULL;
  int shift = unit ? 10 * (int)(unit - units + 1) : 0;
  if (unit)
    end++;
  *out = value << shift;
  return digits && !*end && value <= UINT64_MAX >> shift;
}

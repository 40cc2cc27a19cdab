#include "report/utf8.h"

size_t utf8_length(const unsigned char *s, size_t left) {
  unsigned first = s[0], low = 0x80, high = 0xbf;
  size_t length = first < 0x80                    ? 1
                  : first >= 0xc2 && first < 0xe0 ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
  if (length > left)
    return 0;
  if (first == 0xe0)
    low = 0xa0;
  if (first == 0xed)
    high = 0x9f;
  if (first == 0xf0)
    low = 0x90;
  if (first == 0xf4)
    high = 0x8f;
  for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
    if (s[i] < low || s[i] > high)
      return 0;
  return length;
}

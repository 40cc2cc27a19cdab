/* FNV-1a with 64 bits: finds accidents, not malice. */
#ifndef CLI_CHECKSUM_H
#define CLI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_START 0xcbf29ce484222325u

static inline uint64_t checksum(uint64_t sum, const void *bytes,
                                size_t length) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}

#endif

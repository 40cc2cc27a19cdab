/* FNV-1a with 64 bits: finds accidents, not malice. */
#ifndef HOST_CHECKSUM_H
#define HOST_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CHECKSUM_START 0xcbf29ce484222325u

static inline uint64_t checksum(uint64_t sum, const void *bytes,
                                size_t length) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}

/* For large contents: eight bytes at a time.  The shift brings the high bits
 * down, which a multiplication does not. */
static inline uint64_t checksum_large(uint64_t sum, const void *bytes,
                                      size_t length) {
  const unsigned char *at = bytes;
  size_t whole = length / sizeof sum * sizeof sum;
  for (size_t i = 0; i < whole; i += sizeof sum) {
    uint64_t word;
    memcpy(&word, at + i, sizeof word);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  return checksum(sum, at + whole, length - whole);
}

#endif

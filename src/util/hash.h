/* A hash of bytes: FNV-1a, 64 bits. */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hash_start(void) {
  return 0xcbf29ce484222325u;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes,
                                  size_t length) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}

#endif

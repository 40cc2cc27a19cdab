#include "cli/pack.h"

#include <string.h>

#include "util/vec.h"

struct cache_part pack_words(const struct words *words) {
  VEC(char) bytes = {0};
  for (size_t i = 0; i < words->size; i++) {
    size_t length = strlen(words->at[i]) + 1;
    VEC_RESERVE(bytes, length);
    memcpy(bytes.at + bytes.size, words->at[i], length);
    bytes.size += length;
  }
  return (struct cache_part){bytes.at, bytes.size};
}

void unpack_words(const struct cache_part *part, struct words *words) {
  for (size_t at = 0; at < part->size; at += strlen(part->at + at) + 1)
    words_add(words, part->at + at);
}

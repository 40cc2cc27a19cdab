#include "cc/driver/pack.h"

#include <string.h>

#include "util/text.h"

struct cache_part pack_words(const struct word_list *words) {
  struct text bytes = {0};
  for (size_t i = 0; i < words->size; i++)
    text_add(&bytes, words->at[i], strlen(words->at[i]) + 1);
  return (struct cache_part){bytes.at, bytes.size};
}

void unpack_words(const struct cache_part *part, struct word_list *words) {
  for (size_t at = 0; at < part->size; at += strlen(part->at + at) + 1)
    word_list_add(words, part->at + at);
}

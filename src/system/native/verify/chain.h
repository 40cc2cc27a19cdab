/* A digest of words in a fixed order.
 *
 * A chain of multiplications is enough for that, and faster than a sum of
 * digests.  There are two chains, so that the processor need not wait for the
 * result of one.
 */
#ifndef SYSTEM_NATIVE_VERIFY_CHAIN_H
#define SYSTEM_NATIVE_VERIFY_CHAIN_H

#include <stdint.h>

struct chain {
  uint64_t link[2];
};

#define CHAIN_BEGIN                              \
  {                                              \
    { 0x8ebc6af09c88c6e3u, 0x589965cc75374cc3u } \
  }

#define CHAIN_FIRST 0xa0761d6478bd642fu
#define CHAIN_SECOND 0xe7037ed1a0b428dbu

static inline uint64_t chain_fold(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline void chain_add(struct chain *c, uint64_t place, uint64_t word) {
  c->link[0] = chain_fold(c->link[0] ^ word, place ^ CHAIN_FIRST);
  c->link[1] = chain_fold(c->link[1] ^ place, word ^ CHAIN_SECOND);
}

/* Two words whose places are known from those before them. */
static inline struct chain chain_pair(struct chain c, uint64_t a, uint64_t b) {
  return (struct chain){{chain_fold(c.link[0] ^ a, b ^ CHAIN_FIRST),
                         chain_fold(c.link[1] ^ b, a ^ CHAIN_SECOND)}};
}

/* Words that follow each other.  In variables of their own, the links stay in
 * registers. */
static inline struct chain chain_words(struct chain c, const uint64_t *at,
                                       const uint64_t *end) {
  c = chain_pair(c, (uintptr_t)at, (uintptr_t)end);
  uint64_t first = c.link[0], second = c.link[1];
  for (; at + 1 < end; at += 2) {
    uint64_t a = at[0], b = at[1];
    first = chain_fold(first ^ a, b ^ CHAIN_FIRST);
    second = chain_fold(second ^ b, a ^ CHAIN_SECOND);
  }
  c = (struct chain){{first, second}};
  return at < end ? chain_pair(c, at[0], 0) : c;
}

#endif

/* The one seeded generator: xoshiro256** (Blackman and Vigna), its state filled
 * by splitmix64, so that any seed will do, zero and neighbours included. */
#ifndef UTIL_RNG_H
#define UTIL_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
  uint64_t state[4];
};

/* One step of splitmix64; alone it is a good mixing function for hashes. */
static inline uint64_t rng_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static inline void rng_seed(struct rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++)
    r->state[i] = rng_mix(seed + (uint64_t)i * 0x9e3779b97f4a7c15u);
}

static inline uint64_t rng_rotate(uint64_t x, int bits) {
  return (x << bits) | (x >> (64 - bits));
}

static inline uint64_t rng_next(struct rng *r) {
  uint64_t *s = r->state, result = rng_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rng_rotate(s[3], 45);
  return result;
}

/* A number below n, n > 0.  The bias of 2^-32 does not matter here. */
static inline uint32_t rng_below(struct rng *r, uint32_t n) {
  return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

/* A number from low to high, both included. */
static inline uint32_t rng_between(struct rng *r, uint32_t low, uint32_t high) {
  return low + rng_below(r, high - low + 1);
}

static inline bool rng_percent(struct rng *r, uint32_t percent) {
  return rng_below(r, 100) < percent;
}

#endif

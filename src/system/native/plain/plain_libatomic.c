/* The functions of libatomic in a run that is not checked, if the program is
 * not linked with that library. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "plain.h"

typedef unsigned __int128 uint128;

#define PLAIN(type, name, ...)                    \
  type heddle_plain___atomic_##name(__VA_ARGS__); \
  type heddle_plain___atomic_##name(__VA_ARGS__)

/* All as sequentially consistent. */
#define COMPARE_EXCHANGE(addr, expected, value)                               \
  __atomic_compare_exchange_n(addr, expected, value, false, __ATOMIC_SEQ_CST, \
                              __ATOMIC_SEQ_CST)

/* 16 bytes at once: the processor's instruction, as compilers use it. */
#ifdef __x86_64__
__attribute__((target("cx16"))) static bool
swap_16(uint128 *addr, uint128 *expected, uint128 value) {
  uint128 seen = __sync_val_compare_and_swap(addr, *expected, value);
  bool done = seen == *expected;
  *expected = seen;
  return done;
}
#else
static bool swap_16(uint128 *addr, uint128 *expected, uint128 value) {
  return COMPARE_EXCHANGE(addr, expected, value);
}
#endif

#define SWAP_1 COMPARE_EXCHANGE
#define SWAP_2 COMPARE_EXCHANGE
#define SWAP_4 COMPARE_EXCHANGE
#define SWAP_8 COMPARE_EXCHANGE
#define SWAP_16 swap_16

#define UPDATE(name, size, type, expression)                      \
  PLAIN(type, name##_##size, type *addr, type value, int order) { \
    type old = 0;                                                 \
    (void)order;                                                  \
    while (!SWAP_##size(addr, &old, (type)(expression)))          \
      ;                                                           \
    return old;                                                   \
  }

#define SIZED(size, type)                                                      \
  PLAIN(type, load_##size, type *addr, int order) {                            \
    type old = 0;                                                              \
    (void)order;                                                               \
    SWAP_##size(addr, &old, old);                                              \
    return old;                                                                \
  }                                                                            \
  PLAIN(void, store_##size, type *addr, type value, int order) {               \
    type old = 0;                                                              \
    (void)order;                                                               \
    while (!SWAP_##size(addr, &old, value))                                    \
      ;                                                                        \
  }                                                                            \
  PLAIN(bool, compare_exchange_##size, type *addr, type *expected, type value, \
        int success, int failure) {                                            \
    (void)success;                                                             \
    (void)failure;                                                             \
    return SWAP_##size(addr, expected, value);                                 \
  }                                                                            \
  UPDATE(exchange, size, type, value)                                          \
  UPDATE(fetch_add, size, type, old + value)                                   \
  UPDATE(fetch_sub, size, type, old - value)                                   \
  UPDATE(fetch_and, size, type, old &value)                                    \
  UPDATE(fetch_or, size, type, old | value)                                    \
  UPDATE(fetch_xor, size, type, old ^ value)                                   \
  UPDATE(fetch_nand, size, type, ~(old & value))

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
SIZED(16, uint128)

/* For the functions of any size: other code may access 16 bytes by
 * instructions. */
static bool is_wide(size_t size, const void *addr) {
  return size == 16 && (uintptr_t)addr % 16 == 0;
}

PLAIN(void, load, size_t size, void *addr, void *to, int order) {
  if (is_wide(size, addr)) {
    uint128 old = heddle_plain___atomic_load_16(addr, order);
    memcpy(to, &old, size);
    return;
  }
  plain_lock();
  memcpy(to, addr, size);
  plain_unlock();
}

PLAIN(void, store, size_t size, void *addr, void *from, int order) {
  uint128 value;
  if (is_wide(size, addr)) {
    memcpy(&value, from, size);
    heddle_plain___atomic_store_16(addr, value, order);
    return;
  }
  plain_lock();
  memcpy(addr, from, size);
  plain_unlock();
}

PLAIN(void, exchange, size_t size, void *addr, void *from, void *to,
      int order) {
  uint128 value;
  if (is_wide(size, addr)) {
    memcpy(&value, from, size);
    value = heddle_plain___atomic_exchange_16(addr, value, order);
    memcpy(to, &value, size);
    return;
  }
  plain_lock();
  for (size_t i = 0; i < size; i++) { /* from and to may be the same */
    char *a = (char *)addr + i, old = *a;
    *a = ((char *)from)[i];
    ((char *)to)[i] = old;
  }
  plain_unlock();
}

PLAIN(bool, compare_exchange, size_t size, void *addr, void *expected,
      void *from, int success, int failure) {
  uint128 wanted, value;
  (void)success;
  (void)failure;
  if (is_wide(size, addr)) {
    memcpy(&wanted, expected, size);
    memcpy(&value, from, size);
    bool done = swap_16(addr, &wanted, value);
    memcpy(expected, &wanted, size);
    return done;
  }
  plain_lock();
  bool equal = memcmp(addr, expected, size) == 0;
  memcpy(equal ? addr : expected, equal ? from : addr, size);
  plain_unlock();
  return equal;
}

PLAIN(bool, is_lock_free, size_t size, const void *addr) {
  (void)addr;
  return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

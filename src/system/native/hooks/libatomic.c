/* The functions of libatomic, which compilers call for atomic operations
 * without an instruction of the processor. */
#include <string.h>

#include "system/native/engine/engine.h"
#include "hooks.h"

typedef unsigned __int128 uint128;

/* The compiler knows these names as builtins with other types, so asm labels
 * give the functions their names. */
#define NAMED(type, function, name, ...) \
  INTERPOSED type function(__VA_ARGS__) __asm__(name)

static uint32_t orders(int success, int failure) {
  return (uint32_t)success | (uint32_t)failure << 8;
}

/* ---- the other pointers --------------------------------------------------
 *
 * What is expected, stored or loaded lies in memory that is not atomic.  An
 * access to it is a step of its own, as if the compiler had emitted it. */

static void read_plain(const void *from, void *to, size_t size, uint64_t pc) {
  plain_announce((void *)(uintptr_t)from, size, false, pc);
  memcpy(to, from, size);
}

static void write_plain(void *to, const void *from, size_t size, uint64_t pc) {
  plain_announce(to, size, true, pc);
  memcpy(to, from, size);
}

/* ---- of 1, 2, 4, 8 and 16 bytes ------------------------------------------ */

#define UPDATE(name, size, type, expression)                              \
  NAMED(type, sized_##name##_##size, "__atomic_" #name "_" #size, type *, \
        type, int);                                                       \
  type sized_##name##_##size(type *addr, type value, int order) {         \
    atomic_announce(addr, sizeof(type), OP_RMW, (uint32_t)order, CALLER); \
    type old = *addr;                                                     \
    *addr = (type)(expression);                                           \
    return old;                                                           \
  }

#define SIZED(size, type)                                                      \
  NAMED(type, sized_load_##size, "__atomic_load_" #size, const type *, int);   \
  type sized_load_##size(const type *addr, int order) {                        \
    atomic_announce((void *)(uintptr_t)addr, sizeof(type), OP_LOAD,            \
                    (uint32_t)order, CALLER);                                  \
    return *(const volatile type *)addr;                                       \
  }                                                                            \
  NAMED(void, sized_store_##size, "__atomic_store_" #size, type *, type, int); \
  void sized_store_##size(type *addr, type value, int order) {                 \
    atomic_announce(addr, sizeof(type), OP_STORE, (uint32_t)order, CALLER);    \
    *(volatile type *)addr = value;                                            \
  }                                                                            \
  UPDATE(exchange, size, type, value)                                          \
  UPDATE(fetch_add, size, type, old + value)                                   \
  UPDATE(fetch_sub, size, type, old - value)                                   \
  UPDATE(fetch_and, size, type, old &value)                                    \
  UPDATE(fetch_or, size, type, old | value)                                    \
  UPDATE(fetch_xor, size, type, old ^ value)                                   \
  UPDATE(fetch_nand, size, type, ~(old & value))                               \
  NAMED(bool, sized_cas_##size, "__atomic_compare_exchange_" #size, type *,    \
        type *, type, int, int);                                               \
  bool sized_cas_##size(type *addr, type *expected, type value, int success,   \
                        int failure) {                                         \
    type wanted, found;                                                        \
    read_plain(expected, &wanted, sizeof(type), CALLER);                       \
    if (atomic_swaps(addr, &wanted, sizeof(type), orders(success, failure),    \
                     CALLER)) {                                                \
      *addr = value;                                                           \
      return true;                                                             \
    }                                                                          \
    found = *addr;                                                             \
    write_plain(expected, &found, sizeof(type), CALLER);                       \
    return false;                                                              \
  }

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
SIZED(16, uint128)

/* ---- of any size --------------------------------------------------------- */

/* Values pass through the stack. */
enum { LARGEST = 1 << 12 };

static void check_size(size_t size) {
  if (size > LARGEST)
    refuse("an atomic operation on %zu bytes is not supported", size);
}

NAMED(void, any_load, "__atomic_load", size_t, void *, void *, int);
void any_load(size_t size, void *addr, void *to, int order) {
  check_size(size);
  char value[size];
  atomic_announce(addr, size, OP_LOAD, (uint32_t)order, CALLER);
  memcpy(value, addr, size);
  write_plain(to, value, size, CALLER);
}

NAMED(void, any_store, "__atomic_store", size_t, void *, void *, int);
void any_store(size_t size, void *addr, void *from, int order) {
  check_size(size);
  char value[size];
  read_plain(from, value, size, CALLER);
  atomic_announce(addr, size, OP_STORE, (uint32_t)order, CALLER);
  memcpy(addr, value, size);
}

NAMED(void, any_exchange, "__atomic_exchange", size_t, void *, void *, void *,
      int);
void any_exchange(size_t size, void *addr, void *from, void *to, int order) {
  check_size(size);
  char new[size], old[size];
  read_plain(from, new, size, CALLER);
  atomic_announce(addr, size, OP_RMW, (uint32_t)order, CALLER);
  memcpy(old, addr, size);
  memcpy(addr, new, size);
  write_plain(to, old, size, CALLER);
}

NAMED(bool, any_cas, "__atomic_compare_exchange", size_t, void *, void *,
      void *, int, int);
bool any_cas(size_t size, void *addr, void *expected, void *from, int success,
             int failure) {
  check_size(size);
  char wanted[size], new[size], found[size];
  read_plain(expected, wanted, size, CALLER);
  read_plain(from, new, size, CALLER);
  if (atomic_swaps(addr, wanted, size, orders(success, failure), CALLER)) {
    memcpy(addr, new, size);
    return true;
  }
  memcpy(found, addr, size);
  write_plain(expected, found, size, CALLER);
  return false;
}

NAMED(bool, any_lock_free, "__atomic_is_lock_free", size_t, const void *);
bool any_lock_free(size_t size, const void *addr) {
  (void)addr;
  return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

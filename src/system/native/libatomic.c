/* The functions of libatomic, which compilers call for atomics that the
 * processor has no instruction for. */
#include <string.h>

#include "engine.h"
#include "heap.h"
#include "hooks.h"

typedef unsigned __int128 uint128;

/* The compiler knows these names as builtins of another form: they get theirs
 * by asm labels. */
#define NAMED(type, function, name, ...) \
  INTERPOSED type function(__VA_ARGS__) __asm__(name)

static uint32_t orders(int success, int failure) {
  return (uint32_t)success | (uint32_t)failure << 8;
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
    type wanted = *expected;                                                   \
    if (atomic_swaps(addr, &wanted, sizeof(type), orders(success, failure),    \
                     CALLER)) {                                                \
      *addr = value;                                                           \
      return true;                                                             \
    }                                                                          \
    undo_note(expected, sizeof(type));                                         \
    *expected = *addr;                                                         \
    return false;                                                              \
  }

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
SIZED(16, uint128)

/* ---- of any size --------------------------------------------------------- */

/* What the other pointers lead to is touched in the same step. */
static void touch(const void *addr, size_t size, bool write, uint64_t pc) {
  if (engine.mode == MODE_EXPLORE && heap_contains(addr))
    heap_check(addr, size, write, pc);
  footprint_add(addr, size, write ? ACCESS_WRITE : 0);
  if (write)
    undo_note((void *)(uintptr_t)addr, size);
}

NAMED(void, any_load, "__atomic_load", size_t, void *, void *, int);
void any_load(size_t size, void *addr, void *to, int order) {
  atomic_announce(addr, size, OP_LOAD, (uint32_t)order, CALLER);
  touch(to, size, true, CALLER);
  memcpy(to, addr, size);
}

NAMED(void, any_store, "__atomic_store", size_t, void *, void *, int);
void any_store(size_t size, void *addr, void *from, int order) {
  atomic_announce(addr, size, OP_STORE, (uint32_t)order, CALLER);
  touch(from, size, false, CALLER);
  memcpy(addr, from, size);
}

NAMED(void, any_exchange, "__atomic_exchange", size_t, void *, void *, void *,
      int);
void any_exchange(size_t size, void *addr, void *from, void *to, int order) {
  atomic_announce(addr, size, OP_RMW, (uint32_t)order, CALLER);
  touch(from, size, false, CALLER);
  touch(to, size, true, CALLER);
  for (size_t i = 0; i < size; i++) { /* from and to may be the same */
    char *a = (char *)addr + i, old = *a;
    *a = ((char *)from)[i];
    ((char *)to)[i] = old;
  }
}

NAMED(bool, any_cas, "__atomic_compare_exchange", size_t, void *, void *,
      void *, int, int);
bool any_cas(size_t size, void *addr, void *expected, void *from, int success,
             int failure) {
  if (atomic_swaps(addr, expected, size, orders(success, failure), CALLER)) {
    touch(from, size, false, CALLER);
    memcpy(addr, from, size);
    return true;
  }
  touch(expected, size, true, CALLER);
  memcpy(expected, addr, size);
  return false;
}

NAMED(bool, any_lock_free, "__atomic_is_lock_free", size_t, const void *);
bool any_lock_free(size_t size, const void *addr) {
  (void)addr;
  return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

/* What the compiler calls: every hook of clang's ThreadSanitizer pass, versions
 * 14 to 19, and the libatomic functions that it leaves for large atomics.
 *
 * Before a plain access the program calls its hook and then does the access
 * itself, in the same step.  An atomic operation is done by its hook.  All are
 * executed as sequentially consistent; the order that the program named is kept
 * for race detection.
 */
#include "engine.h"
#include "heap.h"
#include "libc.h"

#include <string.h>

#define HOOK __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

typedef unsigned __int128 uint128;

/* ---- plain accesses ------------------------------------------------------ */

INLINE void check(const void *addr, size_t size, bool write, uint64_t pc) {
  if (engine.mode == MODE_EXPLORE && heap_contains(addr))
    heap_check(addr, size, write, pc);
}

INLINE void note(void *addr, size_t size) {
  if (__builtin_constant_p(size) && size <= 8)
    undo_note_word(addr, size);
  else
    undo_note(addr, size);
}

/* Nothing to do, except for a thread that a constructor created: it waits for
 * main to begin. */
static __attribute__((noinline)) bool is_unchecked(void) {
  if (engine.mode == MODE_PLAIN)
    plain_visible(NULL);
  return engine.mode == MODE_PLAIN || !self;
}

/* All but the access itself, which the program does. */
INLINE void perform(void *addr, size_t size, bool write, uint64_t pc) {
  if (unlikely(heap_contains(addr)))
    heap_check(addr, size, write, pc);
  if (write)
    note(addr, size);
}

/* A hook needs more or less of the stack, as the access is a step or not.  For
 * a replay to overflow in the same place, what is left must do for both. */
enum { STACK_RESERVE = 16 << 10 };

INLINE void check_stack(uint64_t pc) {
  if (unlikely((char *)__builtin_frame_address(0) <
               self->stack_low + STACK_RESERVE))
    fail(FINDING_CRASH, pc, "stack overflow");
}

/* Modes of plain accesses. */
enum {
  READS = 0,
  WRITES = ACCESS_WRITE | ACCESS_BLIND,
  UPDATES = ACCESS_WRITE
};

INLINE void plain(void *addr, size_t size, uint32_t mode, uint64_t pc) {
  if (unlikely(engine.mode != MODE_EXPLORE) && is_unchecked())
    return;
  check_stack(pc);
  bool write = mode & ACCESS_WRITE;
  if (engine.hiding && !self->atomic_depth &&
      sharing_hides((uintptr_t)addr, (uint32_t)size, write, pc)) {
    engine.pc = pc;
    perform(addr, size, write, pc);
    return;
  }
  struct access access = {(uintptr_t)addr, (uint32_t)size, mode};
  struct operation op = {.op = write ? OP_WRITE : OP_READ,
                         .pc = pc,
                         .accesses = 1,
                         .access = &access};
  announce(&op);
  perform(addr, size, write, pc);
}

#define PLAIN(name, mode, size)      \
  HOOK void name(void *);            \
  HOOK void name(void *addr) {       \
    plain(addr, size, mode, CALLER); \
  }

/* With the option that makes these, clang drops the hook of the read: a lost
 * update would look atomic.  `heddle cc` does not use it. */
#define COMPOUND(name, size) PLAIN(name, UPDATES, size)

#define PLAIN_SIZE(size)                                     \
  PLAIN(__tsan_read##size, READS, size)                      \
  PLAIN(__tsan_write##size, WRITES, size)                    \
  PLAIN(__tsan_volatile_read##size, READS, size)             \
  PLAIN(__tsan_volatile_write##size, WRITES, size)           \
  PLAIN(__tsan_unaligned_read##size, READS, size)            \
  PLAIN(__tsan_unaligned_write##size, WRITES, size)          \
  PLAIN(__tsan_unaligned_volatile_read##size, READS, size)   \
  PLAIN(__tsan_unaligned_volatile_write##size, WRITES, size) \
  COMPOUND(__tsan_read_write##size, size)                    \
  COMPOUND(__tsan_unaligned_read_write##size, size)

PLAIN_SIZE(1)
PLAIN_SIZE(2)
PLAIN_SIZE(4)
PLAIN_SIZE(8)
PLAIN_SIZE(16)
PLAIN(__tsan_vptr_read, READS, 8)

HOOK void __tsan_vptr_update(void *, void *);
HOOK void __tsan_vptr_update(void *addr, void *value) {
  (void)value;
  plain(addr, sizeof(void *), WRITES, CALLER);
}

static void range(void *addr, size_t size, uint32_t mode, uint64_t pc) {
  if (!size)
    return;
  if (size > UINT32_MAX)
    refuse("an access to %zu bytes at once", size);
  plain(addr, size, mode, pc);
}

HOOK void __tsan_read_range(void *, size_t);
HOOK void __tsan_read_range(void *addr, size_t size) {
  range(addr, size, READS, CALLER);
}

HOOK void __tsan_write_range(void *, size_t);
HOOK void __tsan_write_range(void *addr, size_t size) {
  range(addr, size, WRITES, CALLER);
}

HOOK void *__tsan_memcpy(void *, const void *, size_t);
HOOK void *__tsan_memcpy(void *to, const void *from, size_t size) {
  return copy_memory(to, from, size, CALLER);
}

HOOK void *__tsan_memmove(void *, const void *, size_t);
HOOK void *__tsan_memmove(void *to, const void *from, size_t size) {
  return move_memory(to, from, size, CALLER);
}

HOOK void *__tsan_memset(void *, int, size_t);
HOOK void *__tsan_memset(void *to, int value, size_t size) {
  return fill_memory(to, value, size, CALLER);
}

/* ---- what concerns no memory --------------------------------------------- */

HOOK void __tsan_init(void);
HOOK void __tsan_init(void) {}

HOOK void __tsan_func_entry(void *);
HOOK void __tsan_func_entry(void *caller) {
  (void)caller;
}

HOOK void __tsan_func_exit(void);
HOOK void __tsan_func_exit(void) {}

HOOK void __tsan_ignore_thread_begin(void);
HOOK void __tsan_ignore_thread_begin(void) {}

HOOK void __tsan_ignore_thread_end(void);
HOOK void __tsan_ignore_thread_end(void) {}

/* ---- atomics ------------------------------------------------------------- */

INLINE void atomic(void *addr, size_t size, enum op kind, int order,
                   uint64_t pc) {
  bool write = kind != OP_LOAD;
  uint32_t mode = kind == OP_STORE ? WRITES : write ? UPDATES : READS;
  struct access access = {(uintptr_t)addr, (uint32_t)size,
                          ACCESS_ATOMIC | mode};
  struct operation op = {.op = kind,
                         .order = (uint8_t)order,
                         .pc = pc,
                         .accesses = 1,
                         .access = &access};
  announce(&op);
  if (unlikely(engine.mode != MODE_EXPLORE))
    return;
  check(addr, size, write, pc);
  if (write)
    note(addr, size);
}

/* True if it may write: then the old bytes are noted. */
static bool swaps(void *addr, const void *expected, size_t size, int order,
                  uint64_t pc) {
  struct access access = {(uintptr_t)addr, (uint32_t)size,
                          ACCESS_ATOMIC | ACCESS_WRITE};
  struct operation op = {.op = OP_CAS,
                         .flags = STEP_CONDITIONAL,
                         .order = (uint8_t)order,
                         .pc = pc,
                         .accesses = 1,
                         .access = &access,
                         .expected = expected};
  announce(&op);
  check(addr, size, true, pc);
  if (memcmp(addr, expected, size) != 0) {
    footprint_only_read();
    return false;
  }
  undo_note(addr, size);
  return true;
}

#define ATOMIC_RMW(prefix, suffix, type, name, expression)            \
  HOOK type prefix##name##suffix(type *, type, int);                  \
  HOOK type prefix##name##suffix(type *addr, type value, int order) { \
    atomic(addr, sizeof(type), OP_RMW, order, CALLER);                \
    type old = *addr;                                                 \
    *addr = (type)(expression);                                       \
    return old;                                                       \
  }

#define ATOMIC_FAMILY(prefix, suffix, type)                                \
  HOOK type prefix##load##suffix(const type *, int);                       \
  HOOK type prefix##load##suffix(const type *addr, int order) {            \
    atomic((void *)(uintptr_t)addr, sizeof(type), OP_LOAD, order, CALLER); \
    return *(const volatile type *)addr;                                   \
  }                                                                        \
  HOOK void prefix##store##suffix(type *, type, int);                      \
  HOOK void prefix##store##suffix(type *addr, type value, int order) {     \
    atomic(addr, sizeof(type), OP_STORE, order, CALLER);                   \
    *(volatile type *)addr = value;                                        \
  }                                                                        \
  ATOMIC_RMW(prefix, suffix, type, exchange, value)                        \
  ATOMIC_RMW(prefix, suffix, type, fetch_add, old + value)                 \
  ATOMIC_RMW(prefix, suffix, type, fetch_sub, old - value)                 \
  ATOMIC_RMW(prefix, suffix, type, fetch_and, old &value)                  \
  ATOMIC_RMW(prefix, suffix, type, fetch_or, old | value)                  \
  ATOMIC_RMW(prefix, suffix, type, fetch_xor, old ^ value)                 \
  ATOMIC_RMW(prefix, suffix, type, fetch_nand, ~(old & value))

/* `expected` is memory of the program that the compiler's code reads and writes
 * around the call, with hooks of its own if it is shared; here it is a local of
 * the caller as a rule, so that its change is noted but is no event. */
#define ATOMIC_CAS(name, bits, type)                                           \
  HOOK int __tsan_atomic##bits##_compare_exchange_##name(type *, type *, type, \
                                                         int, int);            \
  HOOK int __tsan_atomic##bits##_compare_exchange_##name(                      \
      type *addr, type *expected, type value, int order, int failure) {        \
    (void)failure;                                                             \
    type wanted = *expected;                                                   \
    if (swaps(addr, &wanted, sizeof(type), order, CALLER)) {                   \
      *addr = value;                                                           \
      return 1;                                                                \
    }                                                                          \
    undo_note(expected, sizeof(type));                                         \
    *expected = *addr;                                                         \
    return 0;                                                                  \
  }

#define ATOMIC(bits, type)                                                 \
  ATOMIC_FAMILY(__tsan_atomic##bits##_, , type)                            \
  ATOMIC_CAS(strong, bits, type)                                           \
  ATOMIC_CAS(weak, bits, type)                                             \
  HOOK type __tsan_atomic##bits##_compare_exchange_val(type *, type, type, \
                                                       int, int);          \
  HOOK type __tsan_atomic##bits##_compare_exchange_val(                    \
      type *addr, type expected, type value, int order, int failure) {     \
    (void)failure;                                                         \
    if (!swaps(addr, &expected, sizeof(type), order, CALLER))              \
      return *addr;                                                        \
    *addr = value;                                                         \
    return expected;                                                       \
  }

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, uint128)

HOOK void __tsan_atomic_thread_fence(int);
HOOK void __tsan_atomic_thread_fence(int order) {
  struct operation op = {.op = OP_FENCE, .order = (uint8_t)order, .pc = CALLER};
  announce(&op);
}

HOOK void __tsan_atomic_signal_fence(int);
HOOK void __tsan_atomic_signal_fence(int order) {
  (void)order;
}

/* ---- libatomic ----------------------------------------------------------- */

/* The compiler knows these names as builtins of another form: they get theirs
 * by asm labels. */
#define NAMED(type, function, name, ...) \
  INTERPOSED type function(__VA_ARGS__) __asm__(name)

#define LIBATOMIC(size, type)                                                  \
  NAMED(type, sized_load_##size, "__atomic_load_" #size, const type *, int);   \
  NAMED(void, sized_store_##size, "__atomic_store_" #size, type *, type, int); \
  LIBATOMIC_NAME(exchange, size, type)                                         \
  LIBATOMIC_NAME(fetch_add, size, type)                                        \
  LIBATOMIC_NAME(fetch_sub, size, type)                                        \
  LIBATOMIC_NAME(fetch_and, size, type)                                        \
  LIBATOMIC_NAME(fetch_or, size, type)                                         \
  LIBATOMIC_NAME(fetch_xor, size, type)                                        \
  LIBATOMIC_NAME(fetch_nand, size, type)                                       \
  ATOMIC_FAMILY(sized_, _##size, type)                                         \
  NAMED(bool, sized_cas_##size, "__atomic_compare_exchange_" #size, type *,    \
        type *, type, int, int);                                               \
  bool sized_cas_##size(type *addr, type *expected, type value, int order,     \
                        int failure) {                                         \
    (void)failure;                                                             \
    type wanted = *expected;                                                   \
    if (swaps(addr, &wanted, sizeof(type), order, CALLER)) {                   \
      *addr = value;                                                           \
      return true;                                                             \
    }                                                                          \
    undo_note(expected, sizeof(type));                                         \
    *expected = *addr;                                                         \
    return false;                                                              \
  }

#define LIBATOMIC_NAME(name, size, type)                                  \
  NAMED(type, sized_##name##_##size, "__atomic_" #name "_" #size, type *, \
        type, int);

LIBATOMIC(1, uint8_t)
LIBATOMIC(2, uint16_t)
LIBATOMIC(4, uint32_t)
LIBATOMIC(8, uint64_t)
LIBATOMIC(16, uint128)

/* Of any size.  What the other pointers lead to is touched in the same step. */

static void touch(const void *addr, size_t size, bool write, uint64_t pc) {
  check(addr, size, write, pc);
  footprint_add(addr, size, write ? ACCESS_WRITE : 0);
  if (write)
    undo_note((void *)(uintptr_t)addr, size);
}

NAMED(void, any_load, "__atomic_load", size_t, void *, void *, int);
void any_load(size_t size, void *addr, void *to, int order) {
  atomic(addr, size, OP_LOAD, order, CALLER);
  touch(to, size, true, CALLER);
  memcpy(to, addr, size);
}

NAMED(void, any_store, "__atomic_store", size_t, void *, void *, int);
void any_store(size_t size, void *addr, void *from, int order) {
  atomic(addr, size, OP_STORE, order, CALLER);
  touch(from, size, false, CALLER);
  memcpy(addr, from, size);
}

NAMED(void, any_exchange, "__atomic_exchange", size_t, void *, void *, void *,
      int);
void any_exchange(size_t size, void *addr, void *from, void *to, int order) {
  atomic(addr, size, OP_RMW, order, CALLER);
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
bool any_cas(size_t size, void *addr, void *expected, void *from, int order,
             int failure) {
  (void)failure;
  if (swaps(addr, expected, size, order, CALLER)) {
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

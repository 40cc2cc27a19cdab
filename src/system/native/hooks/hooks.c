/* What instrumented code calls: the hooks of core/hooks.def.
 *
 * Before an access the program calls its hook and then does the access itself,
 * in the same step: loads, stores, and atomic operations of every kind.  All
 * are executed as sequentially consistent; the order that the program named is
 * kept for race detection.
 */
#include "hooks.h"

#include <string.h>

#include "core/hook.h"
#include "system/native/engine/engine.h"
#include "system/native/engine/leftover.h"
#include "system/native/engine/own.h"
#include "system/native/engine/retry.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/libc/heap.h"
#include "system/native/libc/libc.h"
#include "system/native/base/real.h"

#define HOOK __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

/* Instrumented objects refer to it. */
HOOK const char heddle_hooks_8 = 0;

/* ---- plain accesses ------------------------------------------------------ */

/* Fails if the memory has been freed or its variable has ended.  What lies
 * below the frame of this hook was the frame of a function that has returned.
 */
INLINE void check_life(const void *addr, size_t size, bool write, uint64_t pc) {
  if (unlikely(heap_contains(addr)))
    heap_check(addr, size, write, pc);
  else if (unlikely(in_stacks((uintptr_t)addr)) &&
           (!on_stack_of(self, (uintptr_t)addr) ||
            (const char *)addr < (char *)__builtin_frame_address(0)))
    ends_check((uintptr_t)addr, size, write, __builtin_frame_address(0), pc);
}

INLINE void check(const void *addr, size_t size, bool write, uint64_t pc) {
  if (engine.mode == MODE_EXPLORE)
    check_life(addr, size, write, pc);
}

/* Each usual size has a case of its own, which compiles to one move. */
INLINE void note(void *addr, size_t size) {
  switch (size) {
  case 1:
    undo_note_word(addr, 1);
    break;
  case 2:
    undo_note_word(addr, 2);
    break;
  case 4:
    undo_note_word(addr, 4);
    break;
  case 8:
    undo_note_word(addr, 8);
    break;
  default:
    undo_note(addr, size);
  }
}

/* Nothing to do, except for a thread that a constructor created: it waits for
 * main to begin. */
static __attribute__((noinline)) bool is_unchecked(void) {
  return engine.mode == MODE_PLAIN || !self;
}

/* Checks the access and notes old bytes; the program does the access itself. */
INLINE void perform(void *addr, size_t size, bool write, uint64_t pc) {
  check_life(addr, size, write, pc);
  if (write)
    note(addr, size);
}

/* A hook needs more stack if its access is a step than if it is hidden.  A
 * replay must overflow at the same access, so this much must always be left:
 * enough for both. */
enum { STACK_RESERVE = 16 << 10 };

INLINE void check_stack(uint64_t pc) {
  if (unlikely((char *)__builtin_frame_address(0) <
               self->stack_low + STACK_RESERVE))
    stack_overflow(self, pc);
}

/* Modes of accesses. */
enum {
  READS = 0,
  WRITES = ACCESS_WRITE | ACCESS_BLIND,
  UPDATES = ACCESS_WRITE
};

INLINE void plain(void *addr, size_t size, uint32_t mode, uint64_t pc,
                  hook_site site) {
  if (unlikely(engine.mode != MODE_EXPLORE) && is_unchecked())
    return;
  check_stack(pc);
  bool write = mode & ACCESS_WRITE;
  if (unlikely(size - 1 >= UINT32_MAX)) {
    if (!size)
      return;
    refuse("an access to %zu bytes at once is not supported", size);
  }
  if (engine.hiding && !self->atomic_depth &&
      sharing_hides((uintptr_t)addr, (uint32_t)size, write, pc)) {
    engine.pc = pc;
    perform(addr, size, write, pc);
    return;
  }
  struct access access = {(uintptr_t)addr, (uint32_t)size, mode};
  struct operation op = {.op = write ? OP_WRITE : OP_READ,
                         .pc = pc,
                         .site = site,
                         .accesses = 1,
                         .access = &access};
  if (likely(!engine.joining) || !retry_link(&op))
    announce(&op);
  perform(addr, size, write, pc);
}

void plain_announce(void *addr, size_t size, bool write, uint64_t pc) {
  plain(addr, size, write ? WRITES : READS, pc, NULL);
}

HOOK void heddle_hook_read(void *, size_t, hook_site);
HOOK void heddle_hook_read(void *addr, size_t size, hook_site site) {
  plain(addr, size, READS, CALLER, site);
}

HOOK void heddle_hook_write(void *, size_t, hook_site);
HOOK void heddle_hook_write(void *addr, size_t size, hook_site site) {
  plain(addr, size, WRITES, CALLER, site);
}

/* Of variables of the running thread that only it can know. */
HOOK void heddle_hook_own_read(void *, size_t);
HOOK void heddle_hook_own_read(void *addr, size_t size) {
  if (unlikely(engine.mode != MODE_EXPLORE))
    return;
  engine.used_own = true;
  leftover_touch((uintptr_t)addr, size, false, self->user);
}

HOOK void heddle_hook_own_write(void *, size_t);
HOOK void heddle_hook_own_write(void *addr, size_t size) {
  if (unlikely(engine.mode != MODE_EXPLORE))
    return;
  engine.used_own = true;
  own_changes(self, addr, size);
  leftover_touch((uintptr_t)addr, size, true, self->user);
}

/* Before an access that may lie outside its variable. */
HOOK void heddle_hook_bounds(char *, size_t, char *, size_t, hook_site);
HOOK void heddle_hook_bounds(char *object, size_t whole, char *addr,
                             size_t size, hook_site site) {
  (void)site;
  size_t at = (size_t)(addr - object);
  if (likely(at <= whole && size <= whole - at))
    return;
  if (unlikely(engine.mode != MODE_EXPLORE) && is_unchecked())
    return;
  if (addr < object)
    fail(FINDING_MEMORY, CALLER,
         "out of bounds: accesses %zu bytes, %zu bytes before a variable of "
         "%zu bytes",
         size, (size_t)(object - addr), whole);
  fail(FINDING_MEMORY, CALLER,
       "out of bounds: accesses %zu bytes, %zu bytes into a variable of %zu "
       "bytes",
       size, at, whole);
}

/* ---- atomics ------------------------------------------------------------- */

/* Does the old value not matter?  It does for a store weaker than release:
 * where the thread has released before, the store continues that release
 * sequence, unless another thread's store came in between.  Whether that
 * release was to another place is not found out. */
INLINE bool is_blind(enum op kind, uint32_t order) {
  return kind == OP_STORE &&
         (order >= __ATOMIC_RELEASE || !self || !self->has_released);
}

INLINE void note_release(uint32_t order) {
  if (order >= __ATOMIC_RELEASE && unlikely(!self->has_released))
    SET(self->has_released, 1);
}

INLINE bool joins(enum op kind, const struct operation *op) {
  return kind == OP_RMW ? retry_join(op) : kind == OP_STORE && retry_link(op);
}

/* A load of main, which is alone.  Loops that may wait are found by their
 * steps. */
INLINE bool hides_load(const struct access *a, uint32_t order, uint64_t pc) {
  if (likely(!main_is_alone) || self->id || self->atomic_depth || step_extras ||
      engine.finest || (order & (HOOK_IDLE | HOOK_CARRIED)) ||
      !sharing_hides(a->addr, a->size, false, pc))
    return false;
  engine.pc = pc;
  return true;
}

/* One atomic operation; the access says all but its memory order. */
INLINE void atomic_access(const struct access *access, enum op kind,
                          uint32_t order, enum adds adds, uint64_t pc,
                          hook_site site) {
  void *addr = (void *)(uintptr_t)access->addr;
  bool write = access->mode & ACCESS_WRITE;
  struct operation op = {.op = kind,
                         .order = (uint8_t)order,
                         .carried = (order & HOOK_CARRIED) != 0,
                         .adds = (uint8_t)adds,
                         .pc = pc,
                         .site = site,
                         .accesses = 1,
                         .access = access};
  if (kind == OP_LOAD && (order & HOOK_IDLE))
    op.idle = __builtin_frame_address(0);
  if ((likely(!engine.joining) || !joins(kind, &op)) &&
      (kind != OP_LOAD || !hides_load(access, order, pc)))
    announce(&op);
  if (unlikely(engine.mode != MODE_EXPLORE))
    return;
  check(addr, access->size, write, pc);
  if (write) {
    note(addr, access->size);
    note_release(order);
  }
}

INLINE void atomic(void *addr, size_t size, enum op kind, uint32_t order,
                   uint64_t pc, hook_site site) {
  bool write = kind != OP_LOAD;
  uint32_t mode = is_blind(kind, order) ? WRITES : write ? UPDATES : READS;
  struct access access = {(uintptr_t)addr, (uint32_t)size,
                          ACCESS_ATOMIC | mode};
  atomic_access(&access, kind, order, order & HOOK_ADDS ? ADDS_USED : ADDS_NOT,
                pc, site);
}

void atomic_announce(void *addr, size_t size, enum op kind, uint32_t order,
                     uint64_t pc) {
  atomic(addr, size, kind, order, pc, NULL);
}

INLINE bool swaps(void *addr, const void *expected, size_t size,
                  uint32_t orders, uint64_t pc, hook_site site) {
  struct access access = {(uintptr_t)addr, (uint32_t)size,
                          ACCESS_ATOMIC | ACCESS_WRITE};
  struct operation op = {.op = OP_CAS,
                         .flags = STEP_CONDITIONAL,
                         .order = (uint8_t)orders,
                         .carried = (orders & HOOK_CARRIED) != 0,
                         .pc = pc,
                         .site = site,
                         .accesses = 1,
                         .access = &access,
                         .expected = expected};
  if (likely(!engine.joining) || !retry_join(&op))
    announce(&op);
  check(addr, size, true, pc);
  if (memcmp(addr, expected, size) != 0) {
    footprint_only_read();
    step_has_order((uint8_t)(orders >> 8));
    if (unlikely(engine.unordered) && op.carried)
      blind_swap_failed(&access);
    return false;
  }
  undo_note(addr, size);
  if (likely(engine.mode == MODE_EXPLORE))
    note_release((uint8_t)orders);
  return true;
}

bool atomic_swaps(void *addr, const void *expected, size_t size,
                  uint32_t orders, uint64_t pc) {
  return swaps(addr, expected, size, orders, pc, NULL);
}

#define ATOMIC(name, kind)                                              \
  HOOK void heddle_hook_##name(void *, size_t, uint32_t, hook_site);    \
  HOOK void heddle_hook_##name(void *addr, size_t size, uint32_t order, \
                               hook_site site) {                        \
    atomic(addr, size, kind, order, CALLER, site);                      \
  }

ATOMIC(load, OP_LOAD)
ATOMIC(store, OP_STORE)
ATOMIC(update, OP_RMW)

HOOK void heddle_hook_update_unused(void *, size_t, uint32_t, uint64_t,
                                    hook_site);
HOOK void heddle_hook_update_unused(void *addr, size_t size, uint32_t order,
                                    uint64_t kind, hook_site site) {
  struct access access = {(uintptr_t)addr, (uint32_t)size,
                          ACCESS_ATOMIC | UPDATES};
  access.mode |= update_kind(&access, (uint32_t)kind);
  atomic_access(&access, OP_RMW, order,
                kind == ACCESS_ADDS ? ADDS_UNUSED : ADDS_NOT, CALLER, site);
}

HOOK void heddle_hook_swap(void *, size_t, uint32_t, uint64_t, uint64_t,
                           hook_site);
HOOK void heddle_hook_swap(void *addr, size_t size, uint32_t orders,
                           uint64_t low, uint64_t high, hook_site site) {
  uint64_t expected[] = {low, high};
  swaps(addr, expected, size, orders, CALLER, site);
}

HOOK void heddle_hook_fence(uint32_t, hook_site);
HOOK void heddle_hook_fence(uint32_t order, hook_site site) {
  struct operation op = {
      .op = OP_FENCE, .order = (uint8_t)order, .pc = CALLER, .site = site};
  announce(&op);
}

/* Code that prints long doubles loads the word that there is on Linux. */
HOOK void heddle_hook_control_word(const void *);
HOOK void heddle_hook_control_word(const void *from) {
  uint16_t wanted, now = 0;
  heddle_real_memcpy(&wanted, from, sizeof wanted);
#ifdef __x86_64__
  __asm__("fnstcw %0" : "=m"(now));
#endif
  if (engine.mode == MODE_EXPLORE && now != wanted)
    refuse("the control word of the x87 is changed (fldcw): all threads share "
           "one");
}

/* ---- many bytes ---------------------------------------------------------- */

HOOK void heddle_hook_copy(void *, const void *, size_t, hook_site);
HOOK void heddle_hook_copy(void *to, const void *from, size_t size,
                           hook_site site) {
  if (engine.mode == MODE_PLAIN)
    heddle_real_memmove(to, from, size);
  else
    copy_memory(to, from, size, CALLER, site);
}

HOOK void heddle_hook_move(void *, const void *, size_t, hook_site);
HOOK void heddle_hook_move(void *to, const void *from, size_t size,
                           hook_site site) {
  if (engine.mode == MODE_PLAIN)
    heddle_real_memmove(to, from, size);
  else
    move_memory(to, from, size, CALLER, site);
}

HOOK void heddle_hook_fill(void *, uint64_t, size_t, hook_site);
HOOK void heddle_hook_fill(void *to, uint64_t byte, size_t size,
                           hook_site site) {
  if (engine.mode == MODE_PLAIN)
    heddle_real_memset(to, (int)(byte & 0xff), size);
  else
    fill_memory(to, (int)(byte & 0xff), size, CALLER, site);
}

/* Each element is a relaxed atomic load and store.  Backwards if the two
 * overlap such that an element would be overwritten before it is read. */
HOOK void heddle_hook_copy_elements(char *, char *, size_t, size_t, hook_site);
HOOK void heddle_hook_copy_elements(char *to, char *from, size_t size,
                                    size_t element, hook_site site) {
  char value[16];
  bool backwards = to > from && to < from + size;
  for (size_t i = 0; i < size; i += element) {
    size_t at = backwards ? size - element - i : i;
    atomic(from + at, element, OP_LOAD, __ATOMIC_RELAXED, CALLER, NULL);
    memcpy(value, from + at, element);
    atomic(to + at, element, OP_STORE, __ATOMIC_RELAXED, CALLER, site);
    memcpy(to + at, value, element);
  }
}

HOOK void heddle_hook_fill_elements(char *, uint64_t, size_t, size_t,
                                    hook_site);
HOOK void heddle_hook_fill_elements(char *to, uint64_t byte, size_t size,
                                    size_t element, hook_site site) {
  for (size_t i = 0; i < size; i += element) {
    atomic(to + i, element, OP_STORE, __ATOMIC_RELAXED, CALLER, site);
    memset(to + i, (int)(byte & 0xff), element);
  }
}

/* ---- lanes --------------------------------------------------------------- */

enum { MOST_LANES = 64 };

/* One step that touches each lane of a vector. */
static void lanes(void **addr, size_t count, size_t size, uint32_t mode,
                  uint64_t pc, hook_site site) {
  struct access access[MOST_LANES];
  struct operation op = {.op = mode & ACCESS_WRITE ? OP_SET : OP_SCAN,
                         .pc = pc,
                         .site = site,
                         .access = access};
  if (count > MOST_LANES)
    refuse("a vector of %zu lanes; up to %d are supported", count, MOST_LANES);
  for (size_t i = 0; i < count; i++)
    if (addr[i])
      access[op.accesses++] =
          (struct access){(uintptr_t)addr[i], (uint32_t)size, mode};
  if (!op.accesses)
    return;
  visible(&op);
  for (size_t i = 0; i < count && engine.mode == MODE_EXPLORE; i++)
    if (addr[i])
      perform(addr[i], size, mode & ACCESS_WRITE, pc);
}

HOOK void heddle_hook_read_lanes(void **, size_t, size_t, hook_site);
HOOK void heddle_hook_read_lanes(void **addr, size_t count, size_t size,
                                 hook_site site) {
  lanes(addr, count, size, READS, CALLER, site);
}

HOOK void heddle_hook_write_lanes(void **, size_t, size_t, hook_site);
HOOK void heddle_hook_write_lanes(void **addr, size_t count, size_t size,
                                  hook_site site) {
  lanes(addr, count, size, UPDATES, CALLER, site);
}

/* ---- calls --------------------------------------------------------------- */

/* keep: the function that is called next gives a result that is not used. */
static bool unused_next;

HOOK void heddle_hook_unused(void);
HOOK void heddle_hook_unused(void) {
  if (engine.mode == MODE_EXPLORE) /* elsewhere threads are real */
    unused_next = true;
}

bool result_is_unused(void) {
  bool unused = unused_next;
  if (unused)
    unused_next = false;
  return unused;
}

/* ---- local memory -------------------------------------------------------- */

HOOK void heddle_hook_local_copy(void *, const void *, size_t);
HOOK void heddle_hook_local_copy(void *to, const void *from, size_t size) {
  heddle_real_memmove(to, from, size);
}

HOOK void heddle_hook_local_fill(void *, uint64_t, size_t);
HOOK void heddle_hook_local_fill(void *to, uint64_t byte, size_t size) {
  heddle_real_memset(to, (int)(byte & 0xff), size);
}

/* syscall(): system calls by their numbers.  Those that the runtime models
 * under another name are forwarded; others are refused. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "futex.h"
#include "system/native/libc/libc.h"
#include "system/native/pthread/sync.h"

/* Its arguments are all read, whatever their number. */
long syscall_by_number(long, long, long, long, long, long,
                       long) __asm__("syscall");

/* The runtime's functions, under the names that scripts/interpose gives them:
 * the program may define functions of the usual names.  Arguments go the same
 * way whatever their types. */
#define SYSCALL(call, function, type) \
  type heddle_checked_##function(long, long, long, long, long, long);
#define OLD_SYSCALL SYSCALL
#include "forwarded.def"
SYSCALL(, sched_getaffinity, int)
#undef SYSCALL

#define SYSCALL(call, function, type)                                          \
  static long forward_##call(long a, long b, long c, long d, long e, long f) { \
    return (long)heddle_checked_##function(a, b, c, d, e, f);                  \
  }
#ifndef __x86_64__
#undef OLD_SYSCALL
#define OLD_SYSCALL(call, function, type)
#endif
#include "forwarded.def"
#undef SYSCALL

static const struct {
  long number;
  long (*call)(long, long, long, long, long, long);
} forwarded[] = {
#define SYSCALL(call, function, type) {SYS_##call, forward_##call},
#include "forwarded.def"
#undef SYSCALL
};

static const struct {
  long number;
  const char *name;
} names[] = {
#define NAME(call) {SYS_##call, #call},
#include "syscall_names.h"
};

static const char *name_of(long number) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].number == number)
      return names[i].name;
  return "an unknown call";
}

/* All threads see all memory in one order: there is nothing to do but what a
 * fence does to data races. */
static long membarrier(long command, uint64_t pc) {
  struct operation op = {.op = OP_FENCE, .order = __ATOMIC_SEQ_CST, .pc = pc};
  if (command == MEMBARRIER_CMD_QUERY)
    return MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_PRIVATE_EXPEDITED |
           MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
  visible(&op);
  return 0;
}

/* The kernel's call says how many bytes it has written. */
static long get_affinity(long whose, long size, long to) {
  int code = heddle_checked_sched_getaffinity(whose, size, to, 0, 0, 0);
  return code ? code : size < 128 ? size : 128;
}

static long forward(long number, const long a[6], uint64_t pc) {
  switch (number) {
  case SYS_futex:
    return futex_call(a, pc);
  case SYS_membarrier:
    return membarrier(a[0], pc);
  case SYS_sched_getaffinity:
    return get_affinity(a[0], a[1], a[2]);
  }
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
    if (forwarded[i].number == number)
      return forwarded[i].call(a[0], a[1], a[2], a[3], a[4], a[5]);
  refuse("syscall(%ld), which is %s, is not supported: call the C library's "
         "function instead",
         number, name_of(number));
}

/* What is forwarded is shown at the place of this call. */
INTERPOSED long syscall_by_number(long number, long a, long b, long c, long d,
                                  long e, long f) {
  struct thread *me = current();
  uint64_t outer = me->forwarded;
  SET(me->forwarded, CALLER);
  long result = forward(number, (const long[]){a, b, c, d, e, f}, CALLER);
  SET(me->forwarded, outer);
  return result;
}

/* setjmp and longjmp, within a thread.
 *
 * An environment holds registers, so setjmp itself is written in assembly
 * (jump_*.S).  What it writes is memory of the program, like any other: a jump
 * buffer may be a global variable.  The C library's own functions would store
 * pointers that are scrambled by a random number, different in each run.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <signal.h>

#include "libc.h"
#include "system/native/engine/engine.h"
#include "system/native/engine/interrupt.h"
#include "system/native/pthread/sync.h"

#ifdef __x86_64__
enum { WORDS = 8, STACK_POINTER = 6 };
#else
enum { WORDS = 21, STACK_POINTER = 12 };
#endif

_Static_assert(sizeof(uint64_t) * WORDS <= sizeof(__jmp_buf),
               "the environment fits");

void environment_begin(struct __jmp_buf_tag *, int with_mask, uint64_t pc);
_Noreturn void environment_resume(const void *environment, int result);

/* A buffer of pthread_cleanup_push has no room for a mask. */
void environment_begin(struct __jmp_buf_tag *to, int with_mask, uint64_t pc) {
  size_t size = offsetof(struct __jmp_buf_tag, __saved_mask);
  plain_announce(to, with_mask ? size + sizeof(sigset_t) : size, true, pc);
  to->__mask_was_saved = with_mask != 0;
  if (with_mask)
    to->__saved_mask = signal_mask();
}

/* `caller`: the lowest frame of the program. */
static void check_place(const char *stack, const char *caller, uint64_t pc) {
  const struct thread *owner = coroutine_of((uintptr_t)stack);
  if (owner && owner != self)
    fail(FINDING_MISUSE, pc, "longjmp to a place of T%u", owner->id);
  if (!owner)
    fail(FINDING_MISUSE, pc, "longjmp with a buffer that setjmp did not fill");
  if (stack < caller)
    fail(FINDING_MISUSE, pc, "longjmp to a function that has returned");
}

void jump_back(const void *environment, int result) {
  environment_resume(environment, result);
}

/* Variables of the frames that are left end. */
static _Noreturn void jump(struct __jmp_buf_tag *from, int result,
                           const char *caller, uint64_t pc) {
  uint64_t environment[WORDS];
  size_t size = offsetof(struct __jmp_buf_tag, __saved_mask);
  if (!self)
    refuse("longjmp before main");
  if (self->atomic_depth)
    refuse("longjmp inside an atomic block");
  plain_announce(from, size, false, pc);
  heddle_real_memcpy(environment, from->__jmpbuf, sizeof environment);
  const char *stack = (const char *)(uintptr_t)environment[STACK_POINTER];
  check_place(stack, caller, pc);
  if (from->__mask_was_saved) {
    plain_announce(&from->__saved_mask, sizeof(sigset_t), false, pc);
    signal_mask_put(&from->__saved_mask, pc);
  }
  if (self->interruption)
    interrupt_leave(stack);
  ends_frames_below(__builtin_frame_address(0), stack, pc);
  environment_resume(environment, result ? result : 1);
}

/* Above the wrapper's own frame: what it keeps, and the return address. */
#define CALLERS_FRAME ((char *)__builtin_frame_address(0) + 2 * sizeof(void *))

INTERPOSED void longjmp(jmp_buf from, int result) {
  jump(from, result, CALLERS_FRAME, CALLER);
}

INTERPOSED void _longjmp(jmp_buf from, int result) {
  jump(from, result, CALLERS_FRAME, CALLER);
}

INTERPOSED void siglongjmp(sigjmp_buf from, int result) {
  jump(from, result, CALLERS_FRAME, CALLER);
}

_Noreturn void __longjmp_chk(jmp_buf, int);
INTERPOSED void __longjmp_chk(jmp_buf from, int result) {
  jump(from, result, CALLERS_FRAME, CALLER);
}

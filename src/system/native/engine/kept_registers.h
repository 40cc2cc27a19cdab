/* Registers that callees keep.
 *
 * A thread that waits has them in its state.  In a function of the runtime one
 * of them may hold what the function needs no more, such as a place in the undo
 * log, and keep equal states apart (tests/states/buffer.c).  Cleared before the
 * wait, they hold nothing; what is needed behind it is on the stack.
 */
#ifndef ENGINE_KEPT_REGISTERS_H
#define ENGINE_KEPT_REGISTERS_H

static inline __attribute__((always_inline)) void kept_registers_clear(void) {
#if defined __x86_64__
  __asm__ volatile("xorl %%ebx, %%ebx; xorl %%r12d, %%r12d;"
                   "xorl %%r13d, %%r13d; xorl %%r14d, %%r14d;"
                   "xorl %%r15d, %%r15d" ::
                       : "rbx", "r12", "r13", "r14", "r15", "cc");
#elif defined __aarch64__
  __asm__ volatile("mov x19, 0; mov x20, 0; mov x21, 0; mov x22, 0;"
                   "mov x23, 0; mov x24, 0; mov x25, 0; mov x26, 0;"
                   "mov x27, 0; mov x28, 0" ::
                       : "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
                         "x27", "x28");
#endif
}

#endif

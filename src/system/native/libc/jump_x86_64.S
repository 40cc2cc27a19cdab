/* setjmp and the way back, x86-64.
 *
 * The environment is the first eight words of a jmp_buf: the registers that a
 * callee must keep, the stack pointer of the caller and the place to go on at.
 * environment_begin() announces that they are written.
 */

	.text

	.macro	entry name
	.weak	\name
	.type	\name, @function
\name:
	.endm

	entry	setjmp /* BSD's: with the signal mask */
	movl	$1, %esi
	jmp	save
	entry	_setjmp
	xorl	%esi, %esi
	jmp	save

	entry	__sigsetjmp
save:
	.cfi_startproc
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	movq	8(%rsp), %rdx
	callq	environment_begin
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	movq	(%rsp), %rdx
	leaq	8(%rsp), %rcx
	movq	%rbx, 0(%rdi)
	movq	%rbp, 8(%rdi)
	movq	%r12, 16(%rdi)
	movq	%r13, 24(%rdi)
	movq	%r14, 32(%rdi)
	movq	%r15, 40(%rdi)
	movq	%rcx, 48(%rdi)
	movq	%rdx, 56(%rdi)
	xorl	%eax, %eax
	retq
	.cfi_endproc
	.size	setjmp, . - setjmp
	.size	_setjmp, . - _setjmp
	.size	__sigsetjmp, . - __sigsetjmp

/* void environment_resume(const void *environment, int result) */
	.globl	environment_resume
	.hidden	environment_resume
	.type	environment_resume, @function
environment_resume:
	.cfi_startproc
	movl	%esi, %eax
	movq	0(%rdi), %rbx
	movq	8(%rdi), %rbp
	movq	16(%rdi), %r12
	movq	24(%rdi), %r13
	movq	32(%rdi), %r14
	movq	40(%rdi), %r15
	movq	56(%rdi), %rdx
	movq	48(%rdi), %rsp
	jmpq	*%rdx
	.cfi_endproc
	.size	environment_resume, . - environment_resume

	.hidden	environment_begin
	.section .note.GNU-stack,"",@progbits

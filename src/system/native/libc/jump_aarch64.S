/* setjmp and the way back, AArch64.
 *
 * The environment is the first 21 words of a jmp_buf: the registers that a
 * callee must keep, the place to go on at, and the stack pointer of the caller
 * as the 13th word.  environment_begin() announces that they are written.
 */

	.text

	.macro	entry name
	.weak	\name
	.type	\name, %function
\name:
	.endm

	entry	setjmp /* BSD's: with the signal mask */
	mov	w1, #1
	b	save
	entry	_setjmp
	mov	w1, #0
	b	save

	entry	__sigsetjmp
save:
	.cfi_startproc
	stp	x0, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x30, 8
	mov	x2, x30
	bl	environment_begin
	ldp	x0, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x30
	stp	x19, x20, [x0, #0]
	stp	x21, x22, [x0, #16]
	stp	x23, x24, [x0, #32]
	stp	x25, x26, [x0, #48]
	stp	x27, x28, [x0, #64]
	stp	x29, x30, [x0, #80]
	mov	x2, sp
	str	x2, [x0, #96]
	stp	d8, d9, [x0, #104]
	stp	d10, d11, [x0, #120]
	stp	d12, d13, [x0, #136]
	stp	d14, d15, [x0, #152]
	mov	w0, #0
	ret
	.cfi_endproc
	.size	setjmp, . - setjmp
	.size	_setjmp, . - _setjmp
	.size	__sigsetjmp, . - __sigsetjmp

/* void environment_resume(const void *environment, int result) */
	.globl	environment_resume
	.hidden	environment_resume
	.type	environment_resume, %function
environment_resume:
	.cfi_startproc
	ldp	x19, x20, [x0, #0]
	ldp	x21, x22, [x0, #16]
	ldp	x23, x24, [x0, #32]
	ldp	x25, x26, [x0, #48]
	ldp	x27, x28, [x0, #64]
	ldp	x29, x30, [x0, #80]
	ldr	x2, [x0, #96]
	ldp	d8, d9, [x0, #104]
	ldp	d10, d11, [x0, #120]
	ldp	d12, d13, [x0, #136]
	ldp	d14, d15, [x0, #152]
	mov	sp, x2
	mov	w0, w1
	ret
	.cfi_endproc
	.size	environment_resume, . - environment_resume

	.hidden	environment_begin
	.section .note.GNU-stack,"",%progbits

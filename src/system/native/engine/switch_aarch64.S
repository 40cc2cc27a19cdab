/* Switching between coroutines, AArch64 procedure call standard.
 *
 * A paused coroutine is its stack pointer: on top of its stack lie x19 to x30
 * and the lower halves of v8 to v15.  As on x86-64 the last jump is not the
 * return instruction, whose prediction would come from calls made on another
 * stack.
 */

	.text

/* void heddle_switch(void **save_sp, void *load_sp) */
	.globl	heddle_switch
	.hidden	heddle_switch
	.type	heddle_switch, %function
	.p2align 5
heddle_switch:
	.cfi_startproc
	sub	sp, sp, #160
	stp	x19, x20, [sp, #0]
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	x29, x30, [sp, #80]
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	mov	x9, sp
	str	x9, [x0]
	mov	sp, x1
	ldp	x19, x20, [sp, #0]
	ldp	x21, x22, [sp, #16]
	ldp	x23, x24, [sp, #32]
	ldp	x25, x26, [sp, #48]
	ldp	x27, x28, [sp, #64]
	ldp	x29, x16, [sp, #80]
	ldp	d8, d9, [sp, #96]
	ldp	d10, d11, [sp, #112]
	ldp	d12, d13, [sp, #128]
	ldp	d14, d15, [sp, #144]
	add	sp, sp, #160
	mov	x30, x16
	br	x16
	.cfi_endproc
	.size	heddle_switch, .-heddle_switch

/* Where a new coroutine begins: calls its entry, which never returns.  A
 * debugger's list of callers ends here. */
	.type	begin, %function
begin:
	.cfi_startproc
	.cfi_undefined x30
	mov	x0, x19
	blr	x20
	brk	#1
	.cfi_endproc
	.size	begin, .-begin

/* void *heddle_prepare(char *stack_base, void (*entry)(void *), void *argument)
 * The stack pointer of a coroutine that will call entry(argument). */
	.globl	heddle_prepare
	.hidden	heddle_prepare
	.type	heddle_prepare, %function
heddle_prepare:
	.cfi_startproc
	sub	x9, x0, #176
	mov	x10, #0
1:	str	xzr, [x9, x10]
	add	x10, x10, #8
	cmp	x10, #176
	b.ne	1b
	stp	x2, x1, [x9, #0]
	adr	x10, begin
	str	x10, [x9, #88]
	mov	x0, x9
	ret
	.cfi_endproc
	.size	heddle_prepare, .-heddle_prepare

/* void heddle_clear_registers(void)
 * Clears all registers that a callee need not keep. */
	.globl	heddle_clear_registers
	.hidden	heddle_clear_registers
	.type	heddle_clear_registers, %function
heddle_clear_registers:
	.cfi_startproc
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
	mov	x\n, #0
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
	movi	v\n\().2d, #0
	.endr
	.irp	n, 24, 25, 26, 27, 28, 29, 30, 31
	movi	v\n\().2d, #0
	.endr
	ret
	.cfi_endproc
	.size	heddle_clear_registers, .-heddle_clear_registers

/* void heddle_clear(void)
 * Clears x19 to x28 and so many bytes below the caller's frame.  Only the code
 * of dead.c, which knows that, calls it. */
	.set	CLEARED, 512
	.globl	heddle_clear
	.type	heddle_clear, %function
	.p2align 5
heddle_clear:
	.cfi_startproc
	.irp	n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
	mov	x\n, #0
	.endr
	mov	x16, sp
	.rept	CLEARED / 16
	stp	xzr, xzr, [x16, #-16]!
	.endr
	ret
	.cfi_endproc
	.size	heddle_clear, .-heddle_clear

	.section .note.GNU-stack,"",%progbits

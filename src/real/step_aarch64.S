/* void heddle_real_step(void): called before instructions that touch memory.
 *
 * The caller is any code between any two instructions and has saved x29 and
 * x30; every other register and the flags stay as they are.
 * heddle_real_pause uses no vector registers. */
	.text
	.globl heddle_real_step
	.type heddle_real_step, %function
heddle_real_step:
	stp x0, x1, [sp, -16]!
	mrs x0, tpidr_el0
	add x0, x0, :tprel_hi12:heddle_real_countdown
	add x0, x0, :tprel_lo12_nc:heddle_real_countdown
	ldr x1, [x0]
	sub x1, x1, 1
	str x1, [x0]
	cbz x1, 1f
	ldp x0, x1, [sp], 16
	ret
1:	mrs x0, nzcv
	stp x0, x30, [sp, -16]!
	stp x2, x3, [sp, -16]!
	stp x4, x5, [sp, -16]!
	stp x6, x7, [sp, -16]!
	stp x8, x9, [sp, -16]!
	stp x10, x11, [sp, -16]!
	stp x12, x13, [sp, -16]!
	stp x14, x15, [sp, -16]!
	stp x16, x17, [sp, -16]!
	bl heddle_real_pause
	ldp x16, x17, [sp], 16
	ldp x14, x15, [sp], 16
	ldp x12, x13, [sp], 16
	ldp x10, x11, [sp], 16
	ldp x8, x9, [sp], 16
	ldp x6, x7, [sp], 16
	ldp x4, x5, [sp], 16
	ldp x2, x3, [sp], 16
	ldp x0, x30, [sp], 16
	msr nzcv, x0
	ldp x0, x1, [sp], 16
	ret
	.size heddle_real_step, . - heddle_real_step
	.section .note.GNU-stack, "", %progbits

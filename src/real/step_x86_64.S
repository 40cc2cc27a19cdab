/* void heddle_real_step(void): called before instructions that touch memory.
 *
 * The caller is any code between any two instructions, so every register and
 * the flags stay as they are.  Counting down without the flags is what lea and
 * jrcxz are for.  heddle_real_pause uses no vector registers. */
	.text
	.globl heddle_real_step
	.type heddle_real_step, @function
heddle_real_step:
	pushq %rcx
	movq %fs:heddle_real_countdown@tpoff, %rcx
	leaq -1(%rcx), %rcx
	movq %rcx, %fs:heddle_real_countdown@tpoff
	jrcxz 1f
	popq %rcx
	ret
1:	pushfq
	pushq %rax
	pushq %rdx
	pushq %rsi
	pushq %rdi
	pushq %r8
	pushq %r9
	pushq %r10
	pushq %r11
	pushq %rbp
	movq %rsp, %rbp
	andq $-16, %rsp
	cld
	call heddle_real_pause
	movq %rbp, %rsp
	popq %rbp
	popq %r11
	popq %r10
	popq %r9
	popq %r8
	popq %rdi
	popq %rsi
	popq %rdx
	popq %rax
	popfq
	popq %rcx
	ret
	.size heddle_real_step, . - heddle_real_step
	.section .note.GNU-stack, "", @progbits

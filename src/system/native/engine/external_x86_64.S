/* heddle_external: r11 points at a struct external; every other register and
 * the stack are as the caller of the unknown function left them. */

        .text
        .globl  heddle_external
        .type   heddle_external, @function
        .p2align 4
heddle_external:
        .cfi_startproc
        endbr64
        cmpq    $0, 8(%r11)             /* known from an earlier call? */
        je      1f
        jmpq    *8(%r11)

1:      pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $192, %rsp              /* keeps the stack 16-byte aligned */
        movq    %rdi, 0(%rsp)           /* arguments, */
        movq    %rsi, 8(%rsp)
        movq    %rdx, 16(%rsp)
        movq    %rcx, 24(%rsp)
        movq    %r8, 32(%rsp)
        movq    %r9, 40(%rsp)
        movq    %rax, 48(%rsp)          /* how many of them are vectors, */
        movq    %r10, 56(%rsp)          /* and the static chain */
        movups  %xmm0, 64(%rsp)
        movups  %xmm1, 80(%rsp)
        movups  %xmm2, 96(%rsp)
        movups  %xmm3, 112(%rsp)
        movups  %xmm4, 128(%rsp)
        movups  %xmm5, 144(%rsp)
        movups  %xmm6, 160(%rsp)
        movups  %xmm7, 176(%rsp)
        movq    %r11, %rdi
        call    external_call
        movq    %rax, %r11
        movq    0(%rsp), %rdi
        movq    8(%rsp), %rsi
        movq    16(%rsp), %rdx
        movq    24(%rsp), %rcx
        movq    32(%rsp), %r8
        movq    40(%rsp), %r9
        movq    48(%rsp), %rax
        movq    56(%rsp), %r10
        movups  64(%rsp), %xmm0
        movups  80(%rsp), %xmm1
        movups  96(%rsp), %xmm2
        movups  112(%rsp), %xmm3
        movups  128(%rsp), %xmm4
        movups  144(%rsp), %xmm5
        movups  160(%rsp), %xmm6
        movups  176(%rsp), %xmm7
        leave
        .cfi_def_cfa %rsp, 8
        jmpq    *%r11
        .cfi_endproc
        .size   heddle_external, . - heddle_external

        .hidden external_call
        .section .note.GNU-stack, "", @progbits

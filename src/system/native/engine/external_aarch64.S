/* heddle_external: x16 points at a struct external; every other register and
 * the stack are as the caller of the unknown function left them. */

        .text
        .globl  heddle_external
        .type   heddle_external, %function
        .p2align 4
heddle_external:
        .cfi_startproc
        hint    #34                     /* bti c */
        ldr     x17, [x16, #8]          /* known from an earlier call? */
        cbz     x17, 1f
        br      x17

1:      stp     x29, x30, [sp, #-224]!
        .cfi_def_cfa_offset 224
        .cfi_offset x29, -224
        .cfi_offset x30, -216
        mov     x29, sp
        stp     x0, x1, [sp, #16]       /* arguments */
        stp     x2, x3, [sp, #32]
        stp     x4, x5, [sp, #48]
        stp     x6, x7, [sp, #64]
        stp     x8, x18, [sp, #80]      /* where a struct result goes */
        stp     q0, q1, [sp, #96]
        stp     q2, q3, [sp, #128]
        stp     q4, q5, [sp, #160]
        stp     q6, q7, [sp, #192]
        mov     x0, x16
        bl      external_call
        mov     x17, x0
        ldp     x0, x1, [sp, #16]
        ldp     x2, x3, [sp, #32]
        ldp     x4, x5, [sp, #48]
        ldp     x6, x7, [sp, #64]
        ldp     x8, x18, [sp, #80]
        ldp     q0, q1, [sp, #96]
        ldp     q2, q3, [sp, #128]
        ldp     q4, q5, [sp, #160]
        ldp     q6, q7, [sp, #192]
        ldp     x29, x30, [sp], #224
        .cfi_restore x29
        .cfi_restore x30
        .cfi_def_cfa_offset 0
        br      x17
        .cfi_endproc
        .size   heddle_external, . - heddle_external

        .hidden external_call
        .section .note.GNU-stack, "", %progbits

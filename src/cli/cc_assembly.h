/* Inline assembly that touches memory, and accesses without a hook. */
#ifndef CLI_CC_ASSEMBLY_H
#define CLI_CC_ASSEMBLY_H

/* The section in which an object names such places, for the runtime. */
#define CC_ASSEMBLY_SECTION "heddle_asm"

/* Looks through a file of LLVM's text and adds what it finds to that section.
 * Returns 0, or an exit code with a message printed. */
int cc_assembly_note(const char *path);

#endif

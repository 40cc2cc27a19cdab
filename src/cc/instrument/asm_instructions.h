/* The instructions that are understood, and how they use their operands. */
#ifndef CC_INSTRUMENT_ASM_INSTRUCTIONS_H
#define CC_INSTRUMENT_ASM_INSTRUCTIONS_H

#include "cc/instrument/asm_text.h"

/* The destination is the last operand; all others are read. */
enum asm_use {
  ASM_READS = 1 << 0,    /* the destination is read */
  ASM_WRITES = 1 << 1,   /* the destination is written */
  ASM_TRADES = 1 << 2,   /* the others are written, too */
  ASM_NAMES = 1 << 3,    /* memory is only named, not touched: lea, prefetch */
  ASM_SWAPS = 1 << 4,    /* compare-and-swap */
  ASM_BITS = 1 << 5,     /* the first operand numbers a bit of the last */
  ASM_KEEPS = 1 << 6,    /* if the first operand is 0, the value stays */
  ASM_LOCKABLE = 1 << 7, /* a lock prefix is allowed */
  ASM_LOCKS = 1 << 8,    /* locked if the operand is memory, also without */
  ASM_FENCE = 1 << 9,    /* orders all accesses */
  ASM_BARRIER = 1 << 10, /* of AArch64: the operand tells what it orders */
  ASM_PUSHES = 1 << 11,  /* onto the stack */
  ASM_POPS = 1 << 12,    /* off the stack */
  ASM_REP = 1 << 13,     /* "rep" in front of it makes another such one */
  ASM_SUFFIX = 1 << 14,  /* may have a suffix b, w, l or q (AT&T) */
  ASM_MIXED = 1 << 15,   /* operands differ in size */
  ASM_VECTOR = 1 << 16,  /* as many bytes as the vector register has */
  ASM_ADDS = 1 << 17,    /* two such commute ... */
  ASM_ANDS = 1 << 18,
  ASM_ORS = 1 << 19,
  ASM_XORS = 1 << 20,
  ASM_CONTROL = 1 << 21, /* loads the control word of the x87 */
};

struct asm_instruction {
  char name[ASM_NAME];
  unsigned fewest, most; /* operands */
  unsigned size;         /* bytes of the memory operand; 0: not told */
  unsigned use;          /* of enum asm_use */
  unsigned registers;    /* written besides: a bit for each */
};

/* The instruction of a line, with the size that its suffix tells.  An empty
 * name: not understood. */
struct asm_instruction asm_instruction_of(const struct asm_line *, bool intel);

#endif

/* LLVM's constraints of inline assembly: where each operand lies, and which
 * argument of the call it is. */
#ifndef CC_INSTRUMENT_ASM_CONSTRAINTS_H
#define CC_INSTRUMENT_ASM_CONSTRAINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cc/instrument/asm_effect.h"
#include "cc/instrument/asm_text.h"

#define ASM_SLOTS 40

/* One operand: $0, $1, ... */
struct asm_slot {
  bool output;
  bool indirect; /* the argument points to the operand */
  bool early;    /* an output that shares no register with an input */
  int argument;  /* -1: none, as of direct outputs and labels */
  unsigned size; /* bytes; 0: unusual */
  /* A place that may be written: a general register, or ASM_GENERAL and the
   * number of the operand whose register it is (an input may be tied to an
   * output).  -1: neither, as of vectors and flags. */
  int place;
  struct span letters; /* "ir"; empty if the register is named */
};

struct asm_slots {
  unsigned count;
  struct asm_slot at[ASM_SLOTS];
  unsigned clobbered; /* a bit for each general register */
  bool memory;        /* clobbered */
};

/* False: not understood. */
bool asm_slots_parse(struct asm_slots *, const struct asm_statement *);

/* Is it a general register, or else what one of these letters allows? */
bool asm_slot_is_register_or(const struct asm_slot *, const char *letters);
bool asm_slot_is_immediate(const struct asm_slot *);
/* Does an indirect operand lie in memory for certain? */
bool asm_slot_is_memory(const struct asm_slot *);
/* May it be printed as the memory that its value points to? */
bool asm_slot_is_address(const struct asm_slot *);

#endif

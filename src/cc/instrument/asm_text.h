/* The text of inline assembly: instructions and their operands. */
#ifndef CC_INSTRUMENT_ASM_TEXT_H
#define CC_INSTRUMENT_ASM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of a longer text. */
struct span {
  const char *at;
  size_t length;
};

bool span_is(struct span, const char *word);
/* Removes blanks at both ends. */
struct span span_trim(struct span);

/* ---- registers ---------------------------------------------------------- */

#define ASM_GENERAL 16 /* general registers, numbered as the processor does */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

struct asm_register {
  int number;    /* below ASM_GENERAL; ASM_GENERAL: a vector; -1: no register */
  unsigned size; /* bytes */
};

/* In any case: "rax", "AL", "r8d", "xmm1". */
struct asm_register asm_register_named(struct span name);

/* ---- instructions ------------------------------------------------------- */

enum asm_form {
  ASM_UNKNOWN,     /* symbols, index registers, segments, ... */
  ASM_IMMEDIATE,   /* $$1 */
  ASM_REGISTER,    /* %rax */
  ASM_OPERAND,     /* $0, ${0:b} */
  ASM_AT_REGISTER, /* memory: 8(%rdi) */
  ASM_AT_OPERAND,  /* memory: 8($0) */
};

struct asm_operand {
  enum asm_form form;
  struct span text;
  unsigned number; /* of the register, or of LLVM's operand */
  char modifier;   /* of LLVM's operand: 'b' in ${0:b}; 0: none */
  unsigned size;   /* of the register, or as in "dword ptr [$0]"; 0: not told */
  long offset;     /* of memory */
  bool zero;       /* an immediate 0 */
};

#define ASM_OPERANDS 4
#define ASM_NAME 16 /* no known mnemonic is as long */

struct asm_line {
  bool lock; /* prefixes, also such that stand in lines of their own */
  bool rep;
  struct span mnemonic;
  char
      name[ASM_NAME]; /* the mnemonic in lower case; empty: too long, or none */
  unsigned count;     /* of operands; more than ASM_OPERANDS: too many */
  struct asm_operand operand[ASM_OPERANDS]; /* the destination comes last */
};

/* A copy of the text without comments and without the alternatives of the other
 * dialect.  To be freed. */
char *asm_clean_text(const char *text, bool intel);

/* Takes the next instruction off the front of a clean text.  False: there is
 * none.  A prefix without an instruction is a mnemonic without a name. */
bool asm_next_line(const char **text, bool intel, struct asm_line *);

#endif

/* What an inline-assembly statement does to memory, by its text alone: x86-64
 * in both dialects, and the barriers of AArch64.  A hook stands before the
 * statement and announces these accesses; the statement itself runs natively
 * in that step.  Hence the addresses must be known before the statement begins,
 * and whatever is not understood for certain is not understood. */
#ifndef CC_INSTRUMENT_ASM_EFFECT_H
#define CC_INSTRUMENT_ASM_EFFECT_H

#include <stdbool.h>

/* Updates of which two commute, if what they leave behind besides the memory
 * (flags, results) is not used. */
enum asm_update {
  ASM_OTHER_UPDATE,
  ASM_ADDITION, /* or subtraction */
  ASM_AND,
  ASM_OR,
  ASM_XOR,
};

enum asm_kind {
  ASM_LOAD,
  ASM_STORE,
  ASM_UPDATE, /* read-modify-write */
  ASM_SWAP,   /* compare-and-swap */
};

/* One access to memory.  Arguments are those of LLVM's call, from 0. */
struct asm_access {
  enum asm_kind kind;
  unsigned argument; /* a pointer to the memory */
  long offset;       /* bytes after what it points to: 8($1) */
  unsigned size;     /* bytes, never 0 */
  /* No access of another processor comes in between, if the memory is aligned:
   * a lock prefix, an exchange, or a load or store of at most 8 bytes.  An
   * update without it is a load and a store. */
  bool locked;
  /* Of a swap: the arguments that are compared with the memory's lower and
   * upper half (the latter of double-width swaps only), of which the lowest
   * bytes count.  -1: not an argument; whether the swap succeeds is then
   * unknown. */
  int expected[2];
  /* The argument that numbers the bit of bt, bts, btr and btc, or -1.  Such
   * instructions reach beyond their operand: they touch the `size` bytes that
   * are size * floor(bit / (8 * size)) bytes further on.  The bit is the
   * argument's lowest `size` bytes as a signed integer. */
  int bit;
  /* A load, and the text uses the argument for such loads only: instead of the
   * memory it may be given a copy. */
  bool copyable;
  enum asm_update update; /* if only its effect on the memory is of use */
};

#define ASM_ACCESSES 8

struct asm_effect {
  bool understood;
  char why[48];     /* not understood: the first such instruction or operand */
  bool fence;       /* orders all accesses: mfence, lock, xchg with memory */
  unsigned control; /* 1 + the access that loads a control word, or 0 */
  bool declared; /* the constraints tell of memory: an operand or the clobber */
  unsigned count;
  struct asm_access access[ASM_ACCESSES]; /* in the order of the text */
};

/* A call of inline assembly, as clang emits it. */
struct asm_statement {
  const char *text;        /* with $0, ${0:b}, $$1, $(att$|intel$) */
  const char *constraints; /* "=r,*m,0,~{memory}" */
  bool intel;              /* the dialect */
  unsigned result_count;
  const unsigned *result_size; /* bytes of each result; 0: unusual */
  unsigned argument_count;
  /* Bytes of each argument; where the constraint is indirect ('*'), of the type
   * that it points to. */
  const unsigned *argument_size;
};

struct asm_effect asm_effect_of(const struct asm_statement *);

#endif

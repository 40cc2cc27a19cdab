/* Calls of heddle_real_step in a compiler's assembly output. */
#ifndef FUZZ_REAL_INSERT_H
#define FUZZ_REAL_INSERT_H

#include <stdbool.h>

/* Copies the assembly file `from` to `to` with a call before each instruction
 * that touches memory or calls a function; false with errno set if a file
 * cannot be read or written. */
bool insert_steps(const char *from, const char *to);

/* The rest is each processor's: the compiler options that make a call possible
 * between any two instructions (ends with NULL), the call, and whether one
 * belongs before this instruction. */
extern const char *const insert_options[];
extern const char insert_call[];
bool insert_before(const char *instruction);

#endif

/* Making a C program that shows something wrong smaller. */
#ifndef FUZZ_C_C_SHRINK_H
#define FUZZ_C_C_SHRINK_H

#include "fuzz/c/c_program.h"

typedef VEC(struct c_program) c_program_list;

/* The first of these programs that still shows it, or their number. */
typedef size_t (*c_shrink_test)(void *context, const c_program_list *);

/* All programs that are one step smaller are offered together, since building
 * them in one file is cheap. */
void c_shrink(struct c_program *, c_shrink_test, void *context);

#endif

/* A program as C with threads: the same behaviour for the native system.
 *
 * Every process is a thread, every statement one operation of pthreads or
 * stdatomic.h.  Main creates the processes that are there at once, waits for
 * all, and prints the outcome in the words of the model's output().  What is
 * added to the program's own operations touches nothing that two threads can
 * reach in either order, so there are as many traces as before.
 */
#ifndef FUZZ_MODEL_EMIT_H
#define FUZZ_MODEL_EMIT_H

#include "system/model/program.h"
#include "util/text.h"

/* keep */
struct emitted {
  struct text text;
  VEC(uint32_t) statement; /* by line, from 1 on: its statement, or NIL */
};

/* The program must be compiled. */
void program_emit(const struct program *, struct emitted *);
/* emit_head.c: what comes before the variables. */
extern const char emit_head[];
/* emit_calls.c: the function for an access to a variable that is not data, and
 * for an operation on an object, perhaps with a "!" before it. */
const char *emit_access(const struct statement *);
const char *emit_call(const struct statement *, bool rwlock);
/* What wraps around or can trap is a macro of the emitted program, else
 * NULL. */
const char *emit_macro(enum expression_kind);

void emitted_free(struct emitted *);

#endif

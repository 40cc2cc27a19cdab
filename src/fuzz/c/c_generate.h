/* Random C programs. */
#ifndef FUZZ_C_C_GENERATE_H
#define FUZZ_C_C_GENERATE_H

#include "fuzz/c/c_program.h"

/* Is this piece, place, guard or kind of thread wanted?  NULL: all are. */
struct c_taste {
  bool (*wanted)(void *context, const char *name);
  void *context;
};

/* The same seed, index and taste give the same program, byte for byte. */
void c_generate(struct c_program *, uint64_t seed, uint64_t index,
                const struct c_taste *);

#endif

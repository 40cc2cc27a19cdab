/* Building random C programs, many in a file, and running them: explored by
 * heddle, or on real threads. */
#ifndef CLI_FUZZ_C_RUN_H
#define CLI_FUZZ_C_RUN_H

#include "cli/words.h"
#include "fuzz/c_program.h"
#include "fuzz/c_verdict.h"

/* The compilers for real threads. */
enum c_builder { GCC_O0, GCC_O2, CLANG_O0, CLANG_O2, C_BUILDERS };

/* Programs in one file, built in a folder. */
struct c_run {
  const char *folder;
  const struct c_program *programs;
  unsigned count;
  struct words allowed; /* functions that heddle would refuse */
  bool *refused;        /* programs that have such a function */
  enum c_builder builder;
  bool has_real; /* is built with `builder` */
};

/* False: there is no folder, or heddle cc fails. */
bool c_run_open(struct c_run *, const struct c_program *, unsigned count);
void c_run_close(struct c_run *);

/* Builds for real threads, if any program may be compared with them. */
void c_run_build_real(struct c_run *, enum c_builder);
/* Can this program be compared with real threads? */
bool c_run_is_real(const struct c_run *, unsigned number);

enum c_ran { RAN, RAN_REFUSED, RAN_WITHOUT_RESULT };

/* Explores.  The options end with NULL. */
enum c_ran c_run_check(struct c_run *, unsigned number,
                       const char *const options[], struct c_verdict *);

/* Demands of each of `times` real runs that the verdict allows it. */
bool c_run_real(const struct c_run *, unsigned number, unsigned times,
                uint32_t seed, const struct c_verdict *, struct c_complaint *);

#endif

/* Building random C programs, many in a file, and running them: explored by
 * heddle, or on real threads. */
#ifndef FUZZ_C_C_RUN_H
#define FUZZ_C_C_RUN_H

#include "core/wire.h"
#include "fuzz/c/c_program.h"
#include "fuzz/c/c_verdict.h"
#include "fuzz/real/claims.h"

/* The compilers for real threads. */
enum c_builder { GCC_O0, GCC_O2, CLANG_O0, CLANG_O2, C_BUILDERS };
extern const char *const c_builders[C_BUILDERS]; /* commands */

/* Programs in one file, built in a folder. */
struct c_run {
  const char *folder;
  char *binary;
  char *cleared; /* the same, built for algorithms that store states */
  const struct c_program *programs;
  unsigned count;
  char allowed[sizeof((struct control *)0)->externals]; /* refused functions */
  size_t allowed_length;
  bool *refused; /* programs that have such a function */
  enum c_builder builder;
  char *real; /* binary of `builder`; NULL: there is none */
};

/* False: there is no folder, or heddle cc fails. */
bool c_run_open(struct c_run *, const struct c_program *, unsigned count);
void c_run_close(struct c_run *);

/* Builds for real threads. */
void c_run_build_real(struct c_run *, enum c_builder);
/* Can this program be compared with real threads? */
bool c_run_is_real(const struct c_run *, unsigned number);

/* How to explore: an algorithm, and options of `heddle check`. */
struct c_way {
  const char *algorithm;
  struct {
    const char *name, *value; /* NULL: none */
  } options[2];
  bool silent;  /* outcomes are not asked for */
  bool cleared; /* the program is built as for `stateful` */
};

enum c_ran { RAN, RAN_REFUSED, RAN_WITHOUT_RESULT };

/* Explores as `heddle check --keep-going --outcomes` would. */
enum c_ran c_run_check(struct c_run *, unsigned number, const struct c_way *,
                       struct c_verdict *);

/* The same by `optimal` and by the command itself, with its report.  False: it
 * has none. */
bool c_run_report(const struct c_run *, unsigned number, struct claims *);

/* Demands of each of `times` real runs that the verdict allows it. */
bool c_run_real(const struct c_run *, unsigned number, unsigned times,
                uint64_t seed, const struct c_verdict *, struct c_complaint *);

#endif

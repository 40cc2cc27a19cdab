/* Programs on the real machine: built by an ordinary compiler, run on real
 * threads with random delays, and what then happens.  See src/real. */
#ifndef FUZZ_REAL_REAL_THREADS_H
#define FUZZ_REAL_REAL_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/process.h"
#include "host/word_list.h"
#include "real/record.h"
#include "util/vec.h"

/* All runs that ended in the same manner. */
struct real_result {
  enum real_end end;
  unsigned code;  /* status or signal */
  bool asserted;  /* an assertion failed */
  char *output;   /* printed by a run that ended by exit, otherwise "" */
  uint64_t count; /* runs */
  uint64_t alone; /* of these, on one processor */
};

struct real_set {
  VEC(struct real_result) results; /* in the order in which they came first */
  uint64_t runs;
  uint64_t assumed; /* runs that did not count: an assumption failed */
  bool blocks;      /* some had atomic blocks, which are only a mutex here */
};

struct real_plan {
  unsigned runs;
  uint64_t seed;
  unsigned patience; /* ms after which a run may be said to hang */
  unsigned hangs;    /* enough after so many */
  unsigned seconds;  /* and after so long */
  bool alone;        /* all threads on one processor, in every run */
};

/* A program and how to build it. */
struct real_build {
  struct word_list compiler;    /* a command and options */
  struct word_list program;     /* files, and options for the compiler */
  const char *folder;           /* for files on the way, which stay there */
  enum process_output messages; /* what becomes of the compiler's */
};

/* The result is 0 or the compiler's exit code. */
int real_build(const struct real_build *, const char *binary);

/* Runs a binary of real_build with these arguments, which end with NULL, and
 * adds what happened to the set.  False: it could not be run. */
bool real_run(const char *binary, char *const arguments[], const char *folder,
              const struct real_plan *, struct real_set *);

/* Did runs end in the same manner? */
bool real_same(const struct real_result *, const struct real_result *);

void real_set_free(struct real_set *);

#endif

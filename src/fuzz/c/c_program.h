/* A random C program: shared objects, threads, and the statements that they
 * run.  Thread 0 is the owner of all objects: it makes them, starts the other
 * threads, and prints what all of them saw. */
#ifndef FUZZ_C_C_PROGRAM_H
#define FUZZ_C_C_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "fuzz/c/template.h"

#define C_THREADS 4 /* at most */

struct c_object {
  const char *piece, *place, *guard; /* names; guard NULL: none */
  char *declarations;
  char *opening;
  char *closing;
  char *address; /* what threads get as argument; NULL: nothing */
  char *pointer; /* the declaration for this argument; NULL: nothing */
  bool removed;
};

enum c_thread_kind {
  THREAD_JOINED,
  THREAD_EXITS,    /* by pthread_exit */
  THREAD_C11,      /* thrd_create */
  THREAD_DETACHED, /* a semaphore tells that it is done */
  THREAD_KINDS,
};

struct c_thread {
  enum c_thread_kind kind;
  unsigned creator;
  unsigned joiner; /* the creator, or a later thread of this creator */
  bool removed;
};

struct c_statement {
  unsigned thread;
  unsigned object;
  unsigned point; /* after so many creations and joins of its thread */
  char *text;
  bool removed;
};

struct c_program {
  uint64_t seed, index;
  bool racy;       /* has plain accesses without a guard */
  bool real;       /* what real threads do must be among heddle's outcomes */
  bool sequential; /* ... but only those that share a processor */
  bool clang;      /* gcc does not know all of it */
  bool spins;      /* has a loop that waits */
  bool awaits;     /* ... for ever, if others do not let it go on */
  bool signals;    /* threads are interrupted or cancelled */
  bool owner_is_thread; /* main only starts it */
  VEC(struct c_object) objects;
  VEC(struct c_thread) threads;
  VEC(struct c_statement) statements;
};

void c_program_copy(struct c_program *to, const struct c_program *from);
void c_program_free(struct c_program *);

/* As functions whose names begin with pNUMBER_. */
void c_program_print(const struct c_program *, unsigned number, struct text *);

/* A file of programs, chosen by the first argument when it is run. */
void c_file_print(const struct c_program *, unsigned count, struct text *);

/* How every file begins and ends: the macros that the pieces use, and main. */
extern const char c_prelude[], c_main[];

#endif

/* For programs that are checked with heddle.
 *
 * A program can be checked without this header: heddle understands threads,
 * mutexes and atomics as they are.  These functions say what C cannot: that a
 * piece of code is atomic, that a case does not matter, that there is a choice.
 *
 * A program that includes this header also builds with an ordinary compiler
 * (__HEDDLE__ is not defined then).  Its atomic blocks are no longer atomic,
 * choices are always 0, and an assumption that does not hold ends the program
 * quietly, with exit code 0.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdbool.h>

/* The most alternatives of one choice. */
#define HEDDLE_CHOICES 65536

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __HEDDLE__

/* The code between begin and end is one step: no other thread runs in between.
 * Blocks may be nested; the outermost counts.  A block must not wait (a mutex
 * locked in it must be free), and no thread may end inside one. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

/* Only executions in which `holds` is true are of interest.  If it is false,
 * the thread stops here.  The execution then counts neither as an outcome nor
 * as a deadlock; an error found before stays an error. */
void heddle_assume(bool holds);

/* One of 0, 1, ..., n-1: heddle tries all of them.  n is at least 1 and at most
 * HEDDLE_CHOICES.  Not allowed in an atomic block: choose before it begins. */
unsigned heddle_choose(unsigned n);

/* The program is wrong if it calls this, as if an assertion had failed. */
__attribute__((noreturn)) void heddle_fail(const char *text);

#else /* an ordinary compiler */

#include <stdio.h>
#include <stdlib.h>

static inline void heddle_atomic_begin(void) {}

static inline void heddle_atomic_end(void) {}

static inline void heddle_assume(bool holds) {
  if (!holds)
    exit(0);
}

static inline unsigned heddle_choose(unsigned n) {
  (void)n;
  return 0;
}

__attribute__((noreturn)) static inline void heddle_fail(const char *text) {
  fprintf(stderr, "%s\n", text);
  abort();
}

#endif

#ifdef __cplusplus
}
#endif

#endif

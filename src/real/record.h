/* What `heddle judge` and the library in a judged program share.
 *
 * The plan comes in an environment variable.  The results go to a file: for
 * each run a record, then the output of the run. */
#ifndef REAL_RECORD_H
#define REAL_RECORD_H

#include <stdint.h>

#define REAL_ENV "HEDDLE_REAL"

/* Runs, seed, patience, hangs, seconds, alone; then the path of the file. */
#define REAL_PLAN_FORMAT "%u %llu %u %u %u %u "

enum real_end {
  REAL_EXIT,   /* by exit or a return from main; `code` is the status */
  REAL_SIGNAL, /* by the signal `code` */
  REAL_HANG,   /* not at all; it was killed */
};

enum {
  REAL_ASSERTED = 1, /* an assertion failed */
  REAL_ASSUMED = 2,  /* an assumption did not hold: the run does not count */
  REAL_BLOCKS = 4,   /* there were atomic blocks; here they are a mutex */
  REAL_ALONE = 8,    /* all threads shared one processor */
};

struct real_record {
  uint32_t end; /* enum real_end */
  uint32_t code;
  uint32_t marks; /* REAL_ASSERTED and so on */
  uint32_t length;
};

#endif

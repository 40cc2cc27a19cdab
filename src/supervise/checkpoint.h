/* The file from which `heddle resume` goes on with a search.
 *
 *     heddle checkpoint 1
 *     directory /home/me/bank
 *     binary 0123456789abcdef     checksum of the built program
 *     executions 381312           so far
 *     words 38                    so many bytes: the words of the command line,
 *     ...                         with a zero byte behind each
 *     state 91822                 so many bytes: what the exploring process
 *     ...                         wrote (session/native_checkpoint.h)
 *     end 0123456789abcdef        checksum of all before
 */
#ifndef SUPERVISE_CHECKPOINT_H
#define SUPERVISE_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/text.h"
#include "util/vec.h"

struct checkpoint {
  char *directory;
  uint64_t binary;
  uint64_t executions;
  VEC(char *) words; /* `check` and what follows it, ends with NULL */
  struct text state;
};

/* Where checkpoints go, and how often. */
struct checkpoint_plan {
  const char *path;
  double seconds;         /* between two of them */
  struct checkpoint head; /* all but what changes */
  /* If not NULL, instead: for a part of a search. */
  void (*take)(void *context, const struct text *state);
  void *context;
};

/* Replaces the file: it is the old one or the new one, whatever happens.  False
 * after a message. */
bool checkpoint_write(const char *path, const struct checkpoint *);

/* False after a message. */
bool checkpoint_read(const char *path, struct checkpoint *);

void checkpoint_free(struct checkpoint *);

#endif

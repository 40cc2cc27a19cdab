/* A result that is kept depends on more than its key says: on the files that
 * were read while it was made, and on those that were looked for in vain.  The
 * manifest lists them.  It is found by the key; the result itself lies under a
 * digest of the key and of the state of these files.
 *
 * So a result is found only if its files are as they were, and two states of
 * the same files have two results.
 */
#ifndef CC_DRIVER_MANIFEST_H
#define CC_DRIVER_MANIFEST_H

#include <stdbool.h>
#include <time.h>

#include "host/digest.h"
#include "host/word_list.h"

struct manifest {
  struct word_list contents; /* files whose contents matter */
  struct word_list identity; /* files and folders that must not have changed */
  struct word_list absent;   /* paths at which there must be nothing */
};

/* The time from which on files must not change: before anything is read. */
struct timespec manifest_start(void);

/* The key of the result; false if nothing can be kept under `key` now. */
bool manifest_find(const struct digest *key, struct digest *result);

/* Keeps the manifest.  False if a file is missing or was changed since then:
 * the result may be that of its old or its new contents. */
bool manifest_keep(const struct digest *key, const struct manifest *,
                   struct timespec start, struct digest *result);

#endif

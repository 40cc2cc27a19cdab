/* A search that is under way, as the exploring process writes it down and reads
 * it (session/native_checkpoint.h): what the system has learnt, then entries in
 * the order in which one process would explore them: items that are left to do,
 * and results.  The command puts entries together without looking into them.
 */
#ifndef SUPERVISE_SEARCH_STATE_H
#define SUPERVISE_SEARCH_STATE_H

#include <stdbool.h>

#include "core/wire.h"
#include "util/text.h"
#include "util/vec.h"

struct search_entry {
  uint32_t kind;       /* enum wire_entry */
  uint32_t worker;     /* that has this item; 0: none */
  bool is_unit;        /* it is to be handed out as it is */
  uint64_t executions; /* of a result */
  struct text bytes;
};

struct search_state {
  struct text learnt;
  VEC(struct search_entry) entries;
};

/* False: it is damaged. */
bool search_state_read(struct search_state *, const char *, size_t);

/* Those of the entries from `first` to `end` that are of this kind, or all for
 * ENTRY_KINDS. */
void search_state_write(const struct search_state *, size_t first, size_t end,
                        enum wire_entry, struct text *to);

void search_state_free(struct search_state *);

#endif

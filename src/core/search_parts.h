/* What the files of the search need of each other: search.c (the loop),
 * determinism.c, failure.c, bound.c, progress.c.  Algorithms use search.h. */
#ifndef CORE_SEARCH_PARTS_H
#define CORE_SEARCH_PARTS_H

#include "core/search.h"

/* failure.c: an error or a warning goes to the listener. */
void explorer_tell(struct explorer *, const struct finding *, bool warning);

/* failure.c: the newest event failed. */
void explorer_step_failed(struct explorer *);

/* failure.c: for datarace_init(); the context is the explorer. */
void explorer_race_found(void *context, const struct data_race *);
void explorer_race_doubted(void *context, const struct access *);

/* determinism.c: compares the newest event with one of the same history. */
void explorer_compare_deed(struct explorer *);

/* progress.c: the search goes back to this length of the trace; it begins anew.
 */
void explorer_note_retreat(struct explorer *, size_t length);
void explorer_forget_progress(struct explorer *);

/* bound.c: the number of preemptions if this process moves next. */
uint32_t explorer_preemptions(const struct explorer *, uint32_t proc);

/* bound.c: an execution has ended; must the search end, too? */
bool explorer_out_of_budget(struct explorer *);

/* bound.c: the same within an execution.  A step may be long, so accesses are
 * counted, not steps. */
bool explorer_asked_to_stop(struct explorer *);

#endif

/* Who knows of which access to data: the judge of data races in programs
 * without end.
 *
 * Of each process, place and kind of access (read or write) only the latest
 * counts: who knows of it knows of those before it.  It is known to some of the
 * *holders*: processes, what a process will know when it goes on, and what
 * objects hand on.  Two bits say whether an access is in a data race: is there
 * one, and does the process at hand know of it?  So a program with finitely
 * many states has finitely many states with this knowledge, too, and all of
 * them can be visited.  Nothing here uses clocks, traces, or core/datarace.c.
 */
#ifndef FUZZ_MODEL_KNOWLEDGE_H
#define FUZZ_MODEL_KNOWLEDGE_H

#include "judge.h"

/* Of small programs only: see knowledge_begin(). */
enum { KNOWLEDGE_PROCESSES = 4, KNOWLEDGE_SLOTS = 10 };

struct access_knowledge {
  uint32_t processes;
  bool blocks; /* there are atomic blocks */
  /* By process, slot, and 1 for writes: the holders, by bits; 0: none. */
  uint64_t known[KNOWLEDGE_PROCESSES][KNOWLEDGE_SLOTS][2];
};

/* False: the program is too large. */
bool knowledge_begin(struct access_knowledge *, const struct program *);

/* The process is about to take this step.  The addresses of data that is in a
 * data race are added to the list. */
void knowledge_step(struct access_knowledge *, unsigned p, const struct step *,
                    access_list *racy);

/* It has taken the step, the one before position `depth`. */
void knowledge_stepped(struct access_knowledge *, struct system *, unsigned p,
                       size_t depth);

uint64_t knowledge_hash(const struct access_knowledge *);

#endif

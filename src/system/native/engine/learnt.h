/* What the system has learnt of the program in the course of a search, besides
 * the state: which memory is shared, which loops wait, how threads and files
 * are numbered.  That decides what is a step, so schedules are only understood
 * by a system that has learnt the same. */
#ifndef SYSTEM_NATIVE_ENGINE_LEARNT_H
#define SYSTEM_NATIVE_ENGINE_LEARNT_H

#include "util/packed.h"

/* Writes it down, or learns it: before the first step.  If it does not fit,
 * p->bad is set, and the system is of no use. */
void learnt_pack(struct packed *);

/* Each for its own file. */
void threads_learnt(struct packed *);
void sharing_learnt(struct packed *);
void commuting_learnt(struct packed *);
void taken_back_learnt(struct packed *);
void updates_learnt(struct packed *);
void blind_learnt(struct packed *);
void polling_learnt(struct packed *);
void timed_learnt(struct packed *);
void locals_learnt(struct packed *);
void leftover_learnt(struct packed *);
void tls_learnt(struct packed *);
void actors_learnt(struct packed *);
void nodes_learnt(struct packed *);
void paths_learnt(struct packed *);
void interrupts_learnt(struct packed *);

#endif

/* Additions that a round takes back: see taken_back.c. */
#ifndef SYSTEM_NATIVE_ENGINE_TAKEN_BACK_H
#define SYSTEM_NATIVE_ENGINE_TAKEN_BACK_H

#include "engine.h"

/* In a trial, after a step of t: was that an addition which t takes back, and
 * comes to where it was before?  Takes the step that takes it back, and relies
 * on it. */
bool taken_back_waits(struct thread *t);
/* Is that step being taken?  It ends no round. */
bool taken_back_ends(void);

/* What so many rounds that are left out may have added to the place at which a
 * thread looks.  False: no round, or not so many. */
bool taken_back_may_have(const struct access *, unsigned rounds,
                         uint64_t *added);
/* With that the look is not held. */
void taken_back_noticed(const struct access *);
/* After a step: does it notice? */
void taken_back_stepped(const struct record *);

#endif

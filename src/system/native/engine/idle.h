/* Rounds that are in vain from their first look on: see idle.c. */
#ifndef SYSTEM_NATIVE_ENGINE_IDLE_H
#define SYSTEM_NATIVE_ENGINE_IDLE_H

#include "engine.h"

/* In a trial, after the step at `depth`: takes the reads behind it whose values
 * do not matter.  Does the thread come back to a round that began before the
 * step?  Then engine.came_round says so. */
void idle_follow(struct thread *, size_t depth);

#endif

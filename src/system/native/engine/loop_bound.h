/* Loops without end: see loop_bound.c. */
#ifndef SYSTEM_NATIVE_ENGINE_LOOP_BOUND_H
#define SYSTEM_NATIVE_ENGINE_LOOP_BOUND_H

#include "engine.h"

/* The running thread passes the head of a loop, in the function with this
 * frame.  Stops the thread if the bound is reached.  True: something was left
 * below on the stack. */
bool loop_count(uint64_t pc, const char *frame, bool enters);

/* Has the running thread gone round this loop very often within the step at
 * hand? */
bool loop_idles(uint64_t pc, const char *frame);

#endif

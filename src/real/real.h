/* The parts of the library. */
#ifndef REAL_REAL_H
#define REAL_REAL_H

#include <stdint.h>

/* Tells the server about this run; nothing without a server. */
void heddle_real_mark(uint32_t mark);

/* Seeds the pauses of this process; without this call there are none. */
void heddle_real_delay(uint64_t seed);

/* A number below n, from the calling thread's own generator. */
uint32_t heddle_real_random(uint32_t n);

/* Sleeps for a short random time. */
void heddle_real_nap(void);

/* Called by heddle_real_step when the thread's countdown reaches 0. */
void heddle_real_pause(void);

#endif

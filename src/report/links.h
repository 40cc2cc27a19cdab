/* How the steps of a schedule follow from earlier ones: the write that a step
 * reads, the release of the lock that it takes, the creation of its thread, the
 * end of the thread that it joins; and which read of another thread's a write
 * makes old. */
#ifndef REPORT_LINKS_H
#define REPORT_LINKS_H

#include "report/result.h"

/* Sets `follows`, `link`, `reads_from` and `overwrites` of every step. */
void link_steps(struct result_finding *);

#endif

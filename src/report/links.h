/* Which earlier step a step of a schedule follows from: the write that it
 * reads, the release of the lock that it takes, the creation of its thread, the
 * end of the thread that it joins. */
#ifndef REPORT_LINKS_H
#define REPORT_LINKS_H

#include "report/result.h"

/* Sets `follows` and `link` of every step. */
void link_steps(struct result_finding *);

#endif

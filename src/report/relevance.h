/* Which steps of a failing execution a reader needs. */
#ifndef REPORT_RELEVANCE_H
#define REPORT_RELEVANCE_H

#include "report/result.h"

/* Finds how the steps of different threads are connected, and marks those that
 * a short schedule shows. */
void relevance_find(struct result_finding *);

/* Do all of the finding's steps have to be shown, since it is not known what
 * they touch? */
bool relevance_is_unknown(const struct result_finding *);

#endif

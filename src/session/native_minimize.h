/* Smaller schedules for a finding that is known: WIRE_SEEK, WIRE_REGROUP. */
#ifndef SESSION_NATIVE_MINIMIZE_H
#define SESSION_NATIVE_MINIMIZE_H

#include "session/native_parts.h"

/* Gives the session's explorer its listener and algorithm. */
void minimize_begin(struct session *);

#endif

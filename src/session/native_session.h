/* Exploring or replaying a native program in its own process. */
#ifndef SESSION_NATIVE_SESSION_H
#define SESSION_NATIVE_SESSION_H

#include "core/system.h"
#include "core/wire.h"

/* Explores or replays, as the control file says, and sends all messages. */
void native_session(struct system *, struct control *);

#endif

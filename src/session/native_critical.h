/* The critical step of a failing execution. */
#ifndef SESSION_NATIVE_CRITICAL_H
#define SESSION_NATIVE_CRITICAL_H

#include "core/system.h"
#include "core/wire.h"

/* The system has taken these moves and failed.  1 + the last of them before
 * which a schedule was found that ends well, or 0: none was found.  The system
 * is in another state afterwards. */
size_t critical_move(struct system *, const struct control *,
                     const struct move *, size_t count);

#endif

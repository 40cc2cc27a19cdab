/* The control file, through which a supervising command and this process talk:
 * see core/wire.h. */
#ifndef SYSTEM_NATIVE_ENGINE_CONTROL_H
#define SYSTEM_NATIVE_ENGINE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/wire.h"

/* Maps the control file, once.  False: no command supervises this process. */
bool control_find(void);

/* Tells the command that the search pauses, and waits until it may go on. */
void control_pause(void);

/* One message to the command: a head of fixed size, then the rest.  Does
 * nothing if no command listens. */
void wire_send(enum message_type, const void *head, size_t head_size,
               const void *rest, size_t rest_size);

#endif

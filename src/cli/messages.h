/* Taking apart what the exploring process sends. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include "cli/supervise.h"

/* Bytes that have come, and what they said. */
struct listener {
  struct text pending; /* the beginning of a message */
  struct run *run;
  bool done;    /* MESSAGE_DONE or MESSAGE_REFUSED has come */
  bool garbled; /* something came that is no message */
};

/* Takes bytes as they come from the pipe. */
void listener_take(struct listener *, const char *, size_t length);

#endif

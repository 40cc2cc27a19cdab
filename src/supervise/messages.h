/* Taking apart what the exploring process sends. */
#ifndef SUPERVISE_MESSAGES_H
#define SUPERVISE_MESSAGES_H

#include "supervise/supervise.h"

/* The bytes so far, and the run that they describe. */
struct message_reader {
  struct text pending; /* the beginning of a message */
  struct run *run;
  struct text checkpoint;                                /* its pieces so far */
  void (*take_checkpoint)(void *context, struct text *); /* or NULL */
  void *context;
  bool paused;  /* and nobody has taken notice yet */
  bool done;    /* MESSAGE_DONE or MESSAGE_REFUSED has come */
  bool garbled; /* the bytes are no message */
};

/* Takes bytes as they come from the pipe. */
void message_reader_take(struct message_reader *, const char *, size_t length);

#endif

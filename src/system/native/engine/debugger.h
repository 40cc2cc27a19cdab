/* A replay under a debugger: where it stops, and what it can be asked for.
 *
 * heddle_debug is the only thing that the debugger's script (cli/debugger.py)
 * knows of the runtime.  The script reads it, writes `stop_at` and `request`,
 * and lets the program go on.  All fields have 8 bytes. */
#ifndef SYSTEM_NATIVE_ENGINE_DEBUGGER_H
#define SYSTEM_NATIVE_ENGINE_DEBUGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum debug_request {
  DEBUG_GO_ON,
  DEBUG_BACK,   /* to the state after `argument` moves */
  DEBUG_SWITCH, /* thread `argument` takes the next move */
};

/* keep: a thread at a stop. */
struct debug_thread {
  uint64_t sp;      /* of a paused thread; 0: it is not paused */
  uint64_t state;   /* enum thread_state */
  uint64_t enabled; /* it could take the next move */
  uint64_t start;   /* its start routine, 0 for main */
  uint64_t words;   /* what it is about to do, as in ops.def, or 0 */
  uint64_t object;  /* on what, or 0 */
  uint64_t site;    /* hook_site, or 0 */
  uint64_t target;
};

/* keep */
struct debug_state {
  uint64_t version;
  uint64_t on;      /* the replay is debugged */
  uint64_t stop_at; /* the move to stop before */
  uint64_t at;      /* moves taken */
  uint64_t next;    /* thread that takes the next move; ~0: none, or unknown */
  uint64_t running; /* thread that is running; ~0: none */
  uint64_t request; /* enum debug_request */
  uint64_t argument;
  uint64_t threads; /* how many, and where: */
  uint64_t table;   /* of struct debug_thread */
};

#define DEBUG_VERSION 1

extern struct debug_state heddle_debug;

/* Before the first move. */
void debugger_begin(void);

/* Before the move at this position, of this thread.  Stops if the debugger
 * wants that. */
void debugger_move(uint64_t at, uint32_t next);

/* No move is left. */
void debugger_end(uint64_t at);

/* The running thread has failed, and is still where it did. */
void debugger_failed(void);

#endif

/* What the files of this folder share: masks, actions, pending signals.
 *
 * All of it is state of the program that lies in the runtime.  Before another
 * thread than the running one was ever seen to send a signal, in any execution,
 * a thread's mask and pending signals concern no other thread, and their use is
 * no step. */
#ifndef SYSTEM_NATIVE_SIGNALS_SIGNALS_H
#define SYSTEM_NATIVE_SIGNALS_SIGNALS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>

#include "system/native/engine/engine.h"
#include "system/native/engine/interrupt.h"
#include "system/native/hooks/hooks.h"
#include "system/native/libc/libc.h"
#include "system/native/pthread/sync.h"

static inline unsigned long signal_bit(int number) {
  return 1ul << (number - 1);
}

static inline int fail_with(int number) {
  error_set(number);
  return -1;
}

/* prog: what came with a signal. */
struct origin {
  int code;
  void *value;
};

/* prog: signals that were sent to the thread, or to the process (NULL), and not
 * taken yet. */
unsigned long *signals_pending(const struct thread *);
/* prog: what came with those that were sent to the process. */
extern struct origin signals_sent[NSIG];

/* queue.c: those from this number on are queued; others are pending once. */
enum { SIGNAL_FIRST_QUEUED = 32 };
/* The signal is sent.  False: it needs no place in the queue. */
bool signals_queue(const struct thread *, int number, struct origin);
/* The signal is taken: what came with it, if it has a place in the queue.  Is
 * another one of this number still there? */
bool signals_unqueue(const struct thread *, int number, struct origin *);

/* names.c: as in "SIGTERM". */
const char *signal_name(int number);

/* prog: what the program wants to happen.  All zero: the default. */
extern struct sigaction signal_actions[NSIG];

/* ---- steps --------------------------------------------------------------- */

/* Announces a use of signals, if that is a step. */
void signals_announce(enum op, uint64_t pc);
/* Another thread than the running one sends signals, or they come from outside
 * (signals_are_sent()): from now on uses are steps. */
/* After the announcement. */
void signals_read(const void *, size_t);
void signals_write(void *, size_t);
#define SIGNALS_SET(place, value)           \
  do {                                      \
    signals_write(&(place), sizeof(place)); \
    (place) = (value);                      \
  } while (0)

/* ---- acting (act.c) ------------------------------------------------------ */

enum deed { DEED_IGNORE, DEED_END, DEED_HANDLE };
enum deed signal_deed(int number);

/* Takes this signal, which is pending, as part of the step at hand. */
struct origin signal_take(const struct thread *, int number);
/* Takes a pending signal that the running thread does not block, if there is
 * one, as part of the step at hand. */
int signals_take(unsigned long among, struct origin *);
/* The same, and those that are ignored are gone. */
int signals_take_unless_ignored(unsigned long among, struct origin *);
/* ... and does what is to be done about it.  Returns when handlers have. */
void signals_act(int number, struct origin, uint64_t pc);
/* The same, and the thread has just let it through: as in Linux all pending
 * signals that are not blocked begin their handlers in the order of their
 * numbers, each on top of the one before, so that the last handler is the first
 * one to run. */
void signals_act_on_all(int number, struct origin, uint64_t pc);
/* As pthread_sigmask(); the sets are data of the program. */
int signals_change_mask(int how, const sigset_t *, sigset_t *old, uint64_t pc);
/* What is to be done about it, and another deed if `new` is one. */
struct sigaction signal_exchange(int number, const struct sigaction *new,
                                 uint64_t pc);
bool signal_can_be_handled(int number);
/* The mask changes, as a step; signals that it lets through are acted on. */
void signals_set_mask(unsigned long mask, uint64_t pc);

/* The step at hand lets the signal arrive at the thread. */
void signals_interrupt(struct thread *, int number, struct origin);

/* ---- sending (send.c) ---------------------------------------------------- */

/* Sends it to the thread, or to the process (NULL). */
int signal_send(struct thread *, int number, struct origin, uint64_t pc);

/* A process whose step is that the signal comes to the process, from outside or
 * from a timer.  `is_due`: is it still to come? */
enum due { DUE_NEVER, DUE_ONCE, DUE_AGAIN /* and later ones are left out */ };
void signal_comes(int number, struct origin, enum due (*is_due)(uint32_t),
                  uint32_t which);

/* timers.c: a thread begins to wait for signals, in the step at hand.  Does a
 * timer that repeats come again? */
bool timers_repeat(void);

/* May it end the program?  Yes if --signal names it and the program has created
 * no threads: it comes before there was time to set a handler. */
bool signal_may_end(int number);

/* act.c: what a handler or a thread that waits is told. */
siginfo_t signal_info(int number, struct origin);

#endif

/* Interrupting a thread between two of its steps, for signal handlers.
 *
 * A signal is sent in a step of the sender.  That it arrives is a step of a
 * process of its own (signals/arrive.c), so that it can come at any moment
 * after that.  The arrival puts a frame on the stack of the thread and makes
 * "runs a signal handler" the thread's next step.  When the handler has
 * returned, the thread announces again what it was about to do.
 *
 * The order of an arrival and of the thread's steps matters: every step of a
 * thread that may be interrupted reads four bytes, its attention, which an
 * arrival writes.  A thread that cannot be interrupted has no such reads.  That
 * it can is learnt on the way; then the search begins anew.
 *
 * The step that enters the handler reads what the thread was waiting for.  If
 * the thread could not have gone on, the arrival is its cause; if it could, the
 * two have another order, too.
 *
 * A thread that waits may have been interrupted right before the call that
 * waits, or in it: then some calls fail.  That is a choice.
 *
 * A handler runs on the thread's stack and as the thread, but counts as another
 * user of memory: what both use is no private memory (sharing.c).
 */
#ifndef SYSTEM_NATIVE_ENGINE_INTERRUPT_H
#define SYSTEM_NATIVE_ENGINE_INTERRUPT_H

#include "native.h"

struct record;

/* prog, but for `aimed`.  Which signals a thread blocks, one bit each; and its
 * attention. */
extern unsigned long signal_masks[NATIVE_THREADS];
extern uint32_t attention[NATIVE_THREADS];

/* keep: a thread was seen to send a signal to another. */
extern bool signals_are_steps;

/* keep: may the step of a signal's arrival interrupt the thread, as far as is
 * known? */
bool interrupt_possible(const struct thread *);

/* It may, by these signals; NULL: any thread may. */
void interrupt_expect(const struct thread *, unsigned long signals);

/* What an operation's wait does if a handler has run meanwhile. */
enum interruptible {
  INTERRUPT_NOT,    /* it goes on waiting */
  INTERRUPT_FAILS,  /* it fails with EINTR, unless SA_RESTART is set */
  INTERRUPT_ALWAYS, /* it fails with EINTR */
  INTERRUPT_ATOMIC, /* the same, and no signal comes between the call and the
                       wait */
};

enum { RESTARTS = 1 }; /* SA_RESTART */

/* prog: on the stack of the interrupted thread. */
struct interruption {
  struct operation op; /* enters the handler */
  struct access access;
  struct interruption *outer; /* of a handler that is interrupted itself */
  struct operation *pending;  /* what the thread was about to do, ... */
  void *sp;                   /* ... its stack, ... */
  struct spin spin;           /* ... and whether it waited in a loop */
  uint32_t user;
  void (*run)(struct interruption *);
  int number;     /* of the signal ... */
  uint32_t flags; /* ... and of its action */
  void *handler;
  unsigned long mask; /* before it */
  int code;           /* of siginfo_t ... */
  void *value;
  bool takes_info; /* ... which the handler wants */
};

/* The step at hand interrupts the thread, which goes on in i->run. */
void interrupt_thread(struct thread *, const struct interruption *model);

/* The running thread's operation is over: did a handler end its wait? */
bool interrupted(void);

/* The step of another thread lets the thread go on with this operation, instead
 * of the one that waits for it.  If a handler has interrupted the thread, it
 * will when the handler has returned. */
void interrupt_replace(struct thread *, struct operation *waits,
                       struct operation *now);

/* The running thread jumps out of handlers to this place of its stack. */
void interrupt_leave(const char *place);

/* Adds to the step of the thread, which is the last one, what can interrupt it.
 */
void interrupt_begin(const struct thread *, struct record *);
/* The same for its next step. */
void interrupt_pending(const struct thread *, struct step *);
/* What the creation of a thread writes if signals are in use: from then on the
 * new thread can take those to the process. */
struct access interrupt_birth(const struct thread *parent);
/* The running thread is about to end.  If signals or cancellations are in use,
 * or a thread looks whether another has ended, that is a step.  (Whether it has
 * ended matters to those that send it signals.) */
void interrupt_end(uint64_t pc);
/* The running thread is stopped by a limit at the end of this step: a signal
 * that arrives before it could still interrupt it. */
void interrupt_never_again(void);
/* From now on it is: the search begins anew. */
void interrupt_ends_show(void);
/* The running thread is stopped by an error, an assumption or a bound.  If that
 * is before its first step, a handler could come before it nevertheless: from
 * now on there is a step. */
void interrupt_stopped(void);
/* As which user of memory the thread began the step at hand. */
extern uint32_t interrupt_beyond; /* NATIVE_THREADS: in a handler; else 0 */
static inline uint32_t interrupt_user(uint32_t thread) {
  return thread + 1 + interrupt_beyond;
}

#endif

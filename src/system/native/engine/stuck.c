/* Steps that do not end: a loop without any visible operation, or a call that
 * waits.
 *
 * The command sends a signal when the counters have not moved for a while.  If
 * the explorer is busy with its own work, all is well.  If the program has been
 * in the same step since the last signal, it is stuck.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "engine.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Noreturn void tell_where(bool waits, uint64_t pc) {
  struct wire_stuck stuck = {.proc = self->id,
                             .waits = waits,
                             .pc = pc,
                             .start = (uint64_t)(uintptr_t)self->start};
  wire_send(MESSAGE_STUCK, &stuck, sizeof stuck, NULL, 0);
  if (engine.control->options.jobs > 1)
    syscall(SYS_kill, 0L, (long)SIGKILL); /* all that share the search */
  _exit(0);
}

/* A thread of the program runs, so the explorer is not in the middle of a
 * message. */
static void answer(int number, siginfo_t *info, void *context) {
  static uint64_t entries; /* keep: engine.entries at the last signal */
  (void)number;
  if (self && engine.entries == entries)
    tell_where(info->si_value.sival_int, crash_place(info, context));
  entries = engine.entries;
  engine.control->alive++;
}

void stuck_answer(void) {
  struct sigaction action = {.sa_sigaction = answer,
                             .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  ensure(sigaction(WIRE_ARE_YOU_STUCK, &action, NULL) == 0);
}

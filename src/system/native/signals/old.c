/* Functions of older systems, made of the others; and alternate stacks, which
 * are kept and not used: a handler runs on its thread's stack. */
#include "signals.h"

#include <limits.h>

#include "system/native/engine/round.h"

#define OLD(type, name, ...) \
  type name(__VA_ARGS__);    \
  INTERPOSED type name(__VA_ARGS__)

/* ---- masks --------------------------------------------------------------- */

static int mask_of(int how, unsigned long mask, uint64_t pc) {
  unsigned long before = signal_masks[current()->id];
  unsigned long all = how == SIG_BLOCK     ? before | mask
                      : how == SIG_UNBLOCK ? before & ~mask
                                           : mask;
  signals_set_mask(all & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP)), pc);
  return (int)before;
}

OLD(int, sigblock, int mask) {
  return mask_of(SIG_BLOCK, (unsigned)mask, CALLER);
}

OLD(int, sigsetmask, int mask) {
  return mask_of(SIG_SETMASK, (unsigned)mask, CALLER);
}

OLD(int, siggetmask, void) {
  return (int)signal_masks[current()->id];
}

static int hold(int how, int number, uint64_t pc) {
  if (number < 1 || number >= NSIG)
    return fail_with(EINVAL);
  mask_of(how, signal_bit(number), pc);
  return 0;
}

OLD(int, sighold, int number) {
  return hold(SIG_BLOCK, number, CALLER);
}

OLD(int, sigrelse, int number) {
  return hold(SIG_UNBLOCK, number, CALLER);
}

/* ---- deeds --------------------------------------------------------------- */

OLD(int, sigignore, int number) {
  struct sigaction ignore = {.sa_flags = 0};
  ignore.sa_handler = SIG_IGN;
  if (!signal_can_be_handled(number))
    return fail_with(EINVAL);
  signal_exchange(number, &ignore, CALLER);
  return 0;
}

/* SIG_HOLD only blocks the signal; a handler lets it through. */
OLD(sighandler_t, sigset, int number, sighandler_t handler) {
  struct sigaction new = {.sa_flags = 0};
  if (!signal_can_be_handled(number) || handler == SIG_ERR) {
    error_set(EINVAL);
    return SIG_ERR;
  }
  bool blocked = signal_masks[current()->id] & signal_bit(number);
  bool holds = handler == SIG_HOLD;
  new.sa_handler = handler;
  sighandler_t before =
      signal_exchange(number, holds ? NULL : &new, CALLER).sa_handler;
  if (holds != blocked)
    hold(holds ? SIG_BLOCK : SIG_UNBLOCK, number, CALLER);
  return blocked ? SIG_HOLD : before;
}

/* ---- alternate stacks ---------------------------------------------------- */

enum { AUTODISARM = INT_MIN }; /* as in the kernel's header */

/* prog: of each thread; all zero: none. */
PROG static stack_t stacks[NATIVE_THREADS];

static bool is_same_stack(const stack_t *a, const stack_t *b) {
  return a->ss_sp == b->ss_sp && a->ss_flags == b->ss_flags &&
         a->ss_size == b->ss_size;
}

static int set_alternate(stack_t *mine, stack_t wanted) {
  if (wanted.ss_flags & ~(SS_DISABLE | SS_ONSTACK | AUTODISARM))
    return EINVAL;
  if (wanted.ss_flags & SS_DISABLE)
    wanted = (stack_t){.ss_flags = SS_DISABLE};
  else if (wanted.ss_size < 2048) /* MINSIGSTKSZ */
    return ENOMEM;
  if (!is_same_stack(mine, &wanted))
    round_changes();
  SET(*mine, wanted);
  return 0;
}

/* While the thread waits to read *new, nothing with a gap lies on its stack,
 * which is compared: see spin.c. */
OLD(int, sigaltstack, const stack_t *new, stack_t *old) {
  stack_t *mine = &stacks[current()->id], wanted;
  if (new)
    wanted = LOOK(*new);
  stack_t before = *mine;
  int error = new ? set_alternate(mine, wanted) : 0;
  if (error)
    return fail_with(error);
  if (!before.ss_sp)
    before.ss_flags = SS_DISABLE;
  if (old)
    PUT(*old, before);
  return 0;
}

/* ---- texts --------------------------------------------------------------- */

static void print_signal(int number, const char *text, uint64_t pc) {
  const char *name = REAL(sigdescr_np)(number);
  bool has_text = text && LOOK_AT(*text, pc);
  if (name)
    print_error("%s%s%s\n", has_text ? text : "", has_text ? ": " : "", name);
  else
    print_error("%s%sUnknown signal %d\n", has_text ? text : "",
                has_text ? ": " : "", number);
}

OLD(void, psignal, int number, const char *text) {
  print_signal(number, text, CALLER);
}

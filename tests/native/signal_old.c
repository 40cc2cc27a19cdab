// The functions of older systems do what those that replaced them do.
// algorithms naive optimal
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static volatile sig_atomic_t handled;

static void handle(int number) {
  handled += number == SIGUSR1;
}

int main(void) {
  stack_t stack = {.ss_size = 65536}, old;
  stack.ss_sp = malloc(stack.ss_size);
  assert(!sigaltstack(NULL, &old) && (old.ss_flags & SS_DISABLE));
  assert(!sigaltstack(&stack, NULL) && !sigaltstack(NULL, &old));
  assert(old.ss_sp == stack.ss_sp && old.ss_size == stack.ss_size);
  assert(sigset(SIGUSR1, handle) == SIG_DFL);
  sighold(SIGUSR1);
  raise(SIGUSR1);
  assert(!handled && (siggetmask() & (1 << (SIGUSR1 - 1))));
  sigrelse(SIGUSR1);
  assert(handled == 1);
  int before = sigblock(1 << (SIGUSR1 - 1));
  raise(SIGUSR1);
  sigsetmask(before);
  assert(handled == 2);
  assert(sigset(SIGUSR1, SIG_HOLD) == handle);
  assert(sigset(SIGUSR1, SIG_IGN) == SIG_HOLD);
  raise(SIGUSR1);
  sigignore(SIGUSR2);
  raise(SIGUSR2);
  assert(!strcmp(sigabbrev_np(SIGTERM), "TERM"));
  psignal(SIGTERM, "signal");
  return handled - 2;
}

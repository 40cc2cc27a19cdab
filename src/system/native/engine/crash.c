/* Signals that the program's own code raises.
 *
 * The handler runs on a stack of its own, since the program's may have
 * overflowed, and leaves it by switching to the explorer.  The kernel looks
 * only at the stack pointer to decide whether that stack is in use: the handler
 * can leave it this way any number of times.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "engine.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { HANDLER_STACK = 256 << 10 };

static const struct {
  int number;
  const char *name;
} signals[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"},
};
enum { SIGNALS = sizeof signals / sizeof *signals };

static const char *signal_name(int number) {
  for (unsigned i = 0; i < SIGNALS; i++)
    if (signals[i].number == number)
      return signals[i].name;
  return "signal";
}

static uint64_t code_address(const void *of) {
  const ucontext_t *context = of;
#if defined __x86_64__
  return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#else
  return context->uc_mcontext.pc;
#endif
}

/* Where a call without a function to call came from.  0: it cannot be told. */
static uint64_t caller_address(const void *of) {
  const ucontext_t *context = of;
#if defined __x86_64__
  uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
  uint64_t caller = 0;
  const struct thread *owner = coroutine_of(sp);
  if (owner && sp >= (uintptr_t)owner->stack_low && sp % sizeof caller == 0)
    memcpy(&caller, (const void *)sp, sizeof caller);
#else
  uint64_t caller = context->uc_mcontext.regs[30];
#endif
  return module_is_program(caller) ? caller : 0;
}

/* A signal in the runtime, or in libc called by it, is shown at the place of
 * the operation at hand.  One in the program's code is shown at its
 * instruction, by an address behind it, as a return address is.  A call of
 * what is no code is shown at the call. */
uint64_t crash_place(const siginfo_t *info, const void *context) {
  uint64_t pc = code_address(context), caller = 0;
  if (module_is_program(pc))
    return pc + 1;
  if (info->si_signo == SIGSEGV && (uintptr_t)info->si_addr == pc)
    caller = caller_address(context);
  return caller ? caller : engine.pc;
}

/* x86-64 does not tell the address then. */
static bool is_protection(int number, const siginfo_t *info) {
  return number == SIGSEGV && info->si_code == SI_KERNEL;
}

/* keep: of the last signal. */
static struct wire_stand crashed;
static const struct thread *crashed_thread;

#if defined __x86_64__
static void keep_registers(const ucontext_t *context) {
  static const int numbers[17] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI,
                                  REG_RDI, REG_RBP, REG_RSP, REG_R8,  REG_R9,
                                  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
                                  REG_R15, REG_RIP}; /* in DWARF's order */
  for (unsigned i = 0; i < 17; i++)
    crashed.registers[i] = (uint64_t)context->uc_mcontext.gregs[numbers[i]];
  crashed.known = (1u << 17) - 1;
  crashed.sp = crashed.registers[7];
}
#else
static void keep_registers(const ucontext_t *context) {
  for (unsigned i = 0; i < 31; i++)
    crashed.registers[i] = context->uc_mcontext.regs[i];
  crashed.registers[31] = crashed.sp = context->uc_mcontext.sp;
  crashed.known = 0xffffffffu;
}
#endif

bool crash_registers(const struct thread *t, struct wire_stand *out) {
  if (t != crashed_thread)
    return false;
  memcpy(out->registers, crashed.registers, sizeof out->registers);
  out->known = crashed.known;
  out->pc_now = crashed.pc_now;
  out->sp = crashed.sp;
  return true;
}

_Noreturn void stack_overflow(const struct thread *t, uint64_t pc) {
  if (t->stack_wanted)
    refuse("T%u asked for a stack of %llu bytes and used the %llu that there "
           "are",
           t->id, (unsigned long long)t->stack_wanted,
           (unsigned long long)STACK_MOST);
  fail(FINDING_CRASH, pc, "stack overflow");
}

/* Is it below the stack of the running thread? */
static bool is_below(uint64_t sp) {
  uint64_t low = (uintptr_t)self->stack_low;
  return sp < low && low - sp < STACK_SLOT;
}

static _Noreturn void crash(int number, const siginfo_t *info, uint64_t pc) {
  uint64_t addr = (uintptr_t)info->si_addr;
  const struct thread *owner = coroutine_of(addr);
  bool memory = number == SIGSEGV || number == SIGBUS;
  if (memory && owner && addr < (uintptr_t)owner->stack_low)
    stack_overflow(owner, pc);
  if (memory && is_below(crashed.sp))
    stack_overflow(self, pc);
  if (is_protection(number, info))
    fail(FINDING_CRASH, pc,
         "%s: access to an address that cannot exist, or that is not aligned "
         "as the instruction demands",
         signal_name(number));
  if (memory && addr < 4096)
    fail(FINDING_CRASH, pc, "%s: access through a null pointer (address %#llx)",
         signal_name(number), (unsigned long long)addr);
  if (memory)
    fail(FINDING_CRASH, pc, "%s: access to address %#llx", signal_name(number),
         (unsigned long long)addr);
  fail(FINDING_CRASH, pc, "%s", signal_name(number));
}

static void handle(int number, siginfo_t *info, void *context) {
  if (!self)
    ensure_failed(signal_name(number), "the explorer", 0);
  keep_registers(context);
  crashed.pc_now = code_address(context);
  crashed_thread = self;
  crash(number, info, crash_place(info, context));
}

void crash_catch(void) {
  stack_t stack = {.ss_size = HANDLER_STACK};
  stack.ss_sp = mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ensure(stack.ss_sp != MAP_FAILED);
  ensure(sigaltstack(&stack, NULL) == 0);
  struct sigaction action = {.sa_sigaction = handle,
                             .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (unsigned i = 0; i < SIGNALS; i++)
    ensure(sigaction(signals[i].number, &action, NULL) == 0);
}

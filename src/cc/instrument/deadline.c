/* Times that only make a deadline.
 *
 *   while (!ready) {
 *     clock_gettime(CLOCK_REALTIME, &t);
 *     t.tv_sec += 1;
 *     pthread_cond_timedwait(&c, &m, &t);
 *   }
 *
 * Each round has another deadline.  Still the rounds are alike, because a timed
 * wait may end at any moment, whatever its deadline is.  So a call that asks
 * for the time is marked if the time goes nowhere but into such deadlines: into
 * computing, into local variables of which the same is true, into branches
 * between ways that only compute with them, as to carry over a second, and into
 * calls that wait until then.  What the runtime makes of the mark is in
 * system/native/engine/timekeeping.h.
 *
 * Functions that make a deadline for their caller are inlined (pausing.c).
 */
#include "deadline.h"

#include <string.h>

#include "delay.h"

enum { RESULT = -1 }; /* the time is the call's result */

/* A function of the library and which of its arguments is the time. */
struct timed_function {
  const char *name;
  int argument;
};

static const struct timed_function telling[] = {
    {"clock_gettime", 1},
    {"gettimeofday", 0},
    {"time", RESULT},
    {"timespec_get", 0},
};

static const struct timed_function waiting[] = {
    {"cnd_timedwait", 2},
    {"mtx_timedlock", 1},
    {"pthread_cond_clockwait", 3},
    {"pthread_cond_timedwait", 2},
    {"pthread_mutex_clocklock", 2},
    {"pthread_mutex_timedlock", 1},
    {"pthread_rwlock_timedrdlock", 1},
    {"pthread_rwlock_timedwrlock", 1},
    {"sem_clockwait", 2},
    {"sem_timedwait", 1},
};

#define FIND(functions, call) \
  find(functions, sizeof functions / sizeof *functions, call)

static const struct timed_function *find(const struct timed_function *functions,
                                         size_t count, LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
    return NULL;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < count; i++)
    if (strlen(functions[i].name) == length &&
        !strncmp(name, functions[i].name, length) &&
        functions[i].argument < (int)LLVMGetNumArgOperands(call))
      return &functions[i];
  return NULL;
}

bool deadline_tells_time(LLVMValueRef call) {
  return FIND(telling, call) != NULL;
}

static LLVMValueRef argument(const struct timed_function *f,
                             LLVMValueRef call) {
  return LLVMGetOperand(call, (unsigned)f->argument);
}

/* Is the pointer nothing but the time of this call? */
static bool is_its_time(LLVMValueRef call, LLVMValueRef pointer) {
  const struct timed_function *f = FIND(telling, call);
  if (!f)
    f = FIND(waiting, call);
  if (!f || f->argument == RESULT || argument(f, call) != pointer)
    return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if ((int)i != f->argument && LLVMGetOperand(call, i) == pointer)
      return false;
  return true;
}

/* ---- where it goes ------------------------------------------------------- */

/* A function returns a struct in two registers. */
static bool is_of_struct(LLVMValueRef i) {
  return LLVMIsAExtractValueInst(i) || LLVMIsAInsertValueInst(i);
}

static bool value_is_used(struct delay *d, LLVMValueRef value,
                          LLVMValueRef user) {
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 0) == value &&
           LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic &&
           delay_add_variable(d, LLVMGetOperand(user, 1));
  if (is_of_struct(user))
    return delay_add_value(d, user);
  return delay_is_harmless(d, user);
}

static bool is_fixed_member(LLVMValueRef member) {
  for (int i = 1; i < LLVMGetNumOperands(member); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(member, (unsigned)i)))
      return false;
  return true;
}

static bool pointer_is_used(struct delay *d, LLVMValueRef pointer);

static bool is_intrinsic(LLVMValueRef call, const char *name) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) &&
         !strncmp(LLVMGetValueName2(callee, &length), name, strlen(name));
}

static bool fills(LLVMValueRef call) {
  return is_intrinsic(call, "llvm.memset.p");
}

/* A struct that is assigned: the copy keeps the time, too. */
static bool copies(struct delay *d, LLVMValueRef call) {
  return is_intrinsic(call, "llvm.memcpy.p") &&
         LLVMIsAConstantInt(LLVMGetOperand(call, 2)) &&
         delay_add_variable(d, LLVMGetOperand(call, 0));
}

static bool variable_is_used(struct delay *d, LLVMValueRef pointer,
                             LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
    return LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic &&
           delay_add_value(d, user);
  case LLVMStore:
    return LLVMGetOperand(user, 0) != pointer &&
           LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
  case LLVMGetElementPtr:
    return is_fixed_member(user) && pointer_is_used(d, user);
  case LLVMBitCast:
    return pointer_is_used(d, user);
  case LLVMCall:
    return intrinsic_is_marker(user) || is_its_time(user, pointer) ||
           fills(user) || copies(d, user);
  default:
    return false;
  }
}

static bool pointer_is_used(struct delay *d, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use))
    if (!variable_is_used(d, pointer, LLVMGetUser(use)))
      return false;
  return true;
}

/* Adds what it finds to the values and variables. */
static bool goes_nowhere_else(struct delay *d) {
  for (unsigned value = 0, variable = 0;
       value < d->values || variable < d->variables;) {
    if (variable < d->variables) {
      if (!pointer_is_used(d, d->variable[variable++]))
        return false;
      continue;
    }
    LLVMValueRef v = d->value[value++];
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
      if (!value_is_used(d, v, LLVMGetUser(use)))
        return false;
  }
  return true;
}

/* ---- calls --------------------------------------------------------------- */

static bool only_makes_deadline(struct delay *d, LLVMValueRef call) {
  const struct timed_function *f = FIND(telling, call);
  if (!f)
    return false;
  if (f->argument != RESULT)
    return delay_add_variable(d, argument(f, call)) && goes_nowhere_else(d);
  return LLVMIsAConstantPointerNull(LLVMGetOperand(call, 0)) &&
         delay_add_value(d, call) && goes_nowhere_else(d);
}

void deadline_mark(struct unit *u, const struct graph *g,
                   const struct locals *locals) {
  for (uint32_t b = 0; b < g->blocks.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks.at[b]); i;
         i = LLVMGetNextInstruction(i)) {
      struct delay d = {.unit = u, .locals = locals, .graph = g};
      if (!LLVMIsACallInst(i) || !only_makes_deadline(&d, i))
        continue;
      LLVMPositionBuilderBefore(u->builder, i);
      unit_call(u, HOOK_deadline, NULL);
    }
}

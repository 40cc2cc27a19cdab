/* Functions that only pause are inlined.
 *
 *   static void back_off(struct back_off *b) {
 *     for (unsigned i = 0; i < b->delay; i++)
 *       cpu_relax();
 *     if (b->delay < 64)
 *       b->delay *= 2;
 *   }
 *
 * What such a function changes says how long a loop waits, and nothing else
 * (delay.c).  That is seen where the function is part of the loop, and the
 * variable a value of it (promote.c).
 *
 * A function pauses if it has a loop, or calls what gives way to others or
 * tells the time (deadline.c), and touches only its own variables and members
 * of what its parameters point to, all of them without an order.  A function
 * that does so without a pause is inlined where a function that pauses calls
 * it, such as one that draws a random number.
 */
#include <string.h>

#include "deadline.h"
#include "delay.h"
#include "drawn.h"
#include "unit.h"

enum { MOST_INSTRUCTIONS = 200, DEEPEST = 4 };

enum pausing { OTHER, COMPUTES, PAUSES };

static enum pausing kind_of(const struct unit *, LLVMValueRef function,
                            int depth);

static bool is_fixed_member(LLVMValueRef member) {
  for (int i = 1; i < LLVMGetNumOperands(member); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(member, (unsigned)i)))
      return false;
  return true;
}

/* A variable of the function, or a member of what a parameter points to, which
 * clang keeps in such a variable. */
static bool is_seen(LLVMValueRef pointer, bool is_volatile) {
  while (LLVMIsABitCastInst(pointer) ||
         (LLVMIsAGetElementPtrInst(pointer) && is_fixed_member(pointer)))
    pointer = LLVMGetOperand(pointer, 0);
  if (LLVMIsALoadInst(pointer) && !is_volatile)
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer);
}

static bool is_seen_access(LLVMValueRef access) {
  LLVMValueRef pointer =
      LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
  return LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic &&
         is_seen(pointer, LLVMGetVolatile(access));
}

/* A struct that is assigned. */
static bool is_seen_copy(LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) &&
         !strncmp(LLVMGetValueName2(callee, &length), "llvm.memcpy.p", 13) &&
         is_seen(LLVMGetOperand(call, 0), false) &&
         is_seen(LLVMGetOperand(call, 1), false);
}

static enum pausing kind_of_call(const struct unit *u, LLVMValueRef call,
                                 int depth) {
  if (intrinsic_is_marker(call))
    return COMPUTES;
  if (only_waits(u, call) || deadline_tells_time(call))
    return PAUSES;
  if (is_seen_copy(call) ||
      (drawn_draws(call) && is_seen(LLVMGetOperand(call, 0), false)))
    return COMPUTES;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) ? kind_of(u, callee, depth + 1) : OTHER;
}

static enum pausing kind_of_instruction(const struct unit *u, LLVMValueRef i,
                                        int depth) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
  case LLVMStore:
    return is_seen_access(i) ? COMPUTES : OTHER;
  case LLVMCall:
    return kind_of_call(u, i, depth);
  case LLVMAlloca:
    return LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ? COMPUTES : OTHER;
  case LLVMBr:
  case LLVMRet:
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMUDiv:
  case LLVMURem:
  case LLVMSDiv:
  case LLVMSRem:
    return COMPUTES;
  default:
    return only_computes(i) ? COMPUTES : OTHER;
  }
}

static bool may_be_replaced(LLVMValueRef function) {
  LLVMLinkage linkage = LLVMGetLinkage(function);
  return linkage != LLVMExternalLinkage && linkage != LLVMInternalLinkage &&
         linkage != LLVMPrivateLinkage;
}

/* clang emits the body of a loop behind its head. */
static bool leads_back(LLVMBasicBlockRef from) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(branch); k++)
    for (LLVMBasicBlockRef b = from; b; b = LLVMGetPreviousBasicBlock(b))
      if (b == LLVMGetSuccessor(branch, k))
        return true;
  return false;
}

static enum pausing kind_of(const struct unit *u, LLVMValueRef function,
                            int depth) {
  enum pausing kind = COMPUTES;
  unsigned count = 0;
  if (!LLVMGetFirstBasicBlock(function) || may_be_replaced(function) ||
      LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) ||
      depth == DEEPEST)
    return OTHER;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      enum pausing its = kind_of_instruction(u, i, depth);
      if (its == OTHER || ++count > MOST_INSTRUCTIONS)
        return OTHER;
      kind = its > kind ? its : kind;
    }
    if (leads_back(block))
      kind = PAUSES;
  }
  return kind;
}

/* ---- inlining ------------------------------------------------------------ */

static void inline_call(struct unit *u, LLVMValueRef call) {
  LLVMAddCallSiteAttribute(
      call, LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute(u->context, u->attribute[ATTRIBUTE_ALWAYSINLINE],
                              0));
}

static void inline_calls_in(struct unit *u, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
          LLVMGetFirstBasicBlock(LLVMGetCalledValue(i)))
        inline_call(u, i);
}

static void inline_everywhere(struct unit *u, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
      inline_call(u, user);
  }
}

/* ---- delays that are kept elsewhere -------------------------------------- */

/*   static void lock(struct back_off *b) {
 *     while (atomic_exchange(&taken, 1))
 *       back_off(b);
 *   }
 *
 * The variable is the caller's, which has it to itself if lock() is inlined,
 * too, and what only sets it at first. */

/* clang keeps a parameter in a variable. */
static bool is_parameter(LLVMValueRef pointer) {
  if (!LLVMIsALoadInst(pointer))
    return false;
  LLVMValueRef variable = LLVMGetOperand(pointer, 0);
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
        LLVMIsAArgument(LLVMGetOperand(user, 0)))
      return LLVMIsAAllocaInst(variable);
  }
  return false;
}

static LLVMValueRef origin_of(LLVMValueRef pointer) {
  while (LLVMIsABitCastInst(pointer) ||
         (LLVMIsAGetElementPtrInst(pointer) && is_fixed_member(pointer)))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

/* A call of a function that pauses, or computes what says how long. */
static bool may_delay(const struct unit *u, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) &&
         (drawn_draws(call) || kind_of(u, callee, 0) != OTHER);
}

static bool hands_on(const struct unit *u, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (is_parameter(origin_of(LLVMGetOperand(call, i))) && may_delay(u, call))
      return true;
  return false;
}

/* Not a large function, with a loop and atomic operations? */
static bool may_wait(LLVMValueRef function) {
  bool loops = false, looks = false;
  unsigned count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    loops = loops || leads_back(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      if (++count > MOST_INSTRUCTIONS ||
          (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == function))
        return false;
      looks = looks || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
    }
  }
  return loops && looks && !may_be_replaced(function) &&
         !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

static bool waits_with_parameter(const struct unit *u, LLVMValueRef function) {
  if (!may_wait(function))
    return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && hands_on(u, i))
        return true;
  return false;
}

static bool has_argument(LLVMValueRef call, LLVMValueRef variable) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (origin_of(LLVMGetOperand(call, i)) == variable)
      return true;
  return false;
}

/* Functions that compute, where they get a variable that such a call gets. */
static void inline_beside(struct unit *u, LLVMValueRef call) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef variable = origin_of(LLVMGetOperand(call, k));
    if (!LLVMIsAAllocaInst(variable))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(caller); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && has_argument(i, variable) &&
            LLVMIsAFunction(LLVMGetCalledValue(i)) &&
            kind_of(u, LLVMGetCalledValue(i), 0) == COMPUTES)
          inline_call(u, i);
  }
}

static void inline_around(struct unit *u, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
      inline_beside(u, user);
  }
}

/* Those that get the function's parameters. */
static void inline_computing(struct unit *u, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && hands_on(u, i) && !drawn_draws(i))
        inline_call(u, i);
}

void pausing_inline(struct unit *u, LLVMValueRef function) {
  if (kind_of(u, function, 0) == PAUSES) {
    inline_calls_in(u, function);
    inline_everywhere(u, function);
    inline_around(u, function);
  } else if (waits_with_parameter(u, function)) {
    inline_computing(u, function);
    inline_everywhere(u, function);
    inline_around(u, function);
  }
}

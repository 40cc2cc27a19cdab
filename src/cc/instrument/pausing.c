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
 * A function pauses if it has a loop, or calls what gives way to others or tells
 * the time (deadline.c), and touches only its own variables and members of what
 * its parameters point to, all of them without an order.  A function that does
 * so without a pause is inlined where a function that pauses calls it, such as
 * one that draws a random number.
 */
#include <string.h>

#include "deadline.h"
#include "delay.h"
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
  if (is_seen_copy(call))
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

void pausing_inline(struct unit *u, LLVMValueRef function) {
  if (kind_of(u, function, 0) != PAUSES)
    return;
  inline_calls_in(u, function);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
      inline_call(u, user);
  }
}

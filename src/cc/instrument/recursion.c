/* Waiting by recursion becomes a loop.
 *
 *   void lock(void) {
 *     if (!try_lock())
 *       lock();
 *   }
 *
 * Compilers turn such a function into a loop, or do not, as they are told to
 * optimise.  Here LLVM always does (tailcallelim) where a function that looks
 * at memory calls itself with the arguments that it got: then what is known of
 * loops that wait holds for it, whatever the options.  All other recursion
 * stays what it is, so that endless recursion ends by stack overflow.
 */
#include <string.h>

#include "unit.h"

#define STAYS "disable-tail-calls"
#define OURS "heddle.recursion" /* STAYS does not come from the user */

static bool calls_itself_alike(LLVMValueRef function, LLVMValueRef i) {
  if (!LLVMIsACallInst(i) || LLVMGetCalledValue(i) != function)
    return false;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
    if (LLVMGetOperand(i, k) != LLVMGetParam(function, k))
      return false;
  return true;
}

/* At memory that another thread may change, as far as can be seen here. */
static bool looks(LLVMValueRef function, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    return LLVMGetVolatile(i) ||
           LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMCall:
    return LLVMGetCalledValue(i) != function && !intrinsic_is_marker(i);
  default:
    return false;
  }
}

static bool waits_by_recursion(LLVMValueRef function) {
  bool looked = false, recurs = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      looked = looked || looks(function, i);
      recurs = recurs || calls_itself_alike(function, i);
    }
  return looked && recurs;
}

static bool has(LLVMValueRef function, const char *attribute) {
  return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       attribute,
                                       (unsigned)strlen(attribute)) != NULL;
}

static void add(struct unit *u, LLVMValueRef function, const char *attribute) {
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(u->context, attribute,
                                                    (unsigned)strlen(attribute),
                                                    "true", 4));
}

static void forget(LLVMValueRef function, const char *attribute) {
  LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                   attribute, (unsigned)strlen(attribute));
}

void recursion_begin(struct unit *u, LLVMValueRef function) {
  if (has(function, STAYS) || waits_by_recursion(function))
    return;
  add(u, function, STAYS);
  add(u, function, OURS);
}

void recursion_end(struct unit *u, LLVMValueRef function) {
  (void)u;
  if (!has(function, OURS))
    return;
  forget(function, STAYS);
  forget(function, OURS);
}

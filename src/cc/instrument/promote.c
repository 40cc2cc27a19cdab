/* Local variables leave memory.
 *
 * What a thread takes along from round to round of a loop must be values that
 * the hook at the loop's head can tell (loops.c).  LLVM's mem2reg makes values
 * of variables that are loaded and stored as what they are.  Its sroa also does
 * so with a pointer that clang takes for an integer to compare and swap it, and
 * with the members of a struct.
 *
 * But sroa changes accesses to other memory, too: it takes copies of a struct
 * apart, leaves out members that are not used, and reads in advance.  So it
 * gets to see only variables that nothing but their thread's own loads, stores
 * and copies touch.  The addresses of all others are given to a function that
 * LLVM knows nothing about, for as long as sroa runs.  A store elsewhere of
 * what was loaded from such a variable stays one store: it is volatile, as it
 * will be with its hook (access.c).
 */
#include <string.h>

#include "unit.h"

#define HIDES "heddle.hides"

static bool is_promoted(const struct unit *, const struct locals *,
                        LLVMValueRef pointer, uint64_t room);

/* A load or store of `type`, with so many bytes of the variable from where it
 * points. */
static bool is_simple(const struct unit *u, LLVMValueRef access,
                      LLVMTypeRef type, uint64_t room) {
  return !LLVMGetVolatile(access) &&
         LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic &&
         unit_size(u, type) <= room;
}

/* Of a struct's member; whatever else is computed may lead out of the variable.
 */
static bool is_member(const struct unit *u, const struct locals *locals,
                      LLVMValueRef member, uint64_t room) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(member);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind ||
      LLVMGetNumOperands(member) != 3)
    return false;
  LLVMValueRef first = LLVMGetOperand(member, 1);
  unsigned nth = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(member, 2));
  uint64_t offset = LLVMOffsetOfElement(u->layout, type, nth);
  return LLVMIsAConstantInt(first) && !LLVMConstIntGetZExtValue(first) &&
         offset <= room && is_promoted(u, locals, member, room - offset);
}

/* A copy between two variables of the thread, as long as they are, or a fill of
 * one. */
static bool is_copy(const struct locals *locals, LLVMValueRef call,
                    uint64_t room, bool fills) {
  LLVMValueRef length = LLVMGetOperand(call, 2);
  return LLVMIsAConstantInt(length) &&
         LLVMConstIntGetZExtValue(length) <= room &&
         !LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) && /* volatile */
         is_local(locals, LLVMGetOperand(call, 0)) &&
         (fills || is_local(locals, LLVMGetOperand(call, 1)));
}

static bool is_known_call(const struct locals *locals, LLVMValueRef call,
                          uint64_t room) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (intrinsic_is_marker(call))
    return true;
  if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
    return false;
  const char *name = LLVMGetValueName2(callee, &length);
  bool fills = !strncmp(name, "llvm.memset.p", 13);
  return (fills || !strncmp(name, "llvm.memcpy.p", 13)) &&
         is_copy(locals, call, room, fills);
}

static bool is_known_use(const struct unit *u, const struct locals *locals,
                         LLVMValueRef user, LLVMValueRef pointer,
                         uint64_t room) {
  LLVMValueRef stored;
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
    return is_simple(u, user, LLVMTypeOf(user), room);
  case LLVMStore:
    stored = LLVMGetOperand(user, 0);
    return stored != pointer && is_simple(u, user, LLVMTypeOf(stored), room);
  case LLVMBitCast:
    return is_promoted(u, locals, user, room);
  case LLVMGetElementPtr:
    return is_member(u, locals, user, room);
  case LLVMCall:
    return is_known_call(locals, user, room);
  default:
    return false;
  }
}

static bool is_promoted(const struct unit *u, const struct locals *locals,
                        LLVMValueRef pointer, uint64_t room) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use))
    if (!is_known_use(u, locals, LLVMGetUser(use), pointer, room))
      return false;
  return true;
}

/* One variable, not an array whose length is known only when it begins. */
static bool is_fixed(LLVMValueRef variable) {
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

static void hide(struct unit *u, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(u->context),
                                      &u->byte_pointer, 1, false);
  LLVMValueRef function = LLVMGetNamedFunction(u->module, HIDES);
  if (!function)
    function = LLVMAddFunction(u->module, HIDES, type);
  LLVMPositionBuilderBefore(u->builder, LLVMGetNextInstruction(variable));
  LLVMValueRef address =
      LLVMBuildPointerCast(u->builder, variable, u->byte_pointer, "");
  LLVMBuildCall2(u->builder, type, function, &address, 1, "");
}

static void prepare(struct unit *u, const struct locals *locals,
                    LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
    if (!is_fixed(instruction) ||
        !is_promoted(u, locals, instruction,
                     unit_size(u, LLVMGetAllocatedType(instruction))))
      hide(u, instruction);
    break;
  case LLVMStore:
    if (LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic &&
        !is_local(locals, LLVMGetOperand(instruction, 1)))
      LLVMSetVolatile(instruction, true);
    break;
  default:
    break;
  }
}

void promote_begin(struct unit *u, LLVMValueRef function) {
  struct locals locals = {0};
  locals_find(u, function, &locals);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      prepare(u, &locals, i);
  locals_free(&locals);
}

static void forget(LLVMValueRef call) {
  LLVMValueRef address = LLVMGetOperand(call, 0);
  LLVMInstructionEraseFromParent(call);
  if (LLVMIsABitCastInst(address) && !LLVMGetFirstUse(address))
    LLVMInstructionEraseFromParent(address);
}

void promote_end(struct unit *u) {
  LLVMUseRef use;
  LLVMValueRef function = LLVMGetNamedFunction(u->module, HIDES);
  if (!function)
    return;
  while ((use = LLVMGetFirstUse(function)))
    forget(LLVMGetUser(use));
  LLVMDeleteFunction(function);
}

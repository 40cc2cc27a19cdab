/* Which objects a thread keeps to itself.
 *
 * An object on the stack is local to its thread if no address of it, or of a
 * part of it, escapes: each use of a pointer to it is a load or store through
 * it, a comparison, or makes another pointer of which the same is true.  This
 * is decided for the object as a whole, whatever member or element an access
 * goes to.  All that is not known to keep the address lets it escape.
 *
 * Accesses to such objects need no hook: no other thread can see them, and
 * undoing a step restores the whole stack of its thread.
 */
#include <stdlib.h>

#include "unit.h"

bool value_list_has(const value_list *list, LLVMValueRef value) {
  for (size_t i = 0; i < list->size; i++)
    if (list->at[i] == value)
      return true;
  return false;
}

LLVMValueRef variable_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer) ? pointer : NULL;
}

/* ---- does an address escape? --------------------------------------------- */

/* What a use does with the pointer. */
enum use { KEEPS, DERIVES, LETS_ESCAPE };

/* A call reads what it gets by value, and intrinsics are known. */
static enum use use_by_call(const struct unit *u, LLVMValueRef call,
                            LLVMValueRef pointer) {
  if (is_assembly(call))
    return assembly_lets_escape(u, call, pointer) ? LETS_ESCAPE : KEEPS;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (callee == pointer)
    return LETS_ESCAPE;
  if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee))
    return intrinsic_lets_escape(call) ? LETS_ESCAPE : KEEPS;
  unsigned byval = u->attribute[ATTRIBUTE_BYVAL];
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == pointer &&
        !LLVMGetCallSiteEnumAttribute(call, i + 1, byval))
      return LETS_ESCAPE;
  return KEEPS;
}

static enum use use_of(const struct unit *u, LLVMValueRef user,
                       LLVMValueRef pointer) {
  if (!LLVMIsAInstruction(user))
    return LETS_ESCAPE;
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
  case LLVMICmp:
  case LLVMVAArg:
    return KEEPS;
  case LLVMStore:
    return LLVMGetOperand(user, 0) == pointer ? LETS_ESCAPE : KEEPS;
  case LLVMAtomicRMW:
    return LLVMGetOperand(user, 1) == pointer ? LETS_ESCAPE : KEEPS;
  case LLVMAtomicCmpXchg:
    return LLVMGetOperand(user, 1) == pointer ||
                   LLVMGetOperand(user, 2) == pointer
               ? LETS_ESCAPE
               : KEEPS;
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
    return DERIVES;
  case LLVMCall:
    return use_by_call(u, user, pointer);
  default:
    return LETS_ESCAPE;
  }
}

/* Only these can be reached in several ways. */
static bool joins(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
}

/* Vectors of pointers are not followed. */
static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static bool escapes(const struct unit *u, LLVMValueRef object) {
  value_list pointers = {0};
  bool escaped = false;
  VEC_PUSH(pointers, object);
  for (size_t i = 0; i < pointers.size && !escaped; i++) {
    LLVMValueRef pointer = pointers.at[i];
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && !escaped;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      enum use kind = use_of(u, user, pointer);
      escaped = kind == LETS_ESCAPE || (kind == DERIVES && !is_pointer(user));
      if (kind == DERIVES && !(joins(user) && value_list_has(&pointers, user)))
        VEC_PUSH(pointers, user);
    }
  }
  VEC_FREE(pointers);
  return escaped;
}

/* ---- all of a function --------------------------------------------------- */

static int by_address(const void *a, const void *b) {
  const LLVMValueRef *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void consider(const struct unit *u, struct locals *locals,
                     LLVMValueRef object) {
  if (escapes(u, object))
    VEC_PUSH(locals->escaping, object);
  else
    VEC_PUSH(locals->objects, object);
}

void locals_find(const struct unit *u, LLVMValueRef function,
                 struct locals *locals) {
  unsigned byval = u->attribute[ATTRIBUTE_BYVAL];
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetEnumAttributeAtIndex(function, i + 1, byval))
      consider(u, locals, LLVMGetParam(function, i));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsAAllocaInst(i))
        consider(u, locals, i);
  if (locals->objects.size)
    qsort(locals->objects.at, locals->objects.size, sizeof(LLVMValueRef),
          by_address);
}

void locals_free(struct locals *locals) {
  VEC_FREE(locals->objects);
  VEC_FREE(locals->escaping);
  VEC_FREE(locals->shown);
}

/* ---- where a pointer leads ----------------------------------------------- */

/* A pointer with more origins than that is taken for one to anywhere. */
enum { MOST_ORIGINS = 64 };

static bool is_local_object(const struct locals *locals, LLVMValueRef object) {
  if (LLVMIsAGlobalVariable(object))
    return LLVMIsGlobalConstant(object) && !LLVMIsThreadLocal(object);
  return locals->objects.size &&
         bsearch(&object, locals->objects.at, locals->objects.size,
                 sizeof object, by_address);
}

static LLVMOpcode opcode_of(LLVMValueRef value) {
  if (LLVMIsAInstruction(value))
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : 0;
}

/* Adds what the pointer is made from.  False: it is an object itself. */
static bool add_origins(value_list *pointers, LLVMValueRef pointer) {
  unsigned first = 0, end = 0;
  switch ((int)opcode_of(pointer)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
    end = 1;
    break;
  case LLVMSelect:
    first = 1, end = 3;
    break;
  case LLVMPHI:
    end = (unsigned)LLVMGetNumOperands(pointer);
    break;
  }
  for (unsigned i = first; i < end; i++)
    if (!value_list_has(pointers, LLVMGetOperand(pointer, i)))
      VEC_PUSH(*pointers, LLVMGetOperand(pointer, i));
  return end > 0;
}

bool is_local(const struct locals *locals, LLVMValueRef pointer) {
  value_list pointers = {0};
  bool local = true;
  VEC_PUSH(pointers, pointer);
  for (size_t i = 0; i < pointers.size && local; i++)
    local = pointers.size <= MOST_ORIGINS &&
            (add_origins(&pointers, pointers.at[i]) ||
             is_local_object(locals, pointers.at[i]));
  VEC_FREE(pointers);
  return local;
}

bool is_shown(const struct locals *locals, LLVMValueRef pointer) {
  value_list pointers = {0};
  bool shown = false;
  if (!locals->shown.size)
    return false;
  VEC_PUSH(pointers, pointer);
  for (size_t i = 0; i < pointers.size && !shown; i++) {
    add_origins(&pointers, pointers.at[i]);
    for (size_t k = 0; k < locals->shown.size; k++)
      shown = shown || locals->shown.at[k] == pointers.at[i];
  }
  VEC_FREE(pointers);
  return shown;
}

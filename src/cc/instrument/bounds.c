/* Is the access inside its object?
 *
 * Where a pointer is made from a variable by indexes and members alone, the
 * size of the object is known: a local variable, a parameter passed by value,
 * or a global variable that is defined here.  An access to a constant place in
 * it is inside or not; for all others the runtime looks at the address.
 */
#include "unit.h"

/* ---- the object ---------------------------------------------------------- */

static bool makes_pointer(LLVMOpcode opcode) {
  return opcode == LLVMGetElementPtr || opcode == LLVMBitCast;
}

static LLVMOpcode opcode_of(LLVMValueRef value) {
  if (LLVMIsAInstruction(value))
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : 0;
}

static LLVMValueRef object_of(LLVMValueRef pointer) {
  while (makes_pointer(opcode_of(pointer)))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

/* Another object's definition may take its place, or, in a section of its own,
 * be its neighbour on purpose. */
static bool is_settled(LLVMValueRef global) {
  switch (LLVMGetLinkage(global)) {
  case LLVMExternalLinkage:
  case LLVMInternalLinkage:
  case LLVMPrivateLinkage:
    break;
  default:
    return false;
  }
  const char *section = LLVMGetSection(global);
  return LLVMGetInitializer(global) && !LLVMIsThreadLocal(global) &&
         !(section && *section);
}

static uint64_t parameter_size(const struct unit *u, LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(
        function, i + 1, u->attribute[ATTRIBUTE_BYVAL]);
    if (byval && LLVMGetParam(function, i) == parameter)
      return LLVMABISizeOfType(u->layout, LLVMGetTypeAttributeValue(byval));
  }
  return 0;
}

/* 0: not known. */
static uint64_t object_size(const struct unit *u, LLVMValueRef object) {
  if (LLVMIsAGlobalVariable(object))
    return is_settled(object)
               ? LLVMABISizeOfType(u->layout, LLVMGlobalGetValueType(object))
               : 0;
  if (LLVMIsAArgument(object))
    return parameter_size(u, object);
  if (!LLVMIsAAllocaInst(object) ||
      !LLVMIsAConstantInt(LLVMGetOperand(object, 0)))
    return 0;
  return LLVMABISizeOfType(u->layout, LLVMGetAllocatedType(object)) *
         LLVMConstIntGetZExtValue(LLVMGetOperand(object, 0));
}

/* ---- the place in it ----------------------------------------------------- */

/* Adds the offset of one index into the type, which becomes that of the
 * element.  False: it is not constant, or of a type that is not looked into. */
static bool add_index(const struct unit *u, LLVMTypeRef *type,
                      LLVMValueRef index, int64_t *offset) {
  if (!LLVMIsAConstantInt(index))
    return false;
  int64_t n = LLVMConstIntGetSExtValue(index);
  switch (LLVMGetTypeKind(*type)) {
  case LLVMStructTypeKind:
    *offset += (int64_t)LLVMOffsetOfElement(u->layout, *type, (unsigned)n);
    *type = LLVMStructGetTypeAtIndex(*type, (unsigned)n);
    return true;
  case LLVMArrayTypeKind:
    *type = LLVMGetElementType(*type);
    *offset += n * (int64_t)LLVMABISizeOfType(u->layout, *type);
    return true;
  default:
    return false;
  }
}

static bool add_indexes(const struct unit *u, LLVMValueRef element,
                        int64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
  LLVMValueRef first = LLVMGetOperand(element, 1);
  if (!LLVMIsAConstantInt(first))
    return false;
  *offset += LLVMConstIntGetSExtValue(first) *
             (int64_t)LLVMABISizeOfType(u->layout, type);
  for (int i = 2; i < LLVMGetNumOperands(element); i++)
    if (!add_index(u, &type, LLVMGetOperand(element, (unsigned)i), offset))
      return false;
  return true;
}

static bool is_inside(const struct unit *u, LLVMValueRef pointer, uint64_t size,
                      uint64_t object_size) {
  int64_t offset = 0;
  for (; makes_pointer(opcode_of(pointer));
       pointer = LLVMGetOperand(pointer, 0))
    if (opcode_of(pointer) == LLVMGetElementPtr &&
        !add_indexes(u, pointer, &offset))
      return false;
  return offset >= 0 && (uint64_t)offset + size <= object_size;
}

/* ---- the hook ------------------------------------------------------------ */

void bounds_hook(struct unit *u, LLVMValueRef access, LLVMValueRef pointer,
                 uint64_t size) {
  LLVMValueRef object = object_of(pointer);
  uint64_t whole = object == pointer ? 0 : object_size(u, object);
  if (!whole || is_inside(u, pointer, size, whole))
    return;
  LLVMValueRef arguments[] = {object, unit_word(u, whole), pointer,
                              unit_word(u, size), site_of(u, access, 0)};
  unit_call(u, HOOK_bounds, arguments);
}

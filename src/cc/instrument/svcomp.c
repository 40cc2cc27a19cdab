/* SV-COMP's functions whose names begin with __VERIFIER_atomic_: each is one
 * atomic block. */
#include <string.h>

#include "unit.h"

#define PREFIX "__VERIFIER_atomic_"

/* Those of which such blocks are made may be defined by the program, too. */
static bool is_atomic(LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  return !strncmp(name, PREFIX, strlen(PREFIX)) &&
         strcmp(name, PREFIX "begin") != 0 && strcmp(name, PREFIX "end") != 0;
}

static void call_before(struct unit *u, LLVMValueRef where, const char *name) {
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(u->context), NULL, 0, false);
  LLVMValueRef function = LLVMGetNamedFunction(u->module, name);
  if (!function)
    function = LLVMAddFunction(u->module, name, type);
  LLVMPositionBuilderBefore(u->builder, where);
  LLVMBuildCall2(u->builder, type, function, NULL, 0, "");
}

void svcomp_make_atomic(struct unit *u, LLVMValueRef function) {
  if (!is_atomic(function))
    return;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (end && LLVMIsAReturnInst(end))
      call_before(u, end, PREFIX "end");
  }
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  call_before(u, LLVMGetFirstInstruction(entry), PREFIX "begin");
}

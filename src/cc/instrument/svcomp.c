/* SV-COMP's functions that a program may define itself.  A
 * function is one atomic block if its name begins with __VERIFIER_atomic_.  A
 * call of reach_error() is an error, even if its body does nothing. */
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

static bool is_error(LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  return !strcmp(name, "reach_error") || !strcmp(name, "__VERIFIER_error");
}

void svcomp_make_error(struct unit *u, LLVMValueRef function) {
  if (!is_error(function))
    return;
  LLVMTypeRef text = LLVMPointerType(LLVMInt8TypeInContext(u->context), 0);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(u->context), &text, 1, false);
  LLVMValueRef fail = LLVMGetNamedFunction(u->module, "heddle_fail");
  if (!fail)
    fail = LLVMAddFunction(u->module, "heddle_fail", type);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMPositionBuilderBefore(u->builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef said = LLVMBuildGlobalStringPtr(
      u->builder, "reach_error() was called", "reach_error");
  LLVMBuildCall2(u->builder, type, fail, &said, 1, "");
}

/* Inline assembly. */
#include "unit.h"

bool is_assembly(LLVMValueRef call) {
  return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL;
}

void assembly_hook(struct unit *u, const struct locals *locals,
                   LLVMValueRef call) {
  (void)locals;
  unit_refuse(u, call, "inline assembly");
}

void assembly_look_outside(struct unit *u) {
  size_t length = 0;
  LLVMGetModuleInlineAsm(u->module, &length);
  if (length)
    unit_refuse(u, NULL, "assembly");
}

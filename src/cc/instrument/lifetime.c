/* When local variables begin and end.
 *
 * If the address of a variable escapes, the runtime must know when the variable
 * ends: an access after that is an error.  A variable begins with its function
 * and ends when the function returns.  An array of variable length begins where
 * it is declared; its end is not announced, since the declaration need not have
 * been reached.
 */
#include <string.h>

#include "unit.h"

static bool is_variable(LLVMValueRef local) {
  return LLVMIsAAllocaInst(local);
}

/* Made once, when its function begins? */
static bool is_fixed(LLVMValueRef local) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(local);
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  return block == LLVMGetEntryBasicBlock(function) &&
         LLVMIsAConstantInt(LLVMGetOperand(local, 0));
}

static LLVMValueRef size_of(struct unit *u, LLVMValueRef local) {
  LLVMTypeRef type = LLVMGetAllocatedType(local);
  LLVMValueRef count =
      LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(local, 0), u->word, "");
  return LLVMBuildMul(u->builder, count,
                      unit_word(u, LLVMABISizeOfType(u->layout, type)), "");
}

/* ---- the beginning ------------------------------------------------------- */

static void begin_variable(struct unit *u, LLVMValueRef local) {
  LLVMPositionBuilderBefore(u->builder, LLVMGetNextInstruction(local));
  LLVMValueRef arguments[] = {local, size_of(u, local),
                              site_of_begin(u, local, local)};
  unit_call(u, HOOK_local_begin, arguments);
}

/* A parameter that its caller has copied for this call. */
static void begin_parameter(struct unit *u, LLVMValueRef function,
                            unsigned nth) {
  LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(
      function, nth + 1, u->attribute[ATTRIBUTE_BYVAL]);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  uint64_t size =
      LLVMABISizeOfType(u->layout, LLVMGetTypeAttributeValue(byval));
  LLVMPositionBuilderBefore(u->builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef parameter = LLVMGetParam(function, nth);
  LLVMValueRef arguments[] = {
      parameter, unit_word(u, size),
      site_of_begin(u, LLVMGetFirstInstruction(entry), parameter)};
  unit_call(u, HOOK_local_begin, arguments);
}

static void begin_parameters(struct unit *u, const struct locals *locals,
                             LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    for (size_t n = 0; n < locals->escaping.size; n++)
      if (locals->escaping.at[n] == LLVMGetParam(function, i))
        begin_parameter(u, function, i);
}

/* ---- the end ------------------------------------------------------------- */

/* Nothing may stand between a call that replaces its caller and the return. */
static bool follows_musttail(LLVMValueRef instruction) {
  LLVMValueRef before = LLVMGetPreviousInstruction(instruction);
  if (!before || !LLVMIsACallInst(before))
    return false;
  char *text = LLVMPrintValueToString(before);
  bool must = strstr(text, "musttail call") != NULL;
  LLVMDisposeMessage(text);
  return must;
}

static void end_variables(struct unit *u, const struct locals *locals,
                          LLVMValueRef end) {
  LLVMPositionBuilderBefore(u->builder, end);
  for (size_t i = 0; i < locals->escaping.size; i++) {
    LLVMValueRef local = locals->escaping.at[i];
    if (!is_variable(local) || !is_fixed(local))
      continue;
    LLVMValueRef arguments[] = {local, size_of(u, local),
                                site_of_end(u, end, local)};
    unit_call(u, HOOK_local_end, arguments);
  }
}

void lifetime_hook(struct unit *u, const struct locals *locals,
                   LLVMValueRef function) {
  if (!locals->escaping.size)
    return;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (end && LLVMIsAReturnInst(end) && !follows_musttail(end))
      end_variables(u, locals, end);
  }
  for (size_t i = 0; i < locals->escaping.size; i++)
    if (is_variable(locals->escaping.at[i]))
      begin_variable(u, locals->escaping.at[i]);
  begin_parameters(u, locals, function);
}

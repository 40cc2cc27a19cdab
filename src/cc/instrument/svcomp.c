/* SV-COMP's functions that a program may define itself.  A
 * function is one atomic block if its name begins with __VERIFIER_atomic_.  A
 * call of reach_error() is an error, even if its body does nothing.  Values of
 * __VERIFIER_nondet_*() are chosen before a block. */
#include <llvm-c/DebugInfo.h>
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

/* Where the function begins, as far as the source tells: the place of its first
 * instruction that has one. */
static LLVMMetadataRef first_place(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
      if (place && LLVMDILocationGetLine(place))
        return place;
    }
  return NULL;
}

/* The builder has the place of what it stands before, which may have none. */
static void position(struct unit *u, LLVMValueRef where) {
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(where);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(where);
  LLVMPositionBuilderBefore(u->builder, where);
  if (!place || !LLVMDILocationGetLine(place))
    place = first_place(LLVMGetBasicBlockParent(block));
  LLVMSetCurrentDebugLocation2(u->builder, place);
}

static void call_before(struct unit *u, LLVMValueRef where, const char *name) {
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(u->context), NULL, 0, false);
  LLVMValueRef function = LLVMGetNamedFunction(u->module, name);
  if (!function)
    function = LLVMAddFunction(u->module, name, type);
  position(u, where);
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

/* ---- choices ------------------------------------------------------------- */

/* The name of the function that is called; "" if it is none, or not known. */
static const char *called(LLVMValueRef instruction) {
  if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
    return "";
  LLVMValueRef function = LLVMGetCalledValue(instruction);
  size_t length;
  return LLVMIsAFunction(function) && LLVMIsDeclaration(function)
             ? LLVMGetValueName2(function, &length)
             : "";
}

static bool begins(const char *name) {
  return !strcmp(name, PREFIX "begin") || !strcmp(name, "heddle_atomic_begin");
}

static bool ends(const char *name) {
  return !strcmp(name, PREFIX "end") || !strcmp(name, "heddle_atomic_end");
}

static bool chooses(LLVMValueRef instruction) {
  static const char prefix[] = "__VERIFIER_nondet_";
  return !strncmp(called(instruction), prefix, strlen(prefix)) &&
         !LLVMGetNumArgOperands(instruction);
}

static void move_before(struct unit *u, LLVMValueRef where,
                        LLVMValueRef instruction) {
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
  LLVMInstructionRemoveFromParent(instruction);
  LLVMPositionBuilderBefore(u->builder, where);
  LLVMInsertIntoBuilder(u->builder, instruction);
  LLVMInstructionSetDebugLoc(instruction, place);
}

/* A choice is a step of its own, and an atomic block is one step.  The values
 * do not depend on anything, so it makes no difference if they are chosen
 * before the block.  Done where both are in one basic block. */
static void choose_in(struct unit *u, LLVMBasicBlockRef block) {
  LLVMValueRef begin = NULL, next;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (begins(called(i)))
      begin = begin ? begin : i;
    else if (ends(called(i)))
      begin = NULL;
    else if (begin && chooses(i))
      move_before(u, begin, i);
  }
}

void svcomp_choose_first(struct unit *u, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    choose_in(u, block);
}

/* ---- errors -------------------------------------------------------------- */

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
  position(u, LLVMGetFirstInstruction(entry));
  LLVMValueRef said = LLVMBuildGlobalStringPtr(
      u->builder, "reach_error() was called", "reach_error");
  LLVMBuildCall2(u->builder, type, fail, &said, 1, "");
}

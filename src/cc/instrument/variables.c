/* Keeping local variables where a debugger finds them.
 *
 * Variables whose address is not taken live in registers, and a debugger that
 * stops in a hook no longer finds most of them.  For a build that is debugged
 * (-fheddle-keep-variables) each gets a place on the stack, to which its values
 * are written as they come.  This happens when all hooks are there: the hooks
 * are those of any other build, and so are the schedules.
 *
 * From version 19 on LLVM keeps values of variables in another form, which the
 * C interface does not show: there, variables stay where they are.
 */
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <string.h>

#include "unit.h"

#if LLVM_VERSION_MAJOR < 19

/* A variable, in one call of its function if that is inlined. */
struct kept_variable {
  LLVMMetadataRef variable;
  LLVMMetadataRef call;
  LLVMTypeRef type;
  LLVMValueRef room; /* NULL: not yet */
  bool in_parts;     /* some of its values are not all of it */
};

typedef VEC(struct kept_variable) kept_list;
typedef VEC(LLVMValueRef) value_calls;

static bool is_value_call(LLVMValueRef instruction) {
  size_t length;
  if (!LLVMIsACallInst(instruction))
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  return LLVMIsAFunction(callee) &&
         !strcmp(LLVMGetValueName2(callee, &length), "llvm.dbg.value");
}

static bool is_whole(LLVMValueRef call) {
  char *text = LLVMPrintValueToString(LLVMGetOperand(call, 2));
  bool whole = strstr(text, "!DIExpression()");
  LLVMDisposeMessage(text);
  return whole;
}

/* The value that the variable has from here on; NULL: none is known. */
static LLVMValueRef value_of(LLVMValueRef call) {
  LLVMValueRef inner = LLVMGetOperand(call, 0);
  if (LLVMGetNumOperands(inner) != 1)
    return NULL;
  LLVMValueRef value = LLVMGetOperand(inner, 0);
  return value && !LLVMIsUndef(value) ? value : NULL;
}

static struct kept_variable *find(kept_list *list, LLVMValueRef call) {
  LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
  LLVMMetadataRef inlined = place ? LLVMDILocationGetInlinedAt(place) : NULL;
  for (size_t i = 0; i < list->size; i++)
    if (list->at[i].variable == variable && list->at[i].call == inlined)
      return &list->at[i];
  VEC_PUSH(*list,
           (struct kept_variable){.variable = variable, .call = inlined});
  return &VEC_TOP(*list);
}

static void collect(LLVMValueRef function, value_calls *calls) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (is_value_call(i))
        VEC_PUSH(*calls, i);
}

/* What is known of the variable from this value. */
static void look_at(kept_list *list, LLVMValueRef call) {
  struct kept_variable *v = find(list, call);
  if (!is_whole(call) || !LLVMInstructionGetDebugLoc(call)) {
    v->in_parts = true;
    return;
  }
  LLVMValueRef value = value_of(call);
  if (!value)
    return;
  if (!v->type)
    v->type = LLVMTypeOf(value);
  v->in_parts |= v->type != LLVMTypeOf(value);
}

static void declare(struct unit *u, const struct kept_variable *v,
                    LLVMValueRef call) {
  LLVMDIBuilderRef builder = LLVMCreateDIBuilder(u->module);
  LLVMMetadataRef whole = LLVMDIBuilderCreateExpression(builder, NULL, 0);
  LLVMDIBuilderInsertDeclareBefore(builder, v->room, v->variable, whole,
                                   LLVMInstructionGetDebugLoc(call), call);
  LLVMDisposeDIBuilder(builder);
}

static void keep(struct unit *u, kept_list *list, LLVMValueRef call) {
  struct kept_variable *v = find(list, call);
  if (v->in_parts || !v->type)
    return;
  if (!v->room) {
    v->room = unit_room(u, call, v->type);
    declare(u, v, call);
  }
  LLVMValueRef value = value_of(call);
  if (value) {
    LLVMPositionBuilderBefore(u->builder, call);
    LLVMSetVolatile(LLVMBuildStore(u->builder, value, v->room), true);
  }
  LLVMInstructionEraseFromParent(call);
}

void variables_keep(struct unit *u, LLVMValueRef function) {
  kept_list list = {0};
  value_calls calls = {0};
  collect(function, &calls);
  for (size_t i = 0; i < calls.size; i++)
    look_at(&list, calls.at[i]);
  for (size_t i = 0; i < calls.size; i++)
    keep(u, &list, calls.at[i]);
  VEC_FREE(list);
  VEC_FREE(calls);
}

#else

void variables_keep(struct unit *u, LLVMValueRef function) {
  (void)u;
  (void)function;
}

#endif

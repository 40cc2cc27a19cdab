/* Thread-local variables.
 *
 * The threads of a checked program are coroutines of one kernel thread, so the
 * machine's own thread-local storage is of no use.  Each variable becomes a
 * description (struct hook_thread_local) under the name heddle_tls.<variable>,
 * with the variable's linkage, and each use asks the runtime for the address of
 * the running thread's copy.
 *
 * The variable itself stays: it is what a run that is not checked uses, and
 * code that was compiled otherwise may define or use it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

#define PREFIX "heddle_tls."

/* ---- the description ----------------------------------------------------- */

/* NULL if all of it is zero. */
static LLVMValueRef initial_bytes(struct unit *u, LLVMValueRef variable) {
  LLVMValueRef value = LLVMGetInitializer(variable);
  if (!value || LLVMIsNull(value))
    return LLVMConstNull(u->byte_pointer);
  LLVMValueRef bytes =
      LLVMAddGlobal(u->module, LLVMTypeOf(value), "heddle.initial");
  LLVMSetInitializer(bytes, value);
  LLVMSetLinkage(bytes, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(bytes, true);
  return LLVMConstPointerCast(bytes, u->byte_pointer);
}

static LLVMValueRef describe(struct unit *u, LLVMValueRef variable) {
  size_t length = 0;
  char name[4096];
  snprintf(name, sizeof name, PREFIX "%s",
           LLVMGetValueName2(variable, &length));
  LLVMTypeRef value = LLVMGlobalGetValueType(variable);
  LLVMTypeRef fields[] = {u->word, u->word, u->byte_pointer};
  LLVMTypeRef type = LLVMStructTypeInContext(u->context, fields, 3, false);
  LLVMValueRef description = LLVMAddGlobal(u->module, type, name);
  LLVMSetLinkage(description, LLVMGetLinkage(variable));
  LLVMSetVisibility(description, LLVMGetVisibility(variable));
  LLVMSetGlobalConstant(description, true);
  if (LLVMIsDeclaration(variable)) {
    LLVMSetLinkage(description, LLVMExternalWeakLinkage);
    return description;
  }
  unsigned alignment = LLVMGetAlignment(variable);
  LLVMValueRef values[] = {unit_word(u, LLVMABISizeOfType(u->layout, value)),
                           unit_word(u, alignment ? alignment : 16),
                           initial_bytes(u, variable)};
  LLVMSetInitializer(description,
                     LLVMConstStructInContext(u->context, values, 3, false));
  if (LLVMGetLinkage(variable) == LLVMCommonLinkage)
    LLVMSetLinkage(description, LLVMWeakAnyLinkage);
  return description;
}

/* ---- uses ---------------------------------------------------------------- */

/* Where the value must be there for the instruction's operand. */
static void stand_before(struct unit *u, LLVMValueRef user, unsigned operand) {
  if (LLVMIsAPHINode(user))
    user = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand));
  LLVMPositionBuilderBefore(u->builder, user);
}

static LLVMValueRef build_like(struct unit *u, LLVMValueRef constant,
                               LLVMValueRef *operand, unsigned count) {
  LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  if (opcode == LLVMGetElementPtr)
    return LLVMBuildGEP2(u->builder, LLVMGetGEPSourceElementType(constant),
                         operand[0], operand + 1, count - 1, "");
  if (opcode == LLVMICmp)
    return LLVMBuildICmp(u->builder, LLVMGetICmpPredicate(constant), operand[0],
                         operand[1], "");
  if (opcode == LLVMSelect)
    return LLVMBuildSelect(u->builder, operand[0], operand[1], operand[2], "");
  if (LLVMAdd <= opcode && opcode <= LLVMXor)
    return LLVMBuildBinOp(u->builder, opcode, operand[0], operand[1], "");
  if (count == 1)
    return LLVMBuildCast(u->builder, opcode, operand[0], LLVMTypeOf(constant),
                         "");
  return NULL;
}

/* A constant expression, built anew by instructions with the address in the
 * place of the variable.  NULL: not one that is understood. */
static LLVMValueRef rebuild(struct unit *u, LLVMValueRef constant,
                            LLVMValueRef variable, LLVMValueRef address) {
  if (constant == variable)
    return LLVMBuildPointerCast(u->builder, address, LLVMTypeOf(variable), "");
  if (!LLVMIsAConstantExpr(constant))
    return constant;
  VEC(LLVMValueRef) operands = {0};
  bool known = true;
  for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
    VEC_PUSH(operands, rebuild(u, LLVMGetOperand(constant, (unsigned)i),
                               variable, address));
    known = known && VEC_TOP(operands);
  }
  LLVMValueRef built =
      known ? build_like(u, constant, operands.at, (unsigned)operands.size)
            : NULL;
  VEC_FREE(operands);
  return built;
}

static bool mentions(LLVMValueRef value, LLVMValueRef variable) {
  if (value == variable)
    return true;
  if (!LLVMIsAConstantExpr(value))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (mentions(LLVMGetOperand(value, (unsigned)i), variable))
      return true;
  return false;
}

/* From clang 15 on the address is taken by an intrinsic function. */
static bool takes_address(LLVMValueRef user) {
  size_t length = 0;
  if (!LLVMIsACallInst(user) || is_assembly(user))
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(user);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) &&
         !strcmp(LLVMIntrinsicGetName(LLVMGetIntrinsicID(callee), &length),
                 "llvm.threadlocal.address");
}

static void replace_operand(struct unit *u, LLVMValueRef user, unsigned operand,
                            LLVMValueRef variable, LLVMValueRef description) {
  stand_before(u, user, operand);
  LLVMValueRef address =
      unit_call(u, HOOK_thread_local, (LLVMValueRef[]){description, variable});
  LLVMValueRef value =
      rebuild(u, LLVMGetOperand(user, operand), variable, address);
  if (!value)
    unit_refuse(u, user, "an expression with a thread-local variable");
  else if (takes_address(user))
    LLVMReplaceAllUsesWith(user, value);
  else
    LLVMSetOperand(user, operand, value);
}

static void replace_in(struct unit *u, LLVMValueRef user, LLVMValueRef variable,
                       LLVMValueRef description) {
  for (int i = 0; i < LLVMGetNumOperands(user); i++)
    if (mentions(LLVMGetOperand(user, (unsigned)i), variable))
      replace_operand(u, user, (unsigned)i, variable, description);
  if (takes_address(user))
    LLVMInstructionEraseFromParent(user);
}

/* The instructions that use the value, also inside of constants. */
static void collect_users(LLVMValueRef value, value_list *users) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user))
      VEC_PUSH(*users, user);
    else if (LLVMIsAConstantExpr(user))
      collect_users(user, users);
  }
}

static int by_address(const void *a, const void *b) {
  const LLVMValueRef *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void lower(struct unit *u, LLVMValueRef variable) {
  LLVMValueRef description = describe(u, variable);
  value_list users = {0};
  collect_users(variable, &users);
  if (users.size)
    qsort(users.at, users.size, sizeof *users.at, by_address);
  for (size_t i = 0; i < users.size; i++)
    if (i == 0 || users.at[i] != users.at[i - 1])
      replace_in(u, users.at[i], variable, description);
  VEC_FREE(users);
}

void threadlocal_lower(struct unit *u) {
  value_list variables = {0};
  for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g;
       g = LLVMGetNextGlobal(g))
    if (LLVMIsThreadLocal(g))
      VEC_PUSH(variables, g);
  for (size_t i = 0; i < variables.size; i++)
    lower(u, variables.at[i]);
  VEC_FREE(variables);
}

/* Random numbers that only say how long a loop waits.
 *
 *   unsigned limit = 2;
 *   while (!try_lock()) {
 *     usleep(rand_r(&seed) % limit);
 *     if (limit < 1024)
 *       limit *= 2;
 *   }
 *
 * Rounds with different numbers are alike (delay.c), and the seed makes no
 * other difference: it is a local variable, or a member of one, that is only
 * set and drawn from, and all numbers are such values.  So any number will do:
 * the calls are taken out.
 */
#include "drawn.h"

#include <string.h>

#include "delay.h"

struct drawing {
  const struct unit *unit;
  const struct locals *locals;
  const struct graph *graph;
};

/* The first argument is what the next number is made from. */
static bool draws(LLVMValueRef call) {
  static const char *const names[] = {"rand_r", "erand48", "nrand48"};
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
    return false;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && !strncmp(name, names[i], length))
      return LLVMGetNumArgOperands(call) == 1;
  return false;
}

bool drawn_draws(LLVMValueRef call) {
  return draws(call);
}

/* In one of the loops that it stands in. */
static bool is_delay_somewhere(const struct drawing *d, LLVMValueRef call) {
  for (size_t i = 0; i < d->graph->backward.size; i++) {
    struct graph_loop loop;
    bool is = graph_find_loop(d->graph, d->graph->backward.at[i].to, &loop) &&
              graph_loop_has(d->graph, &loop, LLVMGetInstructionParent(call)) &&
              is_delay(d->unit, d->locals, d->graph, &loop, call);
    graph_loop_free(&loop);
    if (is)
      return true;
  }
  return false;
}

/* Filled, or copied from elsewhere, as where an array begins with values. */
static bool is_filled(LLVMValueRef call, LLVMValueRef pointer) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *name = LLVMGetValueName2(callee, &length);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) &&
         (!strncmp(name, "llvm.memset.p", 13) ||
          !strncmp(name, "llvm.memcpy.p", 13)) &&
         LLVMGetOperand(call, 0) == pointer &&
         LLVMGetOperand(call, 1) != pointer;
}

static bool is_same_member(LLVMValueRef a, LLVMValueRef b) {
  if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
      LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
      LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(a); i++)
    if (LLVMGetOperand(a, (unsigned)i) != LLVMGetOperand(b, (unsigned)i))
      return false;
  return true;
}

/* A fixed member of a struct, which is no part of another one. */
static bool is_member(LLVMValueRef i) {
  if (!LLVMIsAGetElementPtrInst(i) || LLVMGetNumOperands(i) != 3 ||
      LLVMGetTypeKind(LLVMGetGEPSourceElementType(i)) != LLVMStructTypeKind)
    return false;
  LLVMValueRef first = LLVMGetOperand(i, 1);
  return LLVMIsAConstantInt(first) && !LLVMConstIntGetZExtValue(first);
}

static bool is_set(LLVMValueRef user, LLVMValueRef pointer) {
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 0) != pointer;
  return LLVMIsACallInst(user) &&
         (intrinsic_is_marker(user) || is_filled(user, pointer));
}

static bool is_used_to_fill(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use))
    if (!LLVMIsACallInst(LLVMGetUser(use)) ||
        !is_set(LLVMGetUser(use), pointer))
      return false;
  return true;
}

/* Loads and stores, which do not leave the member. */
static bool is_used_alone(LLVMValueRef member) {
  for (LLVMUseRef use = LLVMGetFirstUse(member); use; use = LLVMGetNextUse(use))
    if (!LLVMIsALoadInst(LLVMGetUser(use)) && !is_set(LLVMGetUser(use), member))
      return false;
  return true;
}

/* Is what lies there only set and drawn from? */
static bool is_only_drawn(const struct drawing *d, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool derives = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user);
    if (!(derives && is_only_drawn(d, user)) && !is_set(user, pointer) &&
        !(LLVMIsACallInst(user) && draws(user) && is_delay_somewhere(d, user)))
      return false;
  }
  return true;
}

/* The same of this member of the variable, which has others. */
static bool is_only_drawn_as(const struct drawing *d, LLVMValueRef variable,
                             LLVMValueRef member) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool fits = is_same_member(user, member)
                    ? is_only_drawn(d, user)
                    : is_member(user) && is_used_alone(user);
    bool fills = LLVMIsACallInst(user) && is_set(user, variable);
    bool converts = LLVMIsABitCastInst(user) && is_used_to_fill(user);
    if (!fits && !fills && !converts)
      return false;
  }
  return true;
}

static bool may_be_taken_out(const struct drawing *d, LLVMValueRef call) {
  LLVMValueRef seed = LLVMGetOperand(call, 0), variable = variable_of(seed);
  if (!variable || !is_delay_somewhere(d, call))
    return false;
  return is_only_drawn(d, variable) ||
         (is_member(seed) && LLVMGetOperand(seed, 0) == variable &&
          is_only_drawn_as(d, variable, seed));
}

/* Not 0, which a division that fails must not become. */
static LLVMValueRef any_number(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind
             ? LLVMConstInt(type, 1, false)
             : LLVMConstReal(type, 0.5);
}

void drawn_take_out(struct unit *u, LLVMValueRef function) {
  struct locals locals = {0};
  struct graph g;
  VEC(LLVMValueRef) calls = {0};
  locals_find(u, function, &locals);
  graph_make(&g, function);
  shown_find(&g, &locals);
  struct drawing d = {u, &locals, &g};
  for (uint32_t b = 0; b < g.blocks.size; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(g.blocks.at[b]); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && draws(i) && may_be_taken_out(&d, i))
        VEC_PUSH(calls, i);
  for (size_t i = 0; i < calls.size; i++) {
    LLVMReplaceAllUsesWith(calls.at[i], any_number(LLVMTypeOf(calls.at[i])));
    LLVMInstructionEraseFromParent(calls.at[i]);
  }
  VEC_FREE(calls);
  graph_free(&g);
  locals_free(&locals);
}

/* Does this instruction touch memory?
 *
 * Every instruction is looked at.  One that touches memory is exactly one of:
 * hooked; local to its thread (local.c); refused, with its place.  Whatever is
 * not known to be harmless is refused, so that a new LLVM cannot bring in an
 * access that goes unseen.
 */
#include <stdio.h>
#include <string.h>

#include "core/event.h"
#include "core/hook.h"
#include "idle.h"
#include "unit.h"

/* ---- memory orders ------------------------------------------------------- */

/* The values of __ATOMIC_RELAXED to __ATOMIC_SEQ_CST. */
static uint32_t c11_order(LLVMAtomicOrdering order) {
  switch (order) {
  case LLVMAtomicOrderingAcquire:
    return __ATOMIC_ACQUIRE;
  case LLVMAtomicOrderingRelease:
    return __ATOMIC_RELEASE;
  case LLVMAtomicOrderingAcquireRelease:
    return __ATOMIC_ACQ_REL;
  case LLVMAtomicOrderingSequentiallyConsistent:
    return __ATOMIC_SEQ_CST;
  default:
    return __ATOMIC_RELAXED;
  }
}

/* ---- loads and stores ---------------------------------------------------- */

/* The code generator reads more than it is told to if that is faster and does
 * no harm, unless the access is volatile. */
static void hook_plain(struct unit *u, enum hook hook, LLVMValueRef access,
                       LLVMValueRef pointer, uint64_t size) {
  LLVMSetVolatile(access, true);
  LLVMValueRef arguments[] = {pointer, unit_word(u, size),
                              site_of(u, access, 0)};
  unit_call(u, hook, arguments);
}

/* `marks`: HOOK_CARRIED and HOOK_IDLE, or 0. */
static void hook_atomic(struct unit *u, enum hook hook, LLVMValueRef access,
                        LLVMValueRef pointer, uint64_t size, uint32_t marks) {
  uint32_t order = c11_order(LLVMGetOrdering(access)) | marks;
  LLVMValueRef arguments[] = {pointer, unit_word(u, size), unit_half(u, order),
                              site_of(u, access, 0)};
  unit_call(u, hook, arguments);
}

static bool is_atomic(LLVMValueRef access) {
  return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static uint32_t carried(const struct locals *locals, LLVMValueRef access) {
  return is_carried(locals, access) ? HOOK_CARRIED : 0;
}

static uint32_t idle(const struct unit *u, LLVMValueRef load) {
  return idle_is_marked(u, load) ? HOOK_IDLE : 0;
}

static void hook_load(struct unit *u, const struct locals *locals,
                      LLVMValueRef load) {
  uint64_t size = unit_size(u, LLVMTypeOf(load));
  if (is_atomic(load))
    hook_atomic(u, HOOK_load, load, LLVMGetOperand(load, 0), size,
                carried(locals, load) | idle(u, load));
  else if (size)
    hook_plain(u, HOOK_read, load, LLVMGetOperand(load, 0), size);
}

static void hook_store(struct unit *u, LLVMValueRef store) {
  uint64_t size = unit_size(u, LLVMTypeOf(LLVMGetOperand(store, 0)));
  if (is_atomic(store))
    hook_atomic(u, HOOK_store, store, LLVMGetOperand(store, 1), size, 0);
  else if (size)
    hook_plain(u, HOOK_write, store, LLVMGetOperand(store, 1), size);
}

/* ---- read-modify-writes -------------------------------------------------- */

/* Does it only compute a value? */
static bool is_computation(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMICmp:
  case LLVMBitCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    return true;
  default:
    return false;
  }
}

/* Is the value of no use?  x++ is an update that gives the old value, and an
 * addition that computes the new one. */
static bool is_unused(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (!LLVMIsAInstruction(LLVMGetUser(use)) ||
        !is_computation(LLVMGetUser(use)) || !is_unused(LLVMGetUser(use)))
      return false;
  return true;
}

/* Its kind, if updates of one kind commute; otherwise 0. */
static uint32_t kind_of(LLVMValueRef update) {
  switch (LLVMGetAtomicRMWBinOp(update)) {
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
    return ACCESS_ADDS;
  case LLVMAtomicRMWBinOpAnd:
    return ACCESS_ANDS;
  case LLVMAtomicRMWBinOpOr:
    return ACCESS_ORS;
  case LLVMAtomicRMWBinOpXor:
    return ACCESS_XORS;
  default:
    return 0;
  }
}

static void hook_update(struct unit *u, LLVMValueRef update) {
  LLVMValueRef pointer = LLVMGetOperand(update, 0);
  uint64_t size = unit_size(u, LLVMTypeOf(LLVMGetOperand(update, 1)));
  uint32_t kind = kind_of(update);
  if (!kind || !is_unused(update)) {
    hook_atomic(u, HOOK_update, update, pointer, size,
                kind == ACCESS_ADDS ? HOOK_ADDS : 0);
    return;
  }
  LLVMValueRef arguments[] = {pointer, unit_word(u, size),
                              unit_half(u, c11_order(LLVMGetOrdering(update))),
                              unit_word(u, kind), site_of(u, update, 0)};
  unit_call(u, HOOK_update_unused, arguments);
}

/* ---- compare-and-swap ---------------------------------------------------- */

/* An integer of any size, or a pointer, as one of up to 128 bits. */
static LLVMValueRef as_integer(struct unit *u, LLVMValueRef value) {
  LLVMTypeRef type = LLVMIntTypeInContext(
      u->context, (unsigned)unit_size(u, LLVMTypeOf(value)) * 8);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(u->builder, value, type, "");
  return value;
}

static LLVMValueRef upper_word(struct unit *u, LLVMValueRef value,
                               uint64_t size) {
  if (size <= 8)
    return unit_word(u, 0);
  LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(value), 64, false);
  return LLVMBuildLShr(u->builder, value, shift, "");
}

static void hook_swap(struct unit *u, const struct locals *locals,
                      LLVMValueRef swap) {
  LLVMValueRef expected = as_integer(u, LLVMGetOperand(swap, 1));
  uint64_t size = unit_size(u, LLVMTypeOf(expected));
  uint32_t success = c11_order(LLVMGetCmpXchgSuccessOrdering(swap));
  uint32_t failure = c11_order(LLVMGetCmpXchgFailureOrdering(swap));
  uint32_t orders = success | failure << 8 | carried(locals, swap);
  LLVMValueRef arguments[] = {
      LLVMGetOperand(swap, 0),       unit_word(u, size),
      unit_half(u, orders),          expected,
      upper_word(u, expected, size), site_of(u, swap, 0)};
  unit_call(u, HOOK_swap, arguments);
}

/* A fence's order is its last word.  LLVMGetOrdering() takes a fence for a
 * read-modify-write in LLVM 14 to 17, and gives another order. */
static uint32_t fence_order(LLVMValueRef fence) {
  char *text = LLVMPrintValueToString(fence);
  uint32_t order = strstr(text, " acq_rel")   ? __ATOMIC_ACQ_REL
                   : strstr(text, " acquire") ? __ATOMIC_ACQUIRE
                   : strstr(text, " release") ? __ATOMIC_RELEASE
                                              : __ATOMIC_SEQ_CST;
  LLVMDisposeMessage(text);
  return order;
}

/* A fence among the functions of one thread orders nothing for others. */
static void hook_fence(struct unit *u, LLVMValueRef fence) {
  if (LLVMIsAtomicSingleThread(fence))
    return;
  LLVMValueRef arguments[] = {unit_half(u, fence_order(fence)),
                              site_of(u, fence, 0)};
  unit_call(u, HOOK_fence, arguments);
}

/* ---- calls --------------------------------------------------------------- */

/* The caller copies what it passes by value. */
static void hook_argument(struct unit *u, const struct locals *locals,
                          LLVMValueRef call, unsigned nth) {
  LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(
      call, nth + 1, u->attribute[ATTRIBUTE_BYVAL]);
  LLVMValueRef pointer = LLVMGetOperand(call, nth);
  if (!byval || is_local(locals, pointer))
    return;
  uint64_t size =
      LLVMABISizeOfType(u->layout, LLVMGetTypeAttributeValue(byval));
  LLVMValueRef arguments[] = {pointer, unit_word(u, size),
                              site_of(u, call, nth)};
  if (size)
    unit_call(u, HOOK_read, arguments);
}

static bool has_argument(const struct unit *u, LLVMValueRef call,
                         enum attribute attribute) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (u->attribute[attribute] &&
        LLVMGetCallSiteEnumAttribute(call, i + 1, u->attribute[attribute]))
      return true;
  return false;
}

/* With an unused result it makes no difference which thread gets it. */
static void hook_result(struct unit *u, LLVMValueRef call,
                        LLVMValueRef callee) {
  size_t length = 0;
  if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) &&
      !strcmp(LLVMGetValueName2(callee, &length), "pthread_barrier_wait") &&
      is_unused(call))
    unit_call(u, HOOK_unused, NULL);
}

static void hook_call(struct unit *u, const struct locals *locals,
                      LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (is_assembly(call)) {
    assembly_hook(u, locals, call);
  } else if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)) {
    intrinsic_hook(u, locals, call);
  } else if (has_argument(u, call, ATTRIBUTE_INALLOCA) ||
             has_argument(u, call, ATTRIBUTE_PREALLOCATED)) {
    unit_refuse(u, call, "arguments that the caller builds in place");
  } else {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
      hook_argument(u, locals, call, i);
    hook_result(u, call, callee);
  }
}

/* ---- every instruction --------------------------------------------------- */

static void refuse_opcode(struct unit *u, LLVMValueRef instruction) {
  char *text = LLVMPrintValueToString(instruction);
  char what[400];
  snprintf(what, sizeof what, "an instruction that is not known: %.300s", text);
  unit_refuse(u, instruction, what);
  LLVMDisposeMessage(text);
}

/* The operand of an access that points to the memory. */
static LLVMValueRef pointer_of(LLVMValueRef access) {
  bool is_store = LLVMGetInstructionOpcode(access) == LLVMStore;
  return LLVMGetOperand(access, is_store ? 1 : 0);
}

/* Relative to a segment register, for instance. */
static bool is_elsewhere(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0;
}

static uint64_t accessed_size(const struct unit *u, LLVMValueRef access) {
  switch (LLVMGetInstructionOpcode(access)) {
  case LLVMLoad:
    return unit_size(u, LLVMTypeOf(access));
  case LLVMStore:
    return unit_size(u, LLVMTypeOf(LLVMGetOperand(access, 0)));
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return unit_size(u, LLVMTypeOf(LLVMGetOperand(access, 1)));
  default:
    return 0;
  }
}

static void hook_own(struct unit *u, LLVMValueRef access) {
  LLVMValueRef arguments[] = {pointer_of(access),
                              unit_word(u, accessed_size(u, access))};
  LLVMSetVolatile(access, true);
  unit_call(u, LLVMIsAStoreInst(access) ? HOOK_own_write : HOOK_own_read,
            arguments);
}

static void hook_access(struct unit *u, const struct locals *locals,
                        LLVMValueRef access) {
  if (is_elsewhere(pointer_of(access))) {
    unit_refuse(u, access, "an access to another address space");
    return;
  }
  bounds_hook(u, access, pointer_of(access), accessed_size(u, access));
  if (is_local(locals, pointer_of(access))) {
    if (is_shown(locals, pointer_of(access)))
      hook_own(u, access);
    return;
  }
  switch (LLVMGetInstructionOpcode(access)) {
  case LLVMLoad:
    hook_load(u, locals, access);
    break;
  case LLVMStore:
    hook_store(u, access);
    break;
  case LLVMAtomicRMW:
    hook_update(u, access);
    break;
  case LLVMAtomicCmpXchg:
    hook_swap(u, locals, access);
    break;
  default: /* clang itself turns va_arg into loads and stores */
    unit_refuse(u, access, "va_arg on a list that is not local");
  }
}

static void look_at(struct unit *u, const struct locals *locals,
                    LLVMValueRef instruction) {
  LLVMPositionBuilderBefore(u->builder, instruction);
  switch (LLVMGetInstructionOpcode(instruction)) {
#define HARMLESS(opcode) case LLVM##opcode:
#include "opcodes.def"
#undef HARMLESS
    break;
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    hook_access(u, locals, instruction);
    break;
  case LLVMFence:
    hook_fence(u, instruction);
    break;
  case LLVMCall:
  case LLVMInvoke:
  case LLVMCallBr:
    hook_call(u, locals, instruction);
    break;
  default:
    refuse_opcode(u, instruction);
  }
}

void access_hook(struct unit *u, LLVMValueRef function) {
  struct locals locals = {0};
  locals_find(u, function, &locals);
  loops_hook(u, &locals, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      look_at(u, &locals, i);
    }
  lifetime_hook(u, &locals, function);
  locals_free(&locals);
}

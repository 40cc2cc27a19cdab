/* Calls of LLVM's intrinsic functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum kind {
  HARMLESS,
  COPY,
  MOVE,
  FILL,
  COPY_ELEMENTS,
  FILL_ELEMENTS,
  READ_LANES, /* the mask is a vector of bits */
  WRITE_LANES,
  READ_PACKED, /* the lanes under the mask lie one behind another */
  WRITE_PACKED,
  READ_SIGNS, /* the mask is the sign of integers */
  WRITE_SIGNS,
  READ,
  FENCE,
  LIST_START, /* of a va_list */
  LIST_COPY,
  UNKNOWN,
};

static const struct {
  const char *name; /* '*' at the end: and all that begin so */
  enum kind kind;
} known[] = {
#define INTRINSIC(name, kind) {name, kind},
#include "intrinsics.def"
#undef INTRINSIC
};

/* ---- which intrinsic ----------------------------------------------------- */

static bool fits(const char *pattern, const char *name, size_t length) {
  size_t size = strlen(pattern);
  if (pattern[size - 1] == '*')
    return length >= size - 1 && !memcmp(pattern, name, size - 1);
  return length == size && !memcmp(pattern, name, size);
}

static bool touches_nothing(const struct unit *u, LLVMValueRef function) {
  unsigned readnone = u->attribute[ATTRIBUTE_READNONE];
  unsigned memory = u->attribute[ATTRIBUTE_MEMORY];
  LLVMAttributeIndex index = LLVMAttributeFunctionIndex;
  if (readnone && LLVMGetEnumAttributeAtIndex(function, index, readnone))
    return true;
  LLVMAttributeRef effects =
      memory ? LLVMGetEnumAttributeAtIndex(function, index, memory) : NULL;
  return effects && LLVMGetEnumAttributeValue(effects) == 0;
}

static enum kind listed_kind(LLVMValueRef function) {
  size_t length = 0;
  const char *name =
      LLVMIntrinsicGetName(LLVMGetIntrinsicID(function), &length);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (fits(known[i].name, name, length))
      return known[i].kind;
  return UNKNOWN;
}

/* A pointer that comes out again has a new name. */
bool intrinsic_lets_escape(LLVMValueRef call) {
  return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind ||
         listed_kind(LLVMGetCalledValue(call)) == UNKNOWN;
}

/* ---- copying and filling ------------------------------------------------- */

static void announce(struct unit *u, enum hook hook, LLVMValueRef call,
                     unsigned nth, LLVMValueRef size) {
  LLVMValueRef arguments[] = {LLVMGetOperand(call, nth), size,
                              site_of(u, call, nth)};
  unit_call(u, hook, arguments);
}

/* The hook copies where both sides may be shared.  Otherwise it is enough to
 * announce one side, and the copy can become better code. */
static void hook_copy(struct unit *u, const struct locals *locals,
                      LLVMValueRef call, enum hook hook, LLVMValueRef size) {
  bool to_local = is_local(locals, LLVMGetOperand(call, 0));
  bool from_local = is_local(locals, LLVMGetOperand(call, 1));
  if (to_local && from_local)
    return;
  if (to_local || from_local) {
    announce(u, to_local ? HOOK_read : HOOK_write, call, to_local ? 1 : 0,
             size);
    return;
  }
  LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                              size, site_of(u, call, 0)};
  unit_call(u, hook, arguments);
  LLVMInstructionEraseFromParent(call);
}

static void hook_fill(struct unit *u, const struct locals *locals,
                      LLVMValueRef call) {
  if (is_local(locals, LLVMGetOperand(call, 0)))
    return;
  LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                              LLVMGetOperand(call, 2), site_of(u, call, 0)};
  unit_call(u, HOOK_fill, arguments);
  LLVMInstructionEraseFromParent(call);
}

static void hook_elements(struct unit *u, LLVMValueRef call, enum hook hook) {
  LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                              LLVMGetOperand(call, 2), LLVMGetOperand(call, 3),
                              site_of(u, call, 0)};
  unit_call(u, hook, arguments);
  LLVMInstructionEraseFromParent(call);
}

/* ---- lanes --------------------------------------------------------------- */

static LLVMTypeRef vector_element(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type)
                                                     : NULL;
}

static bool points(LLVMValueRef value) {
  LLVMTypeRef element = vector_element(value);
  LLVMTypeRef type = element ? element : LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_bit_mask(LLVMValueRef value) {
  LLVMTypeRef element = vector_element(value);
  return element && LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(element) == 1;
}

/* An access of lanes, taken apart. */
struct lanes {
  LLVMValueRef pointer; /* or a vector of pointers */
  LLVMValueRef mask;    /* a vector of bits */
  LLVMTypeRef element;
  unsigned pointer_number; /* of the argument */
  bool packed;
};

/* A load's mask comes before the vector that fills the other lanes, a store's
 * behind the vector that is stored. */
static bool find_lanes(struct unit *u, LLVMValueRef call, enum kind kind,
                       struct lanes *lanes) {
  bool writes = kind == WRITE_LANES || kind == WRITE_PACKED;
  bool signs = kind == READ_SIGNS || kind == WRITE_SIGNS;
  *lanes =
      (struct lanes){.packed = kind == READ_PACKED || kind == WRITE_PACKED};
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (points(argument) && !(writes && i == 0)) {
      lanes->pointer = argument;
      lanes->pointer_number = i;
    } else if (is_bit_mask(argument) && (writes || !lanes->mask)) {
      lanes->mask = argument;
    }
  }
  if (signs) {
    LLVMValueRef mask = LLVMGetOperand(call, 1);
    lanes->element = vector_element(mask);
    lanes->mask = LLVMBuildICmp(u->builder, LLVMIntSLT, mask,
                                LLVMConstNull(LLVMTypeOf(mask)), "");
  } else {
    lanes->element = vector_element(writes ? LLVMGetOperand(call, 0) : call);
  }
  return lanes->pointer && lanes->mask && lanes->element;
}

/* Lane i, if the first `before` lanes of a packed access are there. */
static LLVMValueRef lane_address(struct unit *u, const struct lanes *lanes,
                                 unsigned i, LLVMValueRef before) {
  if (vector_element(lanes->pointer)) {
    LLVMValueRef address = LLVMBuildExtractElement(u->builder, lanes->pointer,
                                                   unit_half(u, i), "");
    return LLVMBuildPointerCast(u->builder, address, u->byte_pointer, "");
  }
  LLVMValueRef base =
      LLVMBuildPointerCast(u->builder, lanes->pointer, u->byte_pointer, "");
  LLVMValueRef size = unit_word(u, unit_size(u, lanes->element));
  LLVMValueRef offset = LLVMBuildMul(
      u->builder, lanes->packed ? before : unit_word(u, i), size, "");
  return LLVMBuildGEP2(u->builder, LLVMInt8TypeInContext(u->context), base,
                       &offset, 1, "");
}

static LLVMValueRef list_addresses(struct unit *u, LLVMValueRef call,
                                   const struct lanes *lanes, unsigned count) {
  LLVMTypeRef type = LLVMArrayType(u->byte_pointer, count);
  LLVMValueRef list = unit_room(u, call, type), before = unit_word(u, 0);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef bit =
        LLVMBuildExtractElement(u->builder, lanes->mask, unit_half(u, i), "");
    LLVMValueRef address =
        LLVMBuildSelect(u->builder, bit, lane_address(u, lanes, i, before),
                        LLVMConstNull(u->byte_pointer), "");
    LLVMValueRef index[] = {unit_word(u, 0), unit_word(u, i)};
    LLVMBuildStore(u->builder, address,
                   LLVMBuildGEP2(u->builder, type, list, index, 2, ""));
    before = LLVMBuildAdd(u->builder, before,
                          LLVMBuildZExt(u->builder, bit, u->word, ""), "");
  }
  return list;
}

static void refuse(struct unit *u, LLVMValueRef call) {
  size_t length = 0;
  char what[200];
  snprintf(what, sizeof what,
           "%s: a builtin function that heddle does not know",
           LLVMGetValueName2(LLVMGetCalledValue(call), &length));
  unit_refuse(u, call, what);
}

static void hook_lanes(struct unit *u, const struct locals *locals,
                       LLVMValueRef call, enum kind kind) {
  struct lanes lanes;
  bool writes =
      kind == WRITE_LANES || kind == WRITE_PACKED || kind == WRITE_SIGNS;
  if (!find_lanes(u, call, kind, &lanes)) {
    refuse(u, call); /* vectors whose size is not known */
    return;
  }
  if (!vector_element(lanes.pointer) && is_local(locals, lanes.pointer))
    return;
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(lanes.mask));
  LLVMValueRef arguments[] = {list_addresses(u, call, &lanes, count),
                              unit_word(u, count),
                              unit_word(u, unit_size(u, lanes.element)),
                              site_of(u, call, lanes.pointer_number)};
  unit_call(u, writes ? HOOK_write_lanes : HOOK_read_lanes, arguments);
}

/* ---- others -------------------------------------------------------------- */

static void hook_read(struct unit *u, const struct locals *locals,
                      LLVMValueRef call) {
  if (!is_local(locals, LLVMGetOperand(call, 0)))
    announce(u, HOOK_read, call, 0,
             unit_word(u, unit_size(u, LLVMTypeOf(call))));
}

static void hook_fence(struct unit *u, LLVMValueRef call) {
  LLVMValueRef arguments[] = {unit_half(u, __ATOMIC_SEQ_CST),
                              site_of(u, call, 0)};
  unit_call(u, HOOK_fence, arguments);
}

/* Of the calling conventions that C has here. */
static LLVMValueRef list_size(const struct unit *u) {
  bool arm = !strncmp(LLVMGetTarget(u->module), "aarch64", 7);
  return unit_word(u, arm ? 32 : 24);
}

void intrinsic_hook(struct unit *u, const struct locals *locals,
                    LLVMValueRef call) {
  LLVMValueRef function = LLVMGetCalledValue(call);
  enum kind kind = listed_kind(function);
  switch (kind) {
  case HARMLESS:
    break;
  case COPY:
    hook_copy(u, locals, call, HOOK_copy, LLVMGetOperand(call, 2));
    break;
  case MOVE:
    hook_copy(u, locals, call, HOOK_move, LLVMGetOperand(call, 2));
    break;
  case LIST_COPY:
    hook_copy(u, locals, call, HOOK_move, list_size(u));
    break;
  case FILL:
    hook_fill(u, locals, call);
    break;
  case COPY_ELEMENTS:
    hook_elements(u, call, HOOK_copy_elements);
    break;
  case FILL_ELEMENTS:
    hook_elements(u, call, HOOK_fill_elements);
    break;
  case READ:
    hook_read(u, locals, call);
    break;
  case FENCE:
    hook_fence(u, call);
    break;
  case LIST_START:
    if (!is_local(locals, LLVMGetOperand(call, 0)))
      announce(u, HOOK_write, call, 0, list_size(u));
    break;
  case UNKNOWN:
    if (!touches_nothing(u, function))
      refuse(u, call);
    break;
  default:
    hook_lanes(u, locals, call, kind);
  }
}

/* ---- after optimisation -------------------------------------------------- */

/* The code generator copies as much by instructions, whatever the processor
 * can do. */
enum { MOST_INLINE = 32 };

static bool is_small(LLVMValueRef size) {
  return LLVMIsAConstantInt(size) &&
         LLVMConstIntGetZExtValue(size) <= MOST_INLINE;
}

static void lower(struct unit *u, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!callee || !LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
    return;
  enum kind kind = listed_kind(callee);
  if ((kind != COPY && kind != MOVE && kind != FILL) ||
      is_small(LLVMGetOperand(call, 2)))
    return;
  LLVMPositionBuilderBefore(u->builder, call);
  LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                              LLVMGetOperand(call, 2)};
  unit_call(u, kind == FILL ? HOOK_local_fill : HOOK_local_copy, arguments);
  LLVMInstructionEraseFromParent(call);
}

void intrinsic_lower(struct unit *u, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsACallInst(i) && !is_assembly(i))
        lower(u, i);
    }
}

bool intrinsic_is_marker(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
    return false;
  const char *name = LLVMGetValueName2(callee, &length);
  return !strncmp(name, "llvm.dbg.", 9) || !strncmp(name, "llvm.lifetime.", 14);
}

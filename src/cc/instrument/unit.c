/* Building calls and constants in a translation unit. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  char result;
  const char *parameters;
} hooks[] = {
#define HOOK(name, result, parameters) \
  {"heddle_hook_" #name, #result[0], parameters},
#include "core/hooks.def"
#undef HOOK
};

enum { MOST_PARAMETERS = 8 };

/* ---- the unit ------------------------------------------------------------ */

static unsigned attribute_number(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void find_attributes(struct unit *u) {
  static const char *const names[ATTRIBUTES] = {
      [ATTRIBUTE_BYVAL] = "byval",
      [ATTRIBUTE_ELEMENTTYPE] = "elementtype",
      [ATTRIBUTE_INALLOCA] = "inalloca",
      [ATTRIBUTE_PREALLOCATED] = "preallocated",
      [ATTRIBUTE_SRET] = "sret",
      [ATTRIBUTE_READNONE] = "readnone",
      [ATTRIBUTE_READONLY] = "readonly",
      [ATTRIBUTE_WRITEONLY] = "writeonly",
      [ATTRIBUTE_ARGMEMONLY] = "argmemonly",
      [ATTRIBUTE_INACCESSIBLEMEMONLY] = "inaccessiblememonly",
      [ATTRIBUTE_INACCESSIBLEMEM_OR_ARGMEMONLY] =
          "inaccessiblemem_or_argmemonly",
      [ATTRIBUTE_MEMORY] = "memory",
      [ATTRIBUTE_SPECULATABLE] = "speculatable",
      [ATTRIBUTE_WILLRETURN] = "willreturn",
      [ATTRIBUTE_BUILTIN] = "builtin",
      [ATTRIBUTE_NOBUILTIN] = "nobuiltin",
      [ATTRIBUTE_ALWAYSINLINE] = "alwaysinline",
  };
  for (int i = 0; i < ATTRIBUTES; i++)
    u->attribute[i] = attribute_number(names[i]);
}

void unit_begin(struct unit *u) {
  u->layout = LLVMCreateTargetDataLayout(u->machine);
  u->builder = LLVMCreateBuilderInContext(u->context);
  u->byte_pointer = LLVMPointerType(LLVMInt8TypeInContext(u->context), 0);
  u->word = LLVMInt64TypeInContext(u->context);
  u->half = LLVMInt32TypeInContext(u->context);
  u->object_kind = LLVMGetMDKindIDInContext(u->context, "heddle", 6);
  u->idle_kind = LLVMGetMDKindIDInContext(u->context, "heddle.idle", 11);
  find_attributes(u);
}

/* ---- types and constants ------------------------------------------------- */

static LLVMTypeRef type_of(const struct unit *u, char letter) {
  switch (letter) {
  case 'v':
    return LLVMVoidTypeInContext(u->context);
  case 'o':
    return u->half;
  case 'n':
  case 'w':
    return u->word;
  default:
    return u->byte_pointer;
  }
}

LLVMValueRef unit_word(const struct unit *u, uint64_t value) {
  return LLVMConstInt(u->word, value, false);
}

LLVMValueRef unit_half(const struct unit *u, uint32_t value) {
  return LLVMConstInt(u->half, value, false);
}

uint64_t unit_size(const struct unit *u, LLVMTypeRef type) {
  return LLVMStoreSizeOfType(u->layout, type);
}

LLVMValueRef unit_bytes(struct unit *u, const char *bytes, size_t size) {
  LLVMValueRef text =
      LLVMConstStringInContext(u->context, bytes, (unsigned)size, true);
  LLVMValueRef global =
      LLVMAddGlobal(u->module, LLVMTypeOf(text), "heddle.text");
  LLVMSetInitializer(global, text);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(global, 1);
  return global;
}

/* llvm.used is an array of pointers that can only be made anew. */
void unit_keep(struct unit *u, LLVMValueRef global) {
  LLVMValueRef used = LLVMGetNamedGlobal(u->module, "llvm.used");
  VEC(LLVMValueRef) all = {0};
  if (used) {
    LLVMValueRef list = LLVMGetInitializer(used);
    for (int i = 0; i < LLVMGetNumOperands(list); i++)
      VEC_PUSH(all, LLVMGetOperand(list, (unsigned)i));
    LLVMDeleteGlobal(used);
  }
  VEC_PUSH(all, LLVMConstPointerCast(global, u->byte_pointer));
  LLVMValueRef list =
      LLVMConstArray(u->byte_pointer, all.at, (unsigned)all.size);
  used = LLVMAddGlobal(u->module, LLVMTypeOf(list), "llvm.used");
  LLVMSetInitializer(used, list);
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
  VEC_FREE(all);
}

/* ---- room on the stack --------------------------------------------------- */

/* At the start of the function: in a loop the stack would grow. */
LLVMValueRef unit_room(struct unit *u, LLVMValueRef call, LLVMTypeRef type) {
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMPositionBuilderBefore(
      u->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef room = LLVMBuildAlloca(u->builder, type, "");
  LLVMPositionBuilderBefore(u->builder, call);
  return room;
}

/* ---- calls --------------------------------------------------------------- */

static LLVMTypeRef hook_type(const struct unit *u, enum hook hook) {
  LLVMTypeRef parameters[MOST_PARAMETERS];
  unsigned count = 0;
  for (const char *p = hooks[hook].parameters; *p; p++)
    parameters[count++] = type_of(u, *p);
  return LLVMFunctionType(type_of(u, hooks[hook].result), parameters, count,
                          false);
}

static LLVMValueRef converted(struct unit *u, LLVMValueRef value,
                              LLVMTypeRef wanted) {
  if (LLVMTypeOf(value) == wanted)
    return value;
  if (LLVMGetTypeKind(wanted) == LLVMPointerTypeKind)
    return LLVMBuildPointerCast(u->builder, value, wanted, "");
  return LLVMBuildIntCast2(u->builder, value, wanted, false, "");
}

LLVMValueRef unit_call(struct unit *u, enum hook hook,
                       LLVMValueRef *arguments) {
  LLVMTypeRef type = hook_type(u, hook);
  LLVMValueRef function = LLVMGetNamedFunction(u->module, hooks[hook].name);
  if (!function)
    function = LLVMAddFunction(u->module, hooks[hook].name, type);
  LLVMValueRef list[MOST_PARAMETERS];
  unsigned count = 0;
  for (const char *p = hooks[hook].parameters; *p; p++, count++)
    list[count] = converted(u, arguments[count], type_of(u, *p));
  return LLVMBuildCall2(u->builder, type, function, list, count, "");
}

bool unit_is_call(LLVMValueRef call, enum hook hook) {
  size_t length;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) &&
         !strcmp(LLVMGetValueName2(callee, &length), hooks[hook].name);
}

/* ---- refusals ------------------------------------------------------------ */

static void add_string(struct unit *u, const char *string) {
  for (const char *c = string; *c; c++)
    VEC_PUSH(u->refused, *c);
  VEC_PUSH(u->refused, 0);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void unit_refuse(struct unit *u, LLVMValueRef instruction, const char *what) {
  size_t length = 0;
  unsigned ignored = 0;
  if (!instruction) {
    add_string(u, "assembly");
    add_string(u, base_name(LLVMGetSourceFileName(u->module, &length)));
    add_string(u, what);
    return;
  }
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  const char *file = LLVMGetDebugLocFilename(instruction, &ignored);
  char place[4096];
  snprintf(place, sizeof place, "%s:%u",
           base_name(file ? file : LLVMGetSourceFileName(u->module, &length)),
           LLVMGetDebugLocLine(instruction));
  add_string(u, LLVMGetValueName2(function, &length));
  add_string(u, place);
  add_string(u, what);
}

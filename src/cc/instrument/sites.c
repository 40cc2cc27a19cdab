/* Sites: where an access stands, and what the source calls the object.
 *
 * source_names.c finds the names in the code that the front end wrote, long
 * before the hooks are put in.  In between they are metadata of the
 * instructions: the function's name, then the object's and its type with a tab
 * between them; for calls one for each argument.
 *
 * Calls of functions that are not in this unit, pthread_mutex_lock() and
 * malloc() among them, have no hook.  For these there is a list
 * (HOOK_CALLS_SECTION) that only reports read.
 */
#include <stdio.h>
#include <string.h>

#include "core/hook.h"
#include "debug.h"
#include "source_names.h"
#include "unit.h"

enum { MOST_ARGUMENTS = 32 };

/* ---- naming -------------------------------------------------------------- */

static LLVMMetadataRef string(const struct unit *u, const char *text) {
  return LLVMMDStringInContext2(u->context, text, strlen(text));
}

static const char *function_name(LLVMValueRef instruction) {
  size_t length = 0;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  const char *name = LLVMGetValueName2(LLVMGetBasicBlockParent(block), &length);
  return *name == '\1' ? name + 1 : name; /* the name comes from asm("name") */
}

static void attach(const struct unit *u, LLVMValueRef instruction,
                   LLVMMetadataRef *names, unsigned count) {
  names[0] = string(u, function_name(instruction));
  LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, names, 1 + count);
  LLVMSetMetadata(instruction, u->object_kind,
                  LLVMMetadataAsValue(u->context, node));
}

static LLVMMetadataRef name_string(const struct unit *u,
                                   const struct object_name *name) {
  char text[2 * NAME_MOST];
  snprintf(text, sizeof text, "%s\t%s", name->text, name->type);
  return string(u, text);
}

static void name_access(const struct unit *u, LLVMValueRef access,
                        LLVMValueRef pointer, LLVMTypeRef type) {
  struct object_name name;
  name_object(u->debug, pointer, type, 0, &name);
  LLVMMetadataRef names[2] = {NULL, name_string(u, &name)};
  attach(u, access, names, 1);
}

/* The bytes that an intrinsic function copies or fills, if that is constant. */
static uint64_t constant_size(LLVMValueRef call) {
  LLVMValueRef size =
      LLVMGetNumArgOperands(call) > 2 ? LLVMGetOperand(call, 2) : NULL;
  bool is_constant = size && LLVMIsAConstantInt(size) &&
                     LLVMGetIntTypeWidth(LLVMTypeOf(size)) <= 64;
  return is_constant ? LLVMConstIntGetZExtValue(size) : 0;
}

/* What the nth argument points to, if it is a pointer. */
static void name_argument(const struct unit *u, LLVMValueRef call, unsigned nth,
                          uint64_t size, struct object_name *name) {
  LLVMValueRef argument = LLVMGetOperand(call, nth);
  if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind)
    name_object(u->debug, argument, NULL, size, name);
}

static void name_arguments(const struct unit *u, LLVMValueRef call,
                           uint64_t size) {
  LLVMMetadataRef names[1 + MOST_ARGUMENTS];
  unsigned count = LLVMGetNumArgOperands(call);
  if (count > MOST_ARGUMENTS)
    count = MOST_ARGUMENTS;
  for (unsigned i = 0; i < count; i++) {
    struct object_name name = {"", ""};
    name_argument(u, call, i, size, &name);
    names[1 + i] = name_string(u, &name);
  }
  attach(u, call, names, count);
}

static bool passes_by_value(const struct unit *u, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetCallSiteEnumAttribute(call, i + 1,
                                     u->attribute[ATTRIBUTE_BYVAL]))
      return true;
  return false;
}

/* Adds the call to the list: see HOOK_CALLS_SECTION. */
static void list_call(struct unit *u, LLVMValueRef call, LLVMValueRef callee) {
  char text[4096], result[NAME_MOST] = "";
  unsigned length = 0;
  const char *file = LLVMGetDebugLocFilename(call, &length);
  struct object_name names[HOOK_CALL_ARGUMENTS] = {0};
  for (unsigned i = 0;
       i < HOOK_CALL_ARGUMENTS && i < LLVMGetNumArgOperands(call); i++)
    name_argument(u, call, i, 0, &names[i]);
  name_result(u->debug, call, result);
  int size = snprintf(
      text, sizeof text, "%u:%u\t%.*s\t%s\t%s\t%s\t%s\t%s\t%s",
      LLVMGetDebugLocLine(call), LLVMGetDebugLocColumn(call), (int)length,
      file ? file : "", LLVMGetValueName2(callee, &(size_t){0}), result,
      names[0].text, names[0].type, names[1].text, names[1].type);
  if (!file || size >= (int)sizeof text)
    return;
  for (int i = 0; i <= size; i++)
    VEC_PUSH(u->calls, text[i]);
}

static void name_call(struct unit *u, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsADbgInfoIntrinsic(call))
    return;
  if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee))
    name_arguments(u, call, constant_size(call));
  else if (is_assembly(call) || passes_by_value(u, call))
    name_arguments(u, call, 0);
  else if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee))
    list_call(u, call, callee);
}

static void name_instruction(struct unit *u, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAlloca:
    name_access(u, i, i, LLVMGetAllocatedType(i));
    break;
  case LLVMLoad:
    name_access(u, i, LLVMGetOperand(i, 0), LLVMTypeOf(i));
    break;
  case LLVMStore:
    name_access(u, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    name_access(u, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)));
    break;
  case LLVMCall:
  case LLVMInvoke:
  case LLVMCallBr:
    name_call(u, i);
    break;
  default:
    break;
  }
}

static void name_function(struct unit *u, LLVMValueRef function) {
  debug_add_function(u->debug, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      name_instruction(u, i);
}

void sites_name(struct unit *u) {
  u->debug = debug_open(u);
  for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f;
       f = LLVMGetNextFunction(f))
    name_function(u, f);
  debug_close(u->debug);
  u->debug = NULL;
}

/* ---- sites --------------------------------------------------------------- */

/* What was attached to the instruction, number 0 being the function. */
static const char *attached(const struct unit *u, LLVMValueRef instruction,
                            unsigned number) {
  LLVMValueRef names[1 + MOST_ARGUMENTS];
  unsigned length = 0;
  LLVMValueRef node = LLVMGetMetadata(instruction, u->object_kind);
  if (!node || number >= LLVMGetMDNodeNumOperands(node))
    return "";
  LLVMGetMDNodeOperands(node, names);
  const char *name = LLVMGetMDString(names[number], &length);
  return length ? name : "";
}

/* The same text is the same constant to LLVM.  Each becomes one global. */
static LLVMValueRef site_text(struct unit *u, const char *text) {
  LLVMValueRef key = LLVMConstStringInContext(u->context, text,
                                              (unsigned)strlen(text) + 1, true);
  if (!map_get(&u->sites, key)) {
    LLVMValueRef global = unit_bytes(u, text, strlen(text) + 1);
    *map_place(&u->sites, key) = global;
  }
  return map_get(&u->sites, key);
}

static LLVMValueRef site(struct unit *u, LLVMValueRef instruction,
                         const char *function, const char *object) {
  unsigned length = 0;
  char text[4096];
  const char *file = LLVMGetDebugLocFilename(instruction, &length);
  size_t name = strcspn(object, "\t");
  snprintf(text, sizeof text, "%.*s\t%s\t%.*s:%u:%u\t%s", (int)name, object,
           *function ? function : function_name(instruction), (int)length,
           file ? file : "", LLVMGetDebugLocLine(instruction),
           LLVMGetDebugLocColumn(instruction),
           object[name] ? object + name + 1 : "");
  return site_text(u, text);
}

LLVMValueRef site_of(struct unit *u, LLVMValueRef instruction, unsigned nth) {
  return site(u, instruction, attached(u, instruction, 0),
              attached(u, instruction, 1 + nth));
}

LLVMValueRef site_of_begin(struct unit *u, LLVMValueRef first,
                           LLVMValueRef local) {
  if (LLVMIsAInstruction(local))
    return site_of(u, local, 0);
  size_t length = 0;
  return site(u, first, "", LLVMGetValueName2(local, &length));
}

LLVMValueRef site_of_end(struct unit *u, LLVMValueRef end, LLVMValueRef local) {
  return site(u, end, attached(u, local, 0), attached(u, local, 1));
}

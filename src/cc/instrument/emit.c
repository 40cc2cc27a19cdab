/* What clang would have done between the module and the object, as far as the
 * C interface of LLVM leaves it to us. */
#include <llvm-c/Support.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "unit.h"

/* ---- the target machine -------------------------------------------------- */

static uint64_t flag(LLVMModuleRef module, const char *name) {
  LLVMMetadataRef value = LLVMGetModuleFlag(module, name, strlen(name));
  if (!value)
    return 0;
  LLVMValueRef constant =
      LLVMMetadataAsValue(LLVMGetModuleContext(module), value);
  /* A constant in metadata can only be read through a node. */
  LLVMValueRef inner = LLVMGetNumOperands(constant) == 1
                           ? LLVMGetOperand(constant, 0)
                           : constant;
  return LLVMIsAConstantInt(inner) ? LLVMConstIntGetZExtValue(inner) : 0;
}

/* The flag's value is 1 + the code model, as LLVM numbers them: tiny, small,
 * kernel, medium, large. */
static LLVMCodeModel code_model(LLVMModuleRef module) {
  switch (flag(module, "Code Model")) {
  case 2:
    return LLVMCodeModelKernel;
  case 3:
    return LLVMCodeModelMedium;
  case 4:
    return LLVMCodeModelLarge;
  default:
    return LLVMCodeModelDefault;
  }
}

/* Equal ends of two branches stay two: each access has its own line. */
static void set_up_llvm(void) {
  static const char *const options[] = {"heddle", "-enable-tail-merge=0"};
  static bool done;
  if (done)
    return;
  done = true;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
  LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, "");
}

LLVMTargetMachineRef emit_machine(LLVMModuleRef module,
                                  const struct instrument_job *job,
                                  char **error) {
  const char *triple = LLVMGetTarget(module);
  LLVMTargetRef target;
  set_up_llvm();
  if (LLVMGetTargetFromTriple(triple, &target, error))
    return NULL;
  return LLVMCreateTargetMachine(
      target, triple, "", "", LLVMCodeGenLevelDefault,
      job->position_independent || flag(module, "PIC Level") ? LLVMRelocPIC
                                                             : LLVMRelocStatic,
      code_model(module));
}

/* ---- constructors -------------------------------------------------------- */

/* LLVM would put them into .ctors, which run backwards.  A section of another
 * name keeps its type: LLVM knows .init_array and .fini_array. */
static void place_constructor(struct unit *u, LLVMValueRef entry,
                              const char *section) {
  uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0));
  LLVMValueRef function = LLVMGetOperand(entry, 1);
  char name[64];
  if (LLVMIsNull(function))
    return;
  snprintf(name, sizeof name, priority == 65535 ? "%s" : "%s.%05u", section,
           (unsigned)priority);
  LLVMValueRef place =
      LLVMAddGlobal(u->module, LLVMTypeOf(function), "heddle.constructor");
  LLVMSetInitializer(place, function);
  LLVMSetLinkage(place, LLVMPrivateLinkage);
  LLVMSetSection(place, name);
  unit_keep(u, place);
}

static void place_constructors(struct unit *u, const char *list,
                               const char *section) {
  LLVMValueRef global = LLVMGetNamedGlobal(u->module, list);
  if (!global)
    return;
  LLVMValueRef entries = LLVMGetInitializer(global);
  for (int i = 0; entries && i < LLVMGetNumOperands(entries); i++)
    place_constructor(u, LLVMGetOperand(entries, (unsigned)i), section);
  LLVMDeleteGlobal(global);
}

/* ---- wide atomics ---------------------------------------------------------
 */

/* The type of the value that an atomic instruction moves, or NULL. */
static LLVMTypeRef atomic_type(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return LLVMTypeOf(LLVMGetOperand(instruction, 1));
  case LLVMLoad:
    return LLVMGetOrdering(instruction) ? LLVMTypeOf(instruction) : NULL;
  case LLVMStore:
    return LLVMGetOrdering(instruction)
               ? LLVMTypeOf(LLVMGetOperand(instruction, 0))
               : NULL;
  default:
    return NULL;
  }
}

static bool has_wide_atomic(const struct unit *u, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMTypeRef type = atomic_type(i);
      if (type && unit_size(u, type) == 16)
        return true;
    }
  return false;
}

/* Without the instruction for 16 bytes, LLVM would call a function that is
 * announced a second time, or that no library defines. */
static void allow_wide_atomics(struct unit *u, LLVMValueRef function) {
  static const char name[] = "target-features";
  LLVMAttributeIndex index = LLVMAttributeFunctionIndex;
  LLVMAttributeRef old = LLVMGetStringAttributeAtIndex(function, index, name,
                                                       (unsigned)strlen(name));
  unsigned length = 0;
  const char *features = old ? LLVMGetStringAttributeValue(old, &length) : "";
  char more[8192];
  int size = snprintf(more, sizeof more, "%.*s%s+cx16", (int)length, features,
                      length ? "," : "");
  LLVMAddAttributeAtIndex(function, index,
                          LLVMCreateStringAttribute(u->context, name,
                                                    (unsigned)strlen(name),
                                                    more, (unsigned)size));
}

static void allow_all_wide_atomics(struct unit *u) {
  if (strncmp(LLVMGetTarget(u->module), "x86_64", 6))
    return;
  for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f;
       f = LLVMGetNextFunction(f))
    if (has_wide_atomic(u, f))
      allow_wide_atomics(u, f);
}

/* ---- sections ------------------------------------------------------------ */

static void place_apart(LLVMValueRef global, const char *prefix) {
  size_t length = 0;
  char name[4096];
  const char *section = LLVMGetSection(global);
  if (LLVMIsDeclaration(global) || (section && *section))
    return;
  snprintf(name, sizeof name, "%s.%s", prefix,
           LLVMGetValueName2(global, &length));
  LLVMSetSection(global, name);
}

static bool is_ordinary_variable(LLVMValueRef g) {
  LLVMLinkage linkage = LLVMGetLinkage(g);
  return !LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) &&
         !LLVMIsThreadLocal(g) && linkage != LLVMPrivateLinkage &&
         linkage != LLVMAppendingLinkage && linkage != LLVMCommonLinkage;
}

static void place_functions_apart(struct unit *u) {
  for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f;
       f = LLVMGetNextFunction(f))
    place_apart(f, ".text");
}

static void place_variables_apart(struct unit *u) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g;
       g = LLVMGetNextGlobal(g))
    if (is_ordinary_variable(g))
      place_apart(g, LLVMIsNull(LLVMGetInitializer(g)) ? ".bss" : ".data");
}

void emit_prepare(struct unit *u, const struct instrument_job *job) {
  place_constructors(u, "llvm.global_ctors", ".init_array");
  place_constructors(u, "llvm.global_dtors", ".fini_array");
  allow_all_wide_atomics(u);
  if (job->function_sections)
    place_functions_apart(u);
  if (job->data_sections)
    place_variables_apart(u);
}

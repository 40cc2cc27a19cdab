/* The instrumenter: from clang's bitcode to an object with hooks.
 *
 *  1. What the source calls the objects of all accesses is noted (sites.c).
 *  2. Local variables that are only loaded and stored leave memory (mem2reg,
 *     and sroa as promote.c lets it).  No access to anything else changes: what
 *     the source reads and writes is read and written, in that order.
 *     Functions that SV-COMP takes for atomic become blocks (svcomp.c).
 *  3. Every instruction that may touch memory is hooked, known to be local, or
 *     refused (access.c).
 *  4. The rest is optimised.  A hook is a call of which LLVM knows nothing, and
 *     it gets the address of the access that follows: no access to memory that
 *     others can see moves across its hook, is merged or left out.
 *  5. The code generator makes the object.
 */
#define _GNU_SOURCE
#include "instrument.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hook.h"
#include "drawn.h"
#include "emit.h"
#include "unit.h"

/* always-inline comes first because some functions exist only inline. */
#define PASSES_BEFORE "always-inline,function(mem2reg)"
#define PASSES_PROMOTING "function(sroa)"
#define PASSES_RECURSION "function(tailcallelim)"
#define PASSES_AFTER "function(sroa,early-cse,simplifycfg)"

/* ---- opening ------------------------------------------------------------- */

static char *message(const char *what, char *why) {
  char *text = NULL;
  if (asprintf(&text, "%s: %s", what, why) < 0)
    text = NULL;
  LLVMDisposeMessage(why);
  return text;
}

static char *read_module(struct unit *u, const char *path) {
  LLVMMemoryBufferRef buffer;
  char *error = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error))
    return message("cannot read the front end's result", error);
  if (LLVMParseIRInContext(u->context, buffer, &u->module, &error))
    return message("cannot understand the front end's result", error);
  return NULL;
}

static void on_diagnostic(LLVMDiagnosticInfoRef diagnostic, void *unit) {
  struct unit *u = unit;
  if (LLVMGetDiagInfoSeverity(diagnostic) != LLVMDSError || u->error)
    return;
  char *text = LLVMGetDiagInfoDescription(diagnostic);
  u->error = strdup(text);
  LLVMDisposeMessage(text);
}

static char *open_unit(struct unit *u, const struct instrument_job *job) {
  char *error = NULL;
  u->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(u->context, on_diagnostic, u);
  char *failed = read_module(u, job->input);
  if (failed)
    return failed;
  u->machine = emit_machine(u->module, job, &error);
  if (!u->machine)
    return message("cannot make machine code", error);
  unit_begin(u);
  return NULL;
}

static void close_unit(struct unit *u) {
  VEC_FREE(u->refused);
  VEC_FREE(u->calls);
  map_free(&u->sites);
  if (u->builder)
    LLVMDisposeBuilder(u->builder);
  if (u->layout)
    LLVMDisposeTargetData(u->layout);
  if (u->module)
    LLVMDisposeModule(u->module);
  if (u->machine)
    LLVMDisposeTargetMachine(u->machine);
  LLVMContextDispose(u->context);
}

static char *run_passes(struct unit *u, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(u->module, passes, u->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return NULL;
  char *why = LLVMGetErrorMessage(error);
  char *text = strdup(why);
  LLVMDisposeErrorMessage(why);
  return text;
}

/* ---- functions ----------------------------------------------------------- */

static bool is_defined(LLVMValueRef function) {
  return LLVMGetFirstBasicBlock(function) != NULL;
}

static bool is_intrinsic(LLVMValueRef function) {
  return LLVMGetIntrinsicID(function) != 0;
}

/* What the author promised about a function no longer holds with hooks in it.
 */
static const enum attribute promises[] = {
    ATTRIBUTE_READNONE,
    ATTRIBUTE_READONLY,
    ATTRIBUTE_WRITEONLY,
    ATTRIBUTE_ARGMEMONLY,
    ATTRIBUTE_INACCESSIBLEMEMONLY,
    ATTRIBUTE_INACCESSIBLEMEM_OR_ARGMEMONLY,
    ATTRIBUTE_MEMORY,
    ATTRIBUTE_SPECULATABLE,
    ATTRIBUTE_WILLRETURN,
    ATTRIBUTE_BUILTIN,
};

static void forget_promises(struct unit *u, LLVMValueRef function) {
  LLVMAttributeIndex index = LLVMAttributeFunctionIndex;
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
    if (u->attribute[promises[i]])
      LLVMRemoveEnumAttributeAtIndex(function, index,
                                     u->attribute[promises[i]]);
}

static void forget_promises_of_call(struct unit *u, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee) && is_intrinsic(callee))
    return;
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
    if (u->attribute[promises[i]])
      LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex,
                                      u->attribute[promises[i]]);
  /* A call of a library function is not replaced by something unseen. */
  LLVMAddCallSiteAttribute(
      call, LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute(u->context, u->attribute[ATTRIBUTE_NOBUILTIN],
                              0));
}

static void forget_all_promises(struct unit *u) {
  for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f;
       f = LLVMGetNextFunction(f)) {
    if (!is_intrinsic(f))
      forget_promises(u, f);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
          forget_promises_of_call(u, i);
  }
}

/* The dynamic linker calls it before there are hooks or threads. */
static bool is_resolver(const struct unit *u, LLVMValueRef function) {
  for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(u->module); i;
       i = LLVMGetNextGlobalIFunc(i))
    if (LLVMGetGlobalIFuncResolver(i) == function)
      return true;
  return false;
}

static void for_each_function(struct unit *u,
                              void (*what)(struct unit *, LLVMValueRef)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f;
       f = LLVMGetNextFunction(f))
    if (is_defined(f))
      what(u, f);
}

static void hook_function(struct unit *u, LLVMValueRef function) {
  if (!is_resolver(u, function))
    access_hook(u, function);
}

static void clear_function(struct unit *u, LLVMValueRef function) {
  if (!is_resolver(u, function))
    dead_clear(u, function);
}

/* ---- what the object says about itself ------------------------------------
 */

static void add_mark(struct unit *u) {
  LLVMTypeRef type = LLVMInt8TypeInContext(u->context);
  LLVMValueRef mark = LLVMAddGlobal(u->module, type, HOOK_MARK);
  LLVMValueRef reference =
      LLVMAddGlobal(u->module, LLVMTypeOf(mark), "heddle.mark");
  LLVMSetInitializer(reference, mark);
  LLVMSetLinkage(reference, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(reference, true);
  unit_keep(u, reference);
}

static void add_section(struct unit *u, const char *name, const char *bytes,
                        size_t size) {
  if (!size)
    return;
  LLVMValueRef list = unit_bytes(u, bytes, size);
  LLVMSetSection(list, name);
  unit_keep(u, list);
}

/* ---- all of it ----------------------------------------------------------- */

static char *emit(struct unit *u, const struct instrument_job *job) {
  char *error = NULL;
  LLVMCodeGenFileType type = job->assembler ? LLVMAssemblyFile : LLVMObjectFile;
  LLVMSetTargetMachineAsmVerbosity(u->machine, job->assembler);
  if (LLVMTargetMachineEmitToFile(u->machine, u->module, (char *)job->output,
                                  type, &error))
    return message("cannot write the object", error);
  return u->error;
}

static char *promote(struct unit *u) {
  for_each_function(u, promote_begin);
  char *failed = run_passes(u, PASSES_PROMOTING);
  promote_end(u);
  return failed;
}

static char *make_loops(struct unit *u) {
  for_each_function(u, recursion_begin);
  char *failed = run_passes(u, PASSES_RECURSION);
  for_each_function(u, recursion_end);
  return failed;
}

static char *instrument(struct unit *u, const struct instrument_job *job) {
  sites_name(u);
  forget_all_promises(u);
  for_each_function(u, pausing_inline);
  char *failed = run_passes(u, PASSES_BEFORE);
  if (failed)
    return failed;
  for_each_function(u, drawn_take_out);
  failed = promote(u);
  if (!failed)
    failed = make_loops(u);
  if (failed)
    return failed;
  for_each_function(u, svcomp_make_atomic);
  for_each_function(u, svcomp_choose_first);
  for_each_function(u, svcomp_make_error);
  threadlocal_lower(u);
  for_each_function(u, hook_function);
  assembly_look_outside(u);
  if (job->keep_variables)
    for_each_function(u, variables_keep);
  add_mark(u);
  add_section(u, HOOK_REFUSED_SECTION, u->refused.at, u->refused.size);
  add_section(u, HOOK_CALLS_SECTION, u->calls.at, u->calls.size);
  failed = run_passes(u, PASSES_AFTER);
  if (failed)
    return failed;
  for_each_function(u, intrinsic_lower);
  if (job->clear_dead)
    for_each_function(u, clear_function);
  emit_prepare(u, job);
  return emit(u, job);
}

char *heddle_instrument(const struct instrument_job *job) {
  struct unit u = {0};
  char *failed = open_unit(&u, job);
  if (!failed)
    failed = instrument(&u, job);
  close_unit(&u);
  if (failed)
    remove(job->output);
  return failed;
}

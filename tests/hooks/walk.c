/* Walks intrinsic functions of LLVM: each one that touches memory, as LLVM's
 * own text says, is either listed in src/cc/instrument/intrinsics.def or refused.
 *
 * Reads names from standard input, one a line.  Linked with the instrumenter's
 * objects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cc/instrument/unit.h"

static const char *const listed[] = {
#define INTRINSIC(name, kind) name,
#include "cc/instrument/intrinsics.def"
#undef INTRINSIC
};

static bool is_listed(const char *name) {
  for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
    size_t length = strlen(listed[i]);
    if (listed[i][length - 1] == '*' ? !strncmp(listed[i], name, length - 1)
                                     : !strcmp(listed[i], name))
      return true;
  }
  return false;
}

/* ---- a module with one call ---------------------------------------------- */

static void open_module(struct unit *u) {
  char *error;
  LLVMInitializeNativeTarget();
  u->context = LLVMContextCreate();
  u->module = LLVMModuleCreateWithNameInContext("walk", u->context);
  LLVMSetTarget(u->module, LLVMGetDefaultTargetTriple());
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(LLVMGetTarget(u->module), &target, &error))
    abort();
  u->machine = LLVMCreateTargetMachine(target, LLVMGetTarget(u->module), "", "",
                                       LLVMCodeGenLevelDefault,
                                       LLVMRelocDefault, LLVMCodeModelDefault);
  unit_begin(u);
}

static LLVMValueRef any_value(struct unit *u, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMMetadataTypeKind)
    return LLVMMetadataAsValue(u->context,
                               LLVMMDNodeInContext2(u->context, NULL, 0));
  return LLVMGetUndef(type);
}

/* What an overloaded intrinsic may be for. */
enum { TYPES = 4 };

static LLVMTypeRef type_to_try(struct unit *u, unsigned number) {
  switch (number) {
  case 0:
    return u->half;
  case 1:
    return LLVMVectorType(u->half, 4);
  case 2:
    return LLVMVectorType(LLVMFloatTypeInContext(u->context), 4);
  default:
    return LLVMScalableVectorType(u->half, 4);
  }
}

static LLVMValueRef declare(struct unit *u, unsigned id, unsigned type) {
  LLVMTypeRef types[8];
  for (size_t i = 0; i < 8; i++)
    types[i] = type_to_try(u, type);
  return LLVMGetIntrinsicDeclaration(u->module, id, types,
                                     LLVMIntrinsicIsOverloaded(id) ? 8 : 0);
}

/* Does the instrumenter refuse a call of it? */
static bool is_refused(struct unit *u, LLVMValueRef intrinsic) {
  LLVMTypeRef nothing =
      LLVMFunctionType(LLVMVoidTypeInContext(u->context), NULL, 0, false);
  LLVMValueRef caller = LLVMAddFunction(u->module, "caller", nothing);
  LLVMPositionBuilderAtEnd(
      u->builder, LLVMAppendBasicBlockInContext(u->context, caller, ""));
  LLVMTypeRef type = LLVMGlobalGetValueType(intrinsic);
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef parameters[64];
  LLVMValueRef arguments[64];
  LLVMGetParamTypes(type, parameters);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = any_value(u, parameters[i]);
  LLVMBuildCall2(u->builder, type, intrinsic, arguments, count, "");
  LLVMBuildRetVoid(u->builder);
  u->refused.size = 0;
  access_hook(u, caller);
  LLVMDeleteFunction(caller);
  return u->refused.size > 0;
}

/* The attributes of its declaration, in LLVM's words. */
static bool says_no_memory(struct unit *u) {
  char *text = LLVMPrintModuleToString(u->module);
  const char *attributes = strstr(text, "\nattributes #");
  bool none = attributes && (strstr(attributes, "readnone") ||
                             strstr(attributes, "memory(none)"));
  LLVMDisposeMessage(text);
  return none;
}

/* ---- one intrinsic ------------------------------------------------------- */

/* Prints a line if it is wrong.  The module is empty before and after. */
static void look_at(struct unit *u, const char *name, unsigned id,
                    unsigned type) {
  LLVMValueRef intrinsic = declare(u, id, type);
  if (LLVMGetIntrinsicID(intrinsic) != id)
    abort(); /* with these types it has the name of another one */
  bool harmless = says_no_memory(u);
  if (is_refused(u, intrinsic) == harmless)
    printf("%s: %s\n", name,
           harmless ? "refused without need" : "touches memory and passes");
  LLVMDeleteFunction(intrinsic);
}

/* ---- all of them --------------------------------------------------------- */

enum { MOST = 20000 };

static struct intrinsic {
  char name[120];
  unsigned id;
} all[MOST];
static size_t count;

/* Shared with the child: where it is. */
static volatile struct {
  size_t number;
  unsigned type;
} *at;

static void read_names(void) {
  while (count < MOST && scanf("%119s", all[count].name) == 1) {
    all[count].id =
        LLVMLookupIntrinsicID(all[count].name, strlen(all[count].name));
    if (all[count].id && !is_listed(all[count].name))
      count++;
  }
}

static void look_on(struct unit *u) {
  for (; at->number < count; at->number++, at->type = 0)
    look_at(u, all[at->number].name, all[at->number].id, at->type);
}

/* Types that do not fit crash LLVM: a child looks on until then. */
static void look_in_child(struct unit *u) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    if (!freopen("/dev/null", "w", stderr))
      _exit(1);
    look_on(u);
    fflush(stdout);
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child)
    abort();
}

int main(void) {
  struct unit u = {0};
  unsigned untried = 0;
  at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  setlinebuf(stdout);
  open_module(&u);
  read_names();
  for (look_in_child(&u); at->number < count; look_in_child(&u)) {
    if (++at->type < TYPES)
      continue;
    printf("%s: not tried\n", all[at->number].name);
    untried++, at->number++, at->type = 0;
  }
  printf("%zu intrinsics, %u of them not tried\n", count, untried);
}

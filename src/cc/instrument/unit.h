/* A translation unit while it is instrumented.
 *
 * The instrumenter is a shared object of its own, linked with one version of
 * LLVM and loaded by `heddle cc` (cc/driver/cc_instrument.c).  It uses only
 * LLVM's C interface, versions 14 to 22.
 */
#ifndef CC_INSTRUMENT_UNIT_H
#define CC_INSTRUMENT_UNIT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "util/vec.h"

enum hook {
#define HOOK(name, result, parameters) HOOK_##name,
#include "core/hooks.def"
#undef HOOK
  HOOKS
};

/* Attributes, by their numbers in this version of LLVM; 0: it has none of that
 * name. */
enum attribute {
  ATTRIBUTE_BYVAL,
  ATTRIBUTE_ELEMENTTYPE, /* of what a memory operand of assembly points to */
  ATTRIBUTE_INALLOCA,
  ATTRIBUTE_PREALLOCATED,
  ATTRIBUTE_SRET,
  ATTRIBUTE_READNONE, /* up to 15 */
  ATTRIBUTE_READONLY,
  ATTRIBUTE_WRITEONLY,
  ATTRIBUTE_ARGMEMONLY,
  ATTRIBUTE_INACCESSIBLEMEMONLY,
  ATTRIBUTE_INACCESSIBLEMEM_OR_ARGMEMONLY,
  ATTRIBUTE_MEMORY, /* from 16 on: the value 0 means that none is touched */
  ATTRIBUTE_SPECULATABLE,
  ATTRIBUTE_WILLRETURN,
  ATTRIBUTE_BUILTIN, /* a call that may be replaced after all */
  ATTRIBUTE_NOBUILTIN,
  ATTRIBUTE_ALWAYSINLINE,
  ATTRIBUTES
};

struct unit {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  LLVMTypeRef byte_pointer;
  LLVMTypeRef word; /* 64 bits */
  LLVMTypeRef half; /* 32 bits */
  unsigned attribute[ATTRIBUTES];
  struct debug *debug;  /* while objects are named */
  unsigned object_kind; /* of the metadata that names an object: sites.c */
  unsigned idle_kind;   /* of the metadata of idle.c */
  struct map sites;     /* text -> global */
  VEC(char) refused;    /* strings as HOOK_REFUSED_SECTION has them */
  VEC(char) calls;      /* the same for HOOK_CALLS_SECTION */
  char *error;          /* LLVM's first one, on the heap; or NULL */
};

/* ---- unit.c -------------------------------------------------------------- */

/* Fills in the rest, given context, module and machine. */
void unit_begin(struct unit *);

/* Inserts a call of the hook where the builder stands.  As many arguments as
 * the hook has parameters; addresses may be pointers of any type. */
LLVMValueRef unit_call(struct unit *, enum hook, LLVMValueRef *arguments);

/* Is it a call of this hook? */
bool unit_is_call(LLVMValueRef call, enum hook);

LLVMValueRef unit_word(const struct unit *, uint64_t value);
LLVMValueRef unit_half(const struct unit *, uint32_t value);

/* The bytes that a load or store of the type touches. */
uint64_t unit_size(const struct unit *, LLVMTypeRef);

/* A constant array of bytes, private to the object. */
LLVMValueRef unit_bytes(struct unit *, const char *bytes, size_t size);
/* Keeps a value in the object although nothing refers to it. */
void unit_keep(struct unit *, LLVMValueRef global);
/* A local variable of the function that the instruction is in. */
LLVMValueRef unit_room(struct unit *, LLVMValueRef instruction, LLVMTypeRef);

/* The program cannot be checked because of this instruction, or, with NULL, of
 * code outside of functions.  `what` says why, for the message. */
void unit_refuse(struct unit *, LLVMValueRef instruction, const char *what);

/* ---- local.c ------------------------------------------------------------- */

typedef VEC(LLVMValueRef) value_list;
bool value_list_has(const value_list *, LLVMValueRef);

/* The local variable that the pointer leads into, or NULL. */
LLVMValueRef variable_of(LLVMValueRef pointer);

/* The objects of a function that its thread alone can know: local variables,
 * and parameters passed by value, of which no address escapes. */
struct locals {
  VEC(LLVMValueRef) objects;  /* sorted by address */
  VEC(LLVMValueRef) escaping; /* the others */
  VEC(LLVMValueRef) shown; /* of `objects`: the runtime is told of accesses */
};
void locals_find(const struct unit *, LLVMValueRef function, struct locals *);
void locals_free(struct locals *);

/* Does the pointer lead to such an object, or to memory that is never written?
 */
bool is_local(const struct locals *, LLVMValueRef pointer);
/* May it lead to one that is shown? */
bool is_shown(const struct locals *, LLVMValueRef pointer);

/* ---- shown.c ------------------------------------------------------------- */

struct graph;
struct graph_loop;

/* Could a thread wait in the loop for what it looks at there? */
bool shown_may_look(const struct graph *, const struct locals *,
                    const struct graph_loop *);
/* Local variables that such loops change in memory are shown. */
void shown_find(const struct graph *, struct locals *);

/* ---- promote.c ----------------------------------------------------------- */

/* Before sroa: hides from it all variables that it must not touch; and after.
 */
void promote_begin(struct unit *, LLVMValueRef function);
void promote_end(struct unit *);

/* ---- access.c ------------------------------------------------------------ */

/* Puts hooks before all accesses of the function. */
void access_hook(struct unit *, LLVMValueRef function);

/* ---- bounds.c ------------------------------------------------------------ */

/* Puts a hook before an access of `size` bytes if it may be outside of the
 * variable that its pointer is made from. */
void bounds_hook(struct unit *, LLVMValueRef access, LLVMValueRef pointer,
                 uint64_t size);

/* ---- lifetime.c ---------------------------------------------------------- */

/* Puts hooks where local variables that others may know begin and end. */
void lifetime_hook(struct unit *, const struct locals *, LLVMValueRef function);

/* ---- variables.c --------------------------------------------------------- */

/* Gives variables that live in registers a place for debuggers.  After all
 * hooks. */
void variables_keep(struct unit *, LLVMValueRef function);

/* ---- dead.c -------------------------------------------------------------- */

/* Leaves nothing dead on the stack wherever the function calls another one.
 * After all hooks and all optimisation. */
void dead_clear(struct unit *, LLVMValueRef function);

/* ---- loops.c ------------------------------------------------------------- */

/* Puts hooks where rounds of loops begin.  Before all other hooks. */
void loops_hook(struct unit *, struct locals *, LLVMValueRef function);

/* Does a round of a loop begin with this block?  Known once the hooks are
 * there. */
bool loops_begins_round(LLVMBasicBlockRef);

/* ---- carried.c ----------------------------------------------------------- */

/* Does the value that the load or compare-and-swap finds show nowhere but in
 * what threads take along into a round of a loop, and in memory? */
bool is_carried(const struct locals *, LLVMValueRef access);

/* ---- intrinsics.c -------------------------------------------------------- */

/* Handles a call of an intrinsic function. */
void intrinsic_hook(struct unit *, const struct locals *, LLVMValueRef call);
/* Does handling it let the pointer escape that is its argument? */
bool intrinsic_lets_escape(LLVMValueRef call);
/* Does the call only tell where a variable is, or lives? */
bool intrinsic_is_marker(LLVMValueRef call);
/* After all optimisation: copies that the code generator would turn into calls
 * of memcpy and its like become calls of ours. */
void intrinsic_lower(struct unit *, LLVMValueRef function);

/* ---- assembly.c ---------------------------------------------------------- */

bool is_assembly(LLVMValueRef call);
void assembly_hook(struct unit *, const struct locals *, LLVMValueRef call);
/* May it do anything with the pointer, its argument, but what it announces? */
bool assembly_lets_escape(const struct unit *, LLVMValueRef call,
                          LLVMValueRef pointer);
/* Does it neither compute nor touch anything, like `pause`? */
bool assembly_does_nothing(const struct unit *, LLVMValueRef call);
/* Assembly outside of functions. */
void assembly_look_outside(struct unit *);

/* ---- threadlocal.c ------------------------------------------------------- */

/* Replaces every thread-local variable: uses ask the runtime for the address
 * of the running thread's copy. */
void threadlocal_lower(struct unit *);

/* ---- pausing.c ----------------------------------------------------------- */

/* Before anything is changed: a function that only pauses becomes part of those
 * that call it. */
void pausing_inline(struct unit *, LLVMValueRef function);

/* ---- recursion.c --------------------------------------------------------- */

/* Before and behind the pass that makes loops of recursion. */
void recursion_begin(struct unit *, LLVMValueRef function);
void recursion_end(struct unit *, LLVMValueRef function);

/* ---- svcomp.c ------------------------------------------------------------ */

/* Makes a function an atomic block if its name says that it is one. */
void svcomp_make_atomic(struct unit *, LLVMValueRef function);
/* Has values of __VERIFIER_nondet_*() chosen before atomic blocks. */
void svcomp_choose_first(struct unit *, LLVMValueRef function);
/* Makes calls of a function errors if its name says that they are. */
void svcomp_make_error(struct unit *, LLVMValueRef function);

/* ---- sites.c ------------------------------------------------------------- */

/* Before anything is changed: what the source calls the objects that all
 * functions access. */
void sites_name(struct unit *);
/* The site of the instruction.  Of a call the nth argument (from 0) is meant,
 * of other instructions, with 0, their pointer. */
LLVMValueRef site_of(struct unit *, LLVMValueRef instruction, unsigned nth);
/* The site where a local variable, or a parameter passed by value, begins;
 * `first` is an instruction of its function. */
LLVMValueRef site_of_begin(struct unit *, LLVMValueRef first,
                           LLVMValueRef local);
/* The site of the instruction by which a local variable ends. */
LLVMValueRef site_of_end(struct unit *, LLVMValueRef end, LLVMValueRef local);

#endif
